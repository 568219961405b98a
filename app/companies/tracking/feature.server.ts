import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { dayOf, HOUR_MS } from '#app/platform/days.server.ts'
import { countDays } from './daily-count-task.server.ts'
import { type TrackingContract, trackingContract } from './tracking.contract.ts'
import { createTracking, registerViews, type Tracking } from './tracking.server.ts'
import { serveTrackingFiles } from './tracking-files.server.ts'
import {
  analytics,
  clicksPerDay,
  companyViews,
  newestInteractions,
} from './tracking-queries.server.ts'
import { DAY_KEY, forgetDayKeys } from './visitor-marks.server.ts'

export const trackingHandlers = (tracking: Tracking): Handlers<TrackingContract> => ({
  'POST /api/v1/interactions': async (ctx, { body }) => ({
    isCounted: await tracking.countClick(ctx, body.companyId),
  }),
  'GET /api/v1/company-views': (ctx, { query }) => companyViews(ctx, query.ids),
  'GET /api/v1/interactions': (ctx) => newestInteractions(ctx, tracking.pseudonymOfToday),
  'GET /api/v1/clicks': (ctx, { query }) => clicksPerDay(ctx, query.ids),
  'GET /api/v1/analytics': (ctx) => analytics(ctx),
})

export const tracking: Feature = {
  sealed: [DAY_KEY],
  routes({ http, bind, base, config, contextOf, services }) {
    const tracking = createTracking(base, {
      hasRateLimits: config.hasRateLimits,
      onFailure: () =>
        http.log.warn('The database didn’t answer, so we’ll store views and clicks later'),
    })
    services.push(tracking)
    bind(trackingContract, trackingHandlers(tracking))
    if (config.flags.enableCompanies) registerViews(http, tracking, contextOf)
    serveTrackingFiles(http, contextOf)
  },
  tasks({ queue, base: { now }, config }) {
    queue.every('count-days', HOUR_MS, (db) =>
      countDays({ db, now }, { ratingsWait: config.ratingBatch > 1 }),
    )
    queue.every('forget-interaction-keys', HOUR_MS, async (db) => {
      await forgetDayKeys(db, dayOf(now()))
    })
  },
}
