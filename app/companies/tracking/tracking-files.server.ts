/** Analytics as CSV, for administrators. */
import type { FastifyInstance } from 'fastify'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccess } from '#app/api/policy.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import { csvText } from '#app/platform/csv.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import { countText, DAILY, type Period } from './day-count.ts'
import type { Analytics } from './tracking.contract.ts'
import { ACCESS_DENIED } from './tracking.ts'
import { analytics, clicksOfAll } from './tracking-queries.server.ts'

/** A row per number, with days, weeks and months in one file. */
function analyticsCsv({ days, signUps, ratings }: Analytics): string {
  const rows = (per: Period, what: string, counts: { from: string; n: number | null }[]) =>
    counts.map(({ from, n }) => [per, from, what, n ?? countText(n)])
  return csvText([
    ['period', 'from', 'what', 'count'],
    ...DAILY.flatMap((what) =>
      rows(
        'day',
        what,
        days.map((day) => ({ from: day.day, n: day[what] })),
      ),
    ),
    ...rows('week', 'sign-ups', signUps),
    ...rows('month', 'ratings', ratings),
  ])
}

/** Spec §6, §8. */
const FOR_TRACKING = {
  access: 'admin',
  refusal: { forbidden: ACCESS_DENIED.description },
} as const

const reader = requestReader({})

/** Mounts `GET /api/v1/analytics.csv` and `GET /api/v1/clicks.csv`. */
export function serveTrackingFiles(
  app: FastifyInstance,
  contextOf: (identity: RequestIdentity) => Promise<Ctx>,
) {
  const serve = (name: string, summary: string, write: (ctx: Ctx) => Promise<string>) =>
    app.get(
      `/api/v1/${name}.csv`,
      { schema: { summary, tags: [name] } },
      async (request, reply) => {
        const { authorization } = request.headers
        const ctx = await contextOf({ authorization, network: networkOf(request.ip) })
        requireAccess(FOR_TRACKING, ctx.actor)
        reader.read(request)
        const text = await write(ctx)
        return reply
          .header('cache-control', 'no-store')
          .header('content-disposition', `attachment; filename="${name}.csv"`)
          .type('text/csv; charset=utf-8; header=present')
          .send(text)
      },
    )
  serve('analytics', 'Numbers per day, week and month, as CSV', async (ctx) =>
    analyticsCsv(await analytics(ctx)),
  )
  serve('clicks', 'Clicks per company and day, as CSV', async (ctx) =>
    csvText([
      ['day', 'company', 'clicks'],
      ...(await clicksOfAll(ctx)).map(({ day, company, n }) => [day, company, n]),
    ]),
  )
}
