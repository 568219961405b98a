/** One's own rating that nobody else can see yet, so that one sees the numbers with it. */
import sql from 'sql-template-tag'
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { PREPARED } from '../../server/database.server.ts'
import { todayOf } from '../../server/days.server.ts'
import { notFound } from '../../server/refusal.ts'
import { COMPANY_NOT_FOUND, tenthsOf } from '../companies/company.ts'
import { companyIds } from '../companies/merging/merged-companies.server.ts'
import type {
  HeldNumbers,
  HeldNumbersContract,
} from '../companies/own-rating/own-rating.contract.ts'
import { mergeMonths, type OneRating } from '../companies/own-rating/rating-buckets.ts'
import { heldTags } from './held-tags.server.ts'
import { hasStars, isWaiting, type RatingSettings } from './publication.server.ts'
import { weightOf } from './rating.ts'
import { monthsOf, shownMonths } from './rating-queries.server.ts'

export const heldNumbersHandlers = (settings: RatingSettings): Handlers<HeldNumbersContract> => ({
  'POST /api/v1/companies/{id}/held-rating/numbers': async (ctx, { params, body }) => {
    const { id } = await companyIds(ctx.db, params.id)
    return heldNumbers(ctx, id, await heldTags(ctx, id, body.keys), settings)
  },
})

type Version = Omit<OneRating, 'weight' | 'tenths'> & { surgeSince: string | null }
type Row = {
  months: Parameters<typeof shownMonths>[0]
  published: Version | null
  current: Version | null
  isWaiting: boolean
  /** Of the present month. */
  surgeSince: string | null
}

/**
 * Of the rating with one of these tags, waiting or not; without one, of nobody.
 * @throws Refusal not-found without the company
 */
export async function heldNumbers(
  ctx: Pick<Ctx, 'db' | 'now'>,
  companyId: string,
  tags: string[],
  { minShown }: Pick<RatingSettings, 'minShown'>,
): Promise<HeldNumbers> {
  const today = todayOf(ctx)
  const month = today.slice(0, 7)
  const [row] = await ctx.db.query<Row>(
    sql`
    select ${monthsOf(sql`companies.id`)} as months,
           ${versions}, ${isWaiting} as "isWaiting",
           (select surge_since::text from rating_months
             where company_id = companies.id and month = ${`${month}-01`}::date) as "surgeSince"
      from companies
      left join ratings rating on rating.company_id = companies.id and rating.tag = any (${tags}::text[])
      left join public_ratings shown on shown.id = rating.id
     where companies.id = ${companyId}
     order by ${isWaiting} desc, rating.merged_from nulls first limit 1`,
    PREPARED,
  )
  if (!row) throw notFound(COMPANY_NOT_FOUND)
  const { ratings, shown } = shownMonths(row.months, { today, minShown })
  const counted = (version: Version | null) => {
    if (!version) return null
    const { surgeSince, ...one } = version
    return { ...one, weight: weightOf(surgeSince, today), tenths: tenthsOf(one) }
  }
  return {
    companyId,
    minShown,
    ratings,
    buckets: mergeMonths(shown),
    published: counted(row.published),
    current: counted(row.current),
    isWaiting: row.isWaiting,
    month,
    weight: weightOf(row.surgeSince, today),
  }
}

const versionOf = (of: 'shown' | 'rating') => {
  const row = of === 'shown' ? sql`shown` : sql`rating`
  return sql`
    json_build_object('month', to_char(${row}.month, 'YYYY-MM'), 'rto', ${row}.rto, 'dei', ${row}.dei,
      'workLife', ${row}.work_life, 'culture', ${row}.culture,
      'surgeSince', (select surge_since from rating_months
                      where company_id = ${row}.company_id and month = ${row}.month))`
}

/** As everybody sees it, and as it was given last. */
const versions = sql`
  case when shown.id is not null then ${versionOf('shown')} end as published,
  case when ${hasStars} then ${versionOf('rating')} end as current`
