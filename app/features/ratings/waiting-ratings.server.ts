/** One's own ratings that nobody else can see yet, so that one sees the numbers with them. */
import sql from 'sql-template-tag'
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { requireAccount } from '../../auth/require.server.ts'
import { PREPARED } from '../../server/database.server.ts'
import { todayOf } from '../../server/days.server.ts'
import { mergedInto } from '../companies/merging/merged-companies.server.ts'
import type {
  OwnRatingContract,
  WaitingRating,
} from '../companies/own-rating/own-rating.contract.ts'
import { mergeMonths, type OneRating } from '../companies/own-rating/rating-buckets.ts'
import { hasStars, isWaiting, type RatingSettings, withShown } from './publication.server.ts'
import { tenthsOf, weightOf } from './rating.ts'
import { monthsOf, shownMonths } from './rating-queries.server.ts'
import { ratingTag } from './rating-tag.server.ts'

export const waitingRatingHandlers = (settings: RatingSettings): Handlers<OwnRatingContract> => ({
  'GET /api/v1/my/waiting-ratings': async (ctx, { query }) => ({
    waiting: await waitingRatings(ctx, await ownTags(ctx, query.companies.split(',')), settings),
  }),
})

type Version = Omit<OneRating, 'weight' | 'tenths'> & { surgeSince: string | null }
type Row = {
  companyId: string
  months: Parameters<typeof shownMonths>[0]
  published: Version | null
  current: Version | null
}

/** @throws Refusal sign-in-required */
async function ownTags(ctx: Ctx, companyIds: string[]) {
  const { id: account } = requireAccount(ctx)
  const former = await mergedInto(ctx.db, companyIds)
  return [...companyIds, ...former.map(({ id }) => id)].map((id) => ratingTag(ctx, account, id))
}

/** Of the ratings with these tags, those that are not public as they stand. */
export async function waitingRatings(
  ctx: Pick<Ctx, 'db' | 'now'>,
  tags: string[],
  { minShown }: Pick<RatingSettings, 'minShown'>,
): Promise<WaitingRating[]> {
  const rows = await ctx.db.query<Row>(
    sql`
    select rating.company_id as "companyId", ${monthsOf(sql`rating.company_id`)} as months,
           case when shown.id is not null then ${versionOf('shown')} end as published,
           case when ${hasStars} then ${versionOf('rating')} end as current
      from ${withShown} where rating.tag = any (${tags}::text[]) and ${isWaiting}
     order by rating.merged_from nulls first`,
    PREPARED,
  )
  const today = todayOf(ctx)
  const counted = (version: Version | null) => {
    if (!version) return null
    const { surgeSince, ...one } = version
    return { ...one, weight: weightOf(surgeSince, today), tenths: tenthsOf(one) }
  }
  return rows.map(({ companyId, months, published, current }) => {
    const { ratings, shown } = shownMonths(months, { today, minShown })
    return {
      companyId,
      minShown,
      ratings,
      buckets: mergeMonths(shown),
      published: counted(published),
      current: counted(current),
    }
  })
}

const versionOf = (of: 'shown' | 'rating') => {
  const row = of === 'shown' ? sql`shown` : sql`rating`
  return sql`
    json_build_object('month', to_char(${row}.month, 'YYYY-MM'), 'rto', ${row}.rto, 'dei', ${row}.dei,
      'workLife', ${row}.work_life, 'culture', ${row}.culture,
      'surgeSince', (select surge_since from rating_months
                      where company_id = ${row}.company_id and month = ${row}.month))`
}
