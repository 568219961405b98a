/** Binds the contract of ratings to queries and commands; each write is limited first. */
import type { Handlers } from '../../api/bind.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { Refusal } from '../../server/refusal.ts'
import type { RatingContract } from './rating.contract.ts'
import { findHelpful, rate, removeRating } from './rating-commands.server.ts'
import {
  canRate,
  companyNotes,
  companyRatings,
  helpfulNotes,
  myRating,
} from './rating-queries.server.ts'
import { ratingTag } from './rating-tag.server.ts'

/** Per person: uses in so many seconds. Nobody has worked at more places than this. */
const WRITES = { uses: 30, seconds: 600 }

export function ratingHandlers(settings: {
  hasRateLimits: boolean
  minShown: number
}): Handlers<RatingContract> {
  const writes = createRateLimit({ name: 'ratings', ...WRITES, isOn: settings.hasRateLimits })
  const limited = async (key: string | null) => {
    const wait = await writes.use(key ?? '')
    if (wait !== undefined)
      throw new Refusal('too-many', `That was often. Please wait ${wait} seconds.`)
  }
  return {
    'GET /api/v1/companies/{id}/ratings': (ctx, { params }) =>
      companyRatings(ctx, params.id, settings),
    'GET /api/v1/companies/{id}/notes': (ctx, { params, query }) =>
      companyNotes(ctx, params.id, query.after),
    'GET /api/v1/companies/{id}/my-rating': async (ctx, { params }) => {
      const { account } = ctx.actor
      return {
        rating: account && (await myRating(ctx, ratingTag(ctx, account.id, params.id))),
        helpful: await helpfulNotes(ctx, params.id),
        canRate: canRate(ctx),
      }
    },
    'PUT /api/v1/companies/{id}/my-rating': async (ctx, { params, body }) => {
      await limited(ctx.actor.authorKey)
      return rate(ctx, params.id, body, settings)
    },
    'DELETE /api/v1/companies/{id}/my-rating': async (ctx, { params }) => {
      await limited(ctx.actor.authorKey)
      return removeRating(ctx, params.id, settings)
    },
    'PUT /api/v1/notes/{id}/helpful': async (ctx, { params, body }) => {
      await limited(ctx.actor.authorKey)
      return findHelpful(ctx, params.id, body.isHelpful)
    },
  }
}
