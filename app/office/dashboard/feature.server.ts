import type { FastifyInstance } from 'fastify'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { type Feature, mailTask } from '#app/api/feature.server.ts'
import { requireAccess } from '#app/api/policy.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import { CLAIM_APPROVED } from '#app/companies/claims/claim-commands.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, HOUR_MS } from '#app/platform/days.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import type { FeatureConfig } from '#app/platform/operations/config.server.ts'
import {
  COMPANY_NEWS_TASK,
  queueCompanyNews,
  registerNewsOff,
  sendCompanyNews,
} from './company-news.server.ts'
import {
  DASHBOARD_ACCESS,
  type DashboardContract,
  DashboardParams,
  DashboardQuery,
  dashboardContract,
} from './dashboard.contract.ts'
import { companyDashboard, dashboardCsv, myDashboards } from './dashboard-queries.server.ts'
import { RELEASE_DASHBOARD_TASK, releaseDashboards } from './release-task.server.ts'

interface DashboardSettings {
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

function serveDashboardCsv(
  app: FastifyInstance,
  contextOf: (identity: RequestIdentity) => Promise<Ctx>,
  settings: DashboardSettings,
) {
  app.get(
    '/api/v1/companies/:id/dashboard.csv',
    {
      schema: {
        summary: 'A company’s numbers as CSV, for people who act for it, and administrators',
        tags: ['companies'],
        ...csvReader.schema,
      },
      validatorCompiler: csvReader.validatorCompiler,
    },
    async (request, reply) => {
      const read = csvReader.check(request)
      const { authorization } = request.headers
      const ctx = await contextOf({ authorization, network: networkOf(request.ip) })
      requireAccess(DASHBOARD_ACCESS, ctx.actor)
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

const settingsOf = ({ flags, ratingBatch }: FeatureConfig): DashboardSettings => ({
  hasJobs: flags.enableJobs,
  ratingsWait: ratingBatch > 1,
})

export const dashboard: Feature = {
  events: ({ config }) =>
    config.flags.enableDashboard
      ? [
          subscribe(CLAIM_APPROVED, ({ db, queue }, { companyId }) =>
            queue.enqueue(db, RELEASE_DASHBOARD_TASK, { companyId }),
          ),
        ]
      : [],
  routes({ http, bind, base, config, contextOf, htmlPage }) {
    const settings = settingsOf(config)
    bind(dashboardContract, dashboardHandlers(settings))
    if (config.flags.enableDashboard) serveDashboardCsv(http, contextOf, settings)
    registerNewsOff(http, { context: base, site: config, htmlPage })
  },
  tasks({ queue, base, config }) {
    const { now, secrets } = base
    queue.every('queue-company-news', DAY_MS, (db) => queueCompanyNews({ ...base, db }))
    const release = (db: Database, only?: string) =>
      releaseDashboards(
        { db, now, secrets },
        { minShown: config.minShown, ...settingsOf(config) },
        only,
      )
    if (config.flags.enableDashboard)
      queue.every('release-dashboards', HOUR_MS, (db) => release(db))
    // Also while the dashboard is off, for tasks from before.
    queue.handle(RELEASE_DASHBOARD_TASK, ({ companyId }, db) => release(db, companyId))
  },
  mails: [
    mailTask(COMPANY_NEWS_TASK, ({ base, auth, config }, mailer, news) => {
      const { enableDiscussions, enableCompanies: hasNotes } = config.flags
      // New threads are read on the company's page.
      const hasThreads = hasNotes && enableDiscussions
      return sendCompanyNews(base, mailer, { ...auth, hasThreads, hasNotes }, news)
    }),
  ],
}
