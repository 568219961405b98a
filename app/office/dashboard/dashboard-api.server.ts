/** Binds the contract of the dashboard, and serves the same numbers as a file for a spreadsheet. */
import type { FastifyInstance } from 'fastify'
import type { Credentials } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { requireAccess } from '#app/api/policy.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import { type DashboardContract, DashboardParams, DashboardQuery } from './dashboard.contract.ts'
import { dashboardCsv } from './dashboard-csv.server.ts'
import { companyDashboard, myDashboards } from './dashboard-queries.server.ts'

export interface DashboardSettings {
  /** The flag enableJobs. */
  hasJobs: boolean
  /** Whether ratings wait for others before they are public. */
  ratingsWait: boolean
}

export const dashboardHandlers = (settings: DashboardSettings): Handlers<DashboardContract> => ({
  'GET /api/v1/my/dashboards': (ctx) => myDashboards(ctx),
  'GET /api/v1/companies/{id}/dashboard': (ctx, { params, query }) =>
    companyDashboard(ctx, params.id, query, settings),
})

const csvReader = requestReader({ params: DashboardParams, query: DashboardQuery })

/** Mounts `GET /api/v1/companies/{id}/dashboard.csv`. */
export function serveDashboardCsv(
  app: FastifyInstance,
  contextOf: (credentials: Credentials) => Promise<Ctx>,
  settings: DashboardSettings,
) {
  app.get(
    '/api/v1/companies/:id/dashboard.csv',
    {
      schema: {
        summary: 'What a company learns of itself, as CSV; for those who act for it',
        tags: ['companies'],
        ...csvReader.schema,
      },
      validatorCompiler: csvReader.validatorCompiler,
    },
    async (request, reply) => {
      const read = csvReader.check(request)
      const { authorization } = request.headers
      const ctx = await contextOf({ authorization, network: networkOf(request.ip) })
      requireAccess({ access: 'member' }, ctx.actor)
      const { params, query } = read()
      const view = await companyDashboard(ctx, params.id, query, settings)
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="dashboard.csv"')
        .type('text/csv; charset=utf-8; header=present')
        .send(dashboardCsv(view))
    },
  )
}
