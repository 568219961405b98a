/** Reads of ratings. A tag never leaves; the finest time is a month. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { todayOf } from '../../server/days.server.ts'
import { monthForm, readCursor, writeCursor } from '../../server/keyset.server.ts'
import { badRequest, notFound } from '../../server/refusal.ts'
import { BREAKDOWN_MIN, COMPANY_NOT_FOUND } from '../companies/company.ts'
import { type RawReply, replyOf, replyToNote } from '../replies/reply-queries.server.ts'
import type { MyRating, Note, RatingsView } from './rating.contract.ts'
import { weightOf } from './rating.ts'
import { categoryScoreOf, type Month, mergeMonths, safeParts, scoreOf } from './rating-buckets.ts'

const NOTES_PAGE = 20

/** Mean of what one rating gives, to one decimal. Spec §5. */
const average = sql`
  round((coalesce(rto, 0) + coalesce(dei, 0) + coalesce(work_life, 0) + coalesce(culture, 0))::numeric
        / num_nonnulls(rto, dei, work_life, culture), 1)::float8`

/** @throws Refusal not-found */
export async function companyRatings(
  ctx: Pick<Ctx, 'db' | 'now'>,
  companyId: string,
  { minShown }: { minShown: number },
): Promise<RatingsView> {
  const [found] = await ctx.db.query<{
    months: (Omit<Month, 'weight'> & { surgeSince: string | null })[]
    parts: { relation: string | null; era: string | null; ratings: number; score: number }[]
    office: { mean: number | null; ratings: number }
  }>(
    sql`
    select (select coalesce(json_agg(json_build_object(
                'month', to_char(month, 'YYYY-MM'), 'ratings', ratings, 'tenths', tenths,
                'rto', rto, 'dei', dei, 'workLife', work_life, 'culture', culture,
                'surgeSince', surge_since)), '[]')
              from rating_months where company_id = companies.id and ratings > 0) as months,
           parts.*
      from companies
     cross join lateral (
       select coalesce(json_agg(part) filter (where relation is not null or era is not null), '[]')
                as parts,
              json_build_object('mean', max(mean) filter (where is_all),
                'ratings', max(given) filter (where is_all)) as office
         from (select relation, era, count(*)::integer as ratings, avg(${average}) as score,
                      avg(office_days)::float8 as mean, count(office_days) as given,
                      grouping(relation, era) = 3 as is_all
                 from ratings where company_id = companies.id
                group by grouping sets ((relation), (era), ())) part) parts
     where id = ${companyId}`,
    { name: 'ratings of a company' },
  )
  if (!found) throw notFound(COMPANY_NOT_FOUND)
  const today = todayOf(ctx)
  const months = found.months.map(({ surgeSince, ...month }) => ({
    ...month,
    weight: weightOf(surgeSince, today),
  }))
  const ratings = months.reduce((sum, month) => sum + month.ratings, 0)
  const isHeldBack = ratings < minShown
  const shown = isHeldBack ? [] : months
  const category = (key: 'rto' | 'dei' | 'workLife' | 'culture') => {
    const counts = shown.map((month) => ({ weight: month.weight, stars: month[key] }))
    return {
      score: categoryScoreOf(counts),
      stars: [0, 1, 2, 3, 4].map((i) =>
        counts.reduce((sum, { stars }) => sum + (stars[i] ?? 0), 0),
      ),
    }
  }
  const partsBy = (of: 'relation' | 'era') =>
    safeParts(
      found.parts.flatMap(({ ratings, score, ...part }) =>
        part[of] === null ? [] : [{ key: part[of], ratings, score }],
      ),
      isHeldBack ? 0 : ratings,
    )
  const { office } = found
  return {
    month: today.slice(0, 7),
    ratings,
    score: scoreOf(shown),
    isHeldBack: isHeldBack && ratings > 0,
    minShown,
    categories: {
      rto: category('rto'),
      dei: category('dei'),
      workLife: category('workLife'),
      culture: category('culture'),
    },
    buckets: mergeMonths(shown),
    surgeSince: latestSurge(found.months, today),
    officeDays:
      office.mean !== null && office.ratings >= BREAKDOWN_MIN
        ? { mean: office.mean, ratings: office.ratings }
        : null,
    byRelation: partsBy('relation'),
    byEra: partsBy('era'),
  }
}

/** The day since which a surge counts less, while it still does. */
const latestSurge = (months: { surgeSince: string | null }[], today: string) =>
  months
    .map(({ surgeSince }) => surgeSince)
    .filter((day) => day !== null && weightOf(day, today) < weightOf(null, today))
    .toSorted()
    .at(-1) ?? null

/** What raters wrote, newest month first. @throws Refusal bad-request for a foreign page marker */
export async function companyNotes({ db }: Ctx, companyId: string, after?: string) {
  const cursor = after === undefined ? undefined : readCursor(after, 'notes', monthForm)
  if (after !== undefined && !cursor)
    throw badRequest('This page marker does not belong to this list')
  const rows = await db.query<
    Omit<Note, 'companyReply'> & { companyReply: RawReply | null; value: string }
  >(sql`
    select id, to_char(month, 'YYYY-MM') as month, ${average} as average, rto, dei,
           work_life as "workLife", culture, relation, note_html as html, helpful,
           ${replyToNote} as "companyReply", month::text as value
      from ratings
     where company_id = ${companyId} and note <> '' and note_hidden is null
           ${cursor ? sql`and (month, id) < (${cursor.value}::date, ${cursor.id}::uuid)` : sql``}
     order by month desc, id desc limit ${NOTES_PAGE + 1}`)
  const notes = rows.slice(0, NOTES_PAGE)
  const last = notes.at(-1)
  return {
    notes: notes.map(({ value, companyReply, ...note }) => ({
      ...note,
      companyReply: replyOf(companyReply),
    })),
    next:
      rows.length > NOTES_PAGE && last
        ? writeCursor({ order: 'notes', value: last.value, id: last.id })
        : null,
  }
}

/** The columns of `MyRating`. */
export const myColumns = sql`
  id, to_char(month, 'YYYY-MM') as month, rto, dei, work_life as "workLife", culture,
  office_days as "officeDays", relation, era, note, coalesce(note_hidden, 'shown') as "noteState"`

/** The rating that a tag finds. */
export async function myRating({ db }: Pick<Ctx, 'db'>, tag: string): Promise<MyRating | null> {
  const [rating] = await db.query<MyRating>(
    sql`select ${myColumns} from ratings where tag = ${tag}`,
  )
  return rating ?? null
}

/** Which notes of a company the asking person found helpful. */
export async function helpfulNotes({ db, actor }: Ctx, companyId: string) {
  if (actor.authorKey === null) return []
  const rows = await db.query<{ id: string }>(sql`
    select rating.id from ratings rating
      join rating_votes vote on vote.rating_id = rating.id and vote.author_key = ${actor.authorKey}
     where rating.company_id = ${companyId}`)
  return rows.map(({ id }) => id)
}

export const canRate = ({ actor }: Ctx) => may.rate(actor)
