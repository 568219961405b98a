/** Binds the contract of ratings to queries and commands. */
import type { Handlers } from '#app/api/bind.server.ts'
import type { RatingSettings } from './publication.server.ts'
import type { RatingContract } from './rating.contract.ts'
import { findHelpful, removeRating } from './rating-commands.server.ts'
import { companyNotes, companyRatings, myRatings } from './rating-queries.server.ts'

export const ratingHandlers = (settings: RatingSettings): Handlers<RatingContract> => ({
  'GET /api/v1/companies/{id}/ratings': (ctx, { params }) =>
    companyRatings(ctx, params.id, settings),
  'GET /api/v1/companies/{id}/notes': (ctx, { params, query }) =>
    companyNotes(ctx, params.id, query),
  'GET /api/v1/my/ratings': (ctx) => myRatings(ctx),
  'DELETE /api/v1/companies/{id}/my-rating': (ctx, { params }) =>
    removeRating(ctx, params.id, settings),
  'PUT /api/v1/notes/{id}/helpful': (ctx, { params, body }) =>
    findHelpful(ctx, params.id, body.isHelpful, settings),
})
