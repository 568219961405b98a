import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { COMPANY_REPLY_CHANGED } from '#app/community/replies/reply-commands.server.ts'
import { BADGES_SHOWN } from '#app/companies/badges/post-badges.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { COMPANY_ROWS_MOVED } from '#app/companies/merging/merge-commands.server.ts'
import { companyIds } from '#app/companies/merging/merged-companies.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { serveCompanyCsv } from './company-csv.server.ts'
import { countAllHelpful } from './helpful-votes.server.ts'
import { type PresentedContract, presentedContract } from './presented/presented.contract.ts'
import { ratePresented, removeByKeys } from './presented/presented-commands.server.ts'
import { publishRatingsOfTheDay, type RatingSettings } from './publication.server.ts'
import { type RatingContract, ratingContract } from './rating.contract.ts'
import {
  forgetRater,
  removeRating,
  removeRatingsOf,
  voteHelpful,
} from './rating-commands.server.ts'
import { countRatingsOf } from './rating-counters.server.ts'
import { broadcastRatingChange, onRatingChange } from './rating-events.server.ts'
import {
  companiesWithBadges,
  companyNotes,
  companyRatings,
  myRatings,
  ratingByTags,
} from './rating-queries.server.ts'
import { tagsByKeys } from './rating-tag.server.ts'
import { ratingsCsv } from './ratings-csv.server.ts'
import { refreshSurges } from './score.server.ts'

/**
 * With a batch of one, each rating counts immediately, so the order of these rows would also reveal when someone
 * rated.
 */
const LIVE_NUMBERS = ['rating_months', 'company_stats']

export const ratingHandlers = (settings: RatingSettings): Handlers<RatingContract> => ({
  'GET /api/v1/companies/{id}/ratings': (ctx, { params }) =>
    companyRatings(ctx, params.id, settings),
  'GET /api/v1/companies/{id}/notes': (ctx, { params, query }) =>
    companyNotes(ctx, params.id, query),
  'GET /api/v1/my/ratings': (ctx) => myRatings(ctx),
  'DELETE /api/v1/companies/{id}/my-rating': (ctx, { params }) =>
    removeRating(ctx, params.id, settings),
  'PUT /api/v1/notes/{id}/helpful': (ctx, { params, body }) =>
    voteHelpful(ctx, params.id, body.isHelpful, settings),
})

export const presentedHandlers = (
  issuer: Issuer,
  settings: RatingSettings,
): Handlers<PresentedContract> => ({
  'PUT /api/v1/companies/{id}/presented-rating': (ctx, { params, body }) =>
    ratePresented(ctx, { ...body, companyId: params.id }, issuer, settings),
  'POST /api/v1/companies/{id}/rating-by-key': async (ctx, { params, body }) => {
    const { id } = await companyIds(ctx.db, params.id)
    return ratingByTags(ctx, await tagsByKeys(ctx, id, body.keys))
  },
  'POST /api/v1/companies/{id}/rating-by-key/remove': (ctx, { params, body }) =>
    removeByKeys(ctx, params.id, body, settings),
})

export const ratings: Feature = {
  events: ({ config }) => [
    subscribe(COMPANY_DELETED, async (ctx, { companyId }) => ({
      ratings: await removeRatingsOf(ctx, companyId),
    })),
    subscribe(COMPANY_ROWS_MOVED, (ctx, { companyIds }) =>
      countRatingsOf(ctx.db, companyIds, { minShown: config.minShown, today: todayOf(ctx) }),
    ),
    subscribe(BADGES_SHOWN, async ({ db }, { domains }) => {
      for (const id of await companiesWithBadges(db, domains)) broadcastRatingChange(db, id)
    }),
    subscribe(COMPANY_REPLY_CHANGED, ({ db }, { companyId, threadId }) => {
      if (!threadId) broadcastRatingChange(db, companyId)
    }),
  ],
  async routes({ http, bind, db, reading, config, forgetPages, issuer }) {
    bind(ratingContract, ratingHandlers(config))
    bind(presentedContract, presentedHandlers(issuer, config))
    if (config.flags.enableCompanies)
      serveCompanyCsv(http, reading, {
        name: 'ratings',
        summary: 'The counts behind a company’s score, as CSV',
        csvOf: async (id) => ratingsCsv((await companyRatings(reading, id, config)).buckets),
      })
    await onRatingChange(db, forgetPages)
  },
  nightly({ base, db, config }) {
    const { ratingBatch, minShown } = config
    return [
      { name: 'publish ratings', run: () => publishRatingsOfTheDay(base, config) },
      {
        name: 'refresh surges',
        run: () => refreshSurges(db, { today: todayOf(base), minShown }),
      },
      { name: 'count helpful votes', run: () => countAllHelpful(db) },
      // Keeps a company's rows together, so its page reads few blocks. Which company a rating is about is no
      // secret.
      ...['ratings', 'public_ratings', ...(ratingBatch === 1 ? LIVE_NUMBERS : [])].map((name) => ({
        name: `reorder ${name}`,
        run: () => reorderTable(db, name, { beside: 'company_id' }),
      })),
      { name: 'reorder rating_votes', run: () => reorderTable(db, 'rating_votes') },
    ]
  },
  async forget({ accountId, posts }, { base, config }) {
    if (accountId) await forgetRater(base, { accountId, posts }, config)
  },
}
