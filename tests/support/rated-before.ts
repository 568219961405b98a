/** Ratings as they were given before they named nobody: under a tag of their account. They go on counting. */
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { withCurrentCompany } from '#app/companies/merging/merged-companies.server.ts'
import type { RatingSettings } from '#app/ratings/publication.server.ts'
import { changeRating, thisMonth } from '#app/ratings/rating-commands.server.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { ratingTag } from '#app/ratings/rating-tag.server.ts'

/** Of whoever asks; a second one changes the first. */
export const rate = (ctx: Ctx, companyId: string, rating: RatingInput, settings: RatingSettings) =>
  withCurrentCompany(ctx.db, companyId, (companyId) =>
    changeRating(
      ctx,
      {
        ...rating,
        companyId,
        month: thisMonth(ctx),
        tag: ratingTag(ctx, requireAccount(ctx).id, companyId),
        holder: null,
        badgeDomain: null,
        nth: 0,
      },
      settings,
    ),
  )
