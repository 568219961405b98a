/** Binds the contract of presented ratings to queries and commands. */
import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { companyIds } from '#app/companies/merging/merged-companies.server.ts'
import { heldTags } from '../held-tags.server.ts'
import type { RatingSettings } from '../publication.server.ts'
import { ratingByTags } from '../rating-queries.server.ts'
import type { PresentedContract } from './presented.contract.ts'
import { ratePresented, removeHeld } from './presented-commands.server.ts'

export const presentedHandlers = (
  issuer: Issuer,
  settings: RatingSettings,
): Handlers<PresentedContract> => ({
  'PUT /api/v1/companies/{id}/presented-rating': (ctx, { params, body }) =>
    ratePresented(ctx, { ...body, companyId: params.id }, issuer, settings),
  'POST /api/v1/companies/{id}/held-rating': async (ctx, { params, body }) => {
    const { id } = await companyIds(ctx.db, params.id)
    return ratingByTags(ctx, await heldTags(ctx, id, body.keys))
  },
  'POST /api/v1/companies/{id}/held-rating/remove': (ctx, { params, body }) =>
    removeHeld(ctx, params.id, body.keys, settings),
})
