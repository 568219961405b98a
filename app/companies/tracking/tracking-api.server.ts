/** Binds the contract of tracking; nothing else. */
import type { Handlers } from '#app/api/bind.server.ts'
import { analytics, clicksPerDay } from './analytics-queries.server.ts'
import type { TrackingContract } from './tracking.contract.ts'
import type { Tracking } from './tracking.server.ts'
import { companyViews, newestInteractions } from './tracking-queries.server.ts'

export const trackingHandlers = (tracking: Tracking): Handlers<TrackingContract> => ({
  'POST /api/v1/interactions': async (ctx, { body }) => ({
    isCounted: await tracking.countClick(ctx, body.companyId),
  }),
  'GET /api/v1/company-views': (ctx, { query }) => companyViews(ctx, query.ids),
  'GET /api/v1/interactions': (ctx) => newestInteractions(ctx, tracking.pseudonymOfToday),
  'GET /api/v1/clicks': (ctx, { query }) => clicksPerDay(ctx, query.ids),
  'GET /api/v1/analytics': (ctx) => analytics(ctx),
})
