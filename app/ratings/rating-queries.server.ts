/**
 * Reads ratings: everyone's from `public_ratings`, your own from `ratings`. We never send a tag. The finest time is
 * a month.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import {
  companyReplyOf,
  type RawCompanyReply,
  replyToNote,
} from '#app/community/replies/reply-queries.server.ts'
import { VERIFIED_MIN } from '#app/companies/badges/badge.ts'
import { isShown } from '#app/companies/badges/post-badges.server.ts'
import { BREAKDOWN_MIN } from '#app/companies/company.ts'
import { currentCompanyId, noCompany } from '#app/companies/merging/merged-companies.server.ts'
import {
  type Month,
  mergeMonths,
  numbersOf,
  safeParts,
} from '#app/companies/own-rating/rating-buckets.ts'
import { atMost, type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { monthForm, requireCursor, writeCursor } from '#app/platform/database/keyset.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { helpfulKey, ownHelpfulNotes } from './helpful-votes.server.ts'
import type { RatingByKey } from './presented/presented.contract.ts'
import { hasStars, isUnpublished, withShown } from './publication.server.ts'
import type { Helpful, MyRating, Note, RatingsView } from './rating.contract.ts'
import { type NoteSort, type Relation, weightOf } from './rating.ts'
import { ratedCompanies, ratingTag, tagsOf } from './rating-tag.server.ts'
import { average } from './score.server.ts'

const NOTES_PAGE = 20

/** Whether a row of `public_ratings` was given with a badge that we show. */
const isVerified = sql`(badge_domain is not null and ${isShown(sql`badge_domain`)})`

type RawMonth = Omit<Month, 'weight'> & { surgeSince: string | null }

/** Input of `shownMonths`. */
export const monthsOf = (companyId: Sql) => sql`
  (select coalesce(json_agg(json_build_object(
            'month', to_char(month, 'YYYY-MM'), 'ratings', ratings, 'tenths', tenths,
            'rto', rto, 'dei', dei, 'workLife', work_life, 'culture', culture,
            'surgeSince', surge_since)), '[]')
     from rating_months where company_id = ${companyId} and ratings > 0)`

/** A company's months with their weights. None as long as too few people have rated. */
function shownMonths(
  raw: readonly RawMonth[],
  { today, minShown }: { today: string; minShown: number },
) {
  const months = raw.map(({ surgeSince, ...month }) => ({
    ...month,
    weight: weightOf(surgeSince, today),
  }))
  const ratings = months.reduce((sum, month) => sum + month.ratings, 0)
  const isHeldBack = ratings < minShown
  return { ratings, isHeldBack, shown: isHeldBack ? [] : months }
}

/** @throws Refusal not-found */
export async function companyRatings(
  ctx: Pick<Ctx, 'db' | 'now'>,
  companyId: string,
  { minShown }: { minShown: number },
): Promise<RatingsView> {
  const today = todayOf(ctx)
  const month = today.slice(0, 7)
  const [found] = await ctx.db.query<{
    months: RawMonth[]
    parts: {
      relation: string | null
      era: string | null
      isVerified: boolean | null
      ratings: number
      score: number
    }[]
    office: { mean: number | null; ratings: number }
    formerIds: string[]
    /** The day in the current month. */
    surgeSince: string | null
  }>(
    sql`
    select ${monthsOf(sql`companies.id`)} as months,
           array(select id from company_merges where company_id = companies.id order by id) as "formerIds",
           (select surge_since::text from rating_months
             where company_id = companies.id and month = ${`${month}-01`}::date) as "surgeSince",
           parts.*
      from companies
     cross join lateral (
       select coalesce(json_agg(part) filter (where relation is not null or era is not null
                                                    or "isVerified"), '[]') as parts,
              json_build_object('mean', max(mean) filter (where is_all),
                'ratings', max(given) filter (where is_all)) as office
         from (select relation, era, is_verified as "isVerified", count(*)::integer as ratings,
                      avg(${average}::float8) as score, avg(office_days)::float8 as mean,
                      count(office_days) as given, grouping(relation, era, is_verified) = 7 as is_all
                 from (select *, ${isVerified} as is_verified
                         from public_ratings where company_id = companies.id) rating
                group by grouping sets ((relation), (era), (is_verified), ())) part) parts
     where id = ${currentCompanyId(companyId)}`,
    PREPARED,
  )
  if (!found) throw noCompany()
  const { ratings, shown, isHeldBack } = shownMonths(found.months, { today, minShown })
  const partsBy = (of: 'relation' | 'era') =>
    safeParts(
      found.parts.flatMap(({ ratings, score, ...part }) =>
        part[of] === null ? [] : [{ key: part[of], ratings, score }],
      ),
      isHeldBack ? 0 : ratings,
    )
  const verified = found.parts
    .filter(({ isVerified, ratings }) => isVerified && ratings >= VERIFIED_MIN)
    .map(({ ratings, score }) => ({ key: 'verified', ratings, score }))
  const [safe] = safeParts(verified, isHeldBack ? 0 : ratings)
  const { office } = found
  return {
    month,
    weight: weightOf(found.surgeSince, today),
    formerIds: found.formerIds,
    ...numbersOf(shown),
    ratings,
    isHeldBack: isHeldBack && ratings > 0,
    minShown,
    buckets: mergeMonths(shown),
    surgeSince: latestSurge(found.months, today),
    officeDays:
      office.mean !== null && office.ratings >= BREAKDOWN_MIN
        ? { mean: office.mean, ratings: office.ratings }
        : null,
    byRelation: partsBy('relation'),
    byEra: partsBy('era'),
    verified: safe ? { ratings: safe.ratings, score: safe.score } : null,
  }
}

/** First day of the latest surge that doesn't count in full yet. */
const latestSurge = (months: { surgeSince: string | null }[], today: string) =>
  months
    .map(({ surgeSince }) => surgeSince)
    .filter((day) => day !== null && weightOf(day, today) < weightOf(null, today))
    .toSorted()
    .at(-1) ?? null

/** "12 2026-03-01": helpful votes, and the month. */
const HELPFUL_FORM = /^\d{1,9} \d{4}-(0[1-9]|1[0-2])-01$/

/** We can't use `Order`, because one of these sorts by two columns. */
const NOTE_ORDERS = {
  newest: { by: sql`month`, descending: sql`month desc`, value: sql`month::text`, form: monthForm },
  helpful: {
    by: sql`helpful, month`,
    descending: sql`helpful desc, month desc`,
    value: sql`helpful || ' ' || month`,
    form: HELPFUL_FORM,
  },
}

interface NotesPage {
  after?: string | undefined
  sort?: NoteSort
  /** A public table. */
  table: Sql
  /** Besides the text, and what people made of it. */
  columns: Sql
  which: Sql
  isPrepared?: boolean
}

type Noted<Row> = Row & Pick<Note, 'id' | 'month' | 'html' | 'helpful' | 'companyReply'>

/**
 * If notes are equally helpful, the newest comes first. @param list names the list in page markers
 * @throws Refusal bad-request for another list's page marker
 */
export async function notesPage<Row>(
  db: Database,
  list: string,
  { after, sort = 'newest', table, columns, which, isPrepared = true }: NotesPage,
) {
  const { by, descending, value, form } = NOTE_ORDERS[sort]
  const order = sort === 'newest' ? list : `${list} ${sort}`
  const cursor = after === undefined ? undefined : requireCursor(after, order, form)
  const rows = await db.query<
    Noted<object> & { companyReply: RawCompanyReply | null; value: string }
  >(
    sql`
    select id, to_char(month, 'YYYY-MM') as month, note_html as html, helpful, ${columns},
           ${replyToNote(table)} as "companyReply", ${value} as value
      from ${table}
     where ${which} and note <> '' and note_hidden is null
           ${cursor ? sql`and (${by}, id) < (${valuesOf(cursor.value)}, ${cursor.id}::uuid)` : sql``}
     order by ${descending}, id desc limit ${atMost(NOTES_PAGE + 1)}`,
    { isPrepared },
  )
  const notes = rows.slice(0, NOTES_PAGE)
  const last = notes.at(-1)
  return {
    notes: notes.map(({ value, companyReply, ...note }) => ({
      ...note,
      companyReply: companyReplyOf(companyReply),
    })) as Noted<Row>[],
    next:
      rows.length > NOTES_PAGE && last
        ? writeCursor({ order, value: last.value, id: last.id })
        : null,
  }
}

interface NotesWanted {
  after?: string
  sort?: NoteSort
  relation?: Relation
  verified?: 'yes'
}

export const companyNotes = (
  { db }: Pick<Ctx, 'db'>,
  companyId: string,
  { relation, verified, ...page }: NotesWanted = {},
) =>
  notesPage<Note>(db, 'notes', {
    ...page,
    table: sql`public_ratings`,
    columns: sql`
      ${average}::float8 as average, rto, dei, work_life as "workLife", culture, relation,
      ${isVerified} as "isVerified"`,
    which: sql`
      company_id = ${currentCompanyId(companyId)}
           ${relation ? sql`and relation = ${relation}` : sql``}
           ${verified ? sql`and ${isVerified}` : sql``}`,
    isPrepared: relation === undefined && verified === undefined,
  })

/** The values that `by` is compared with. */
function valuesOf(value: string): Sql {
  const [month = '', helpful] = value.split(' ').reverse()
  return helpful === undefined ? sql`${month}::date` : sql`${helpful}::integer, ${month}::date`
}

/** The columns of `MyRating`, of `ratings rating`. */
export const myColumns = sql`
  rating.id, to_char(rating.month, 'YYYY-MM') as month, rating.rto, rating.dei,
  rating.work_life as "workLife", rating.culture, rating.office_days as "officeDays", rating.relation,
  rating.era, rating.note,
  coalesce((select note_hidden from public_ratings where id = rating.id), 'shown') as "noteState",
  case when rating.badge_domain is not null then json_build_object(
    'domain', rating.badge_domain, 'isShown', ${isShown(sql`rating.badge_domain`)}) end as badge`

/**
 * The rating that these tags find, and its public version. If there are several, from merged companies, the waiting
 * one or the newest. A removed rating is null, and waits until it's no longer public.
 */
export async function ratingByTags({ db }: Pick<Ctx, 'db'>, tags: string[]): Promise<RatingByKey> {
  const [found] = await db.query<{
    rating: MyRating | null
    published: RatingByKey['published']
    isUnpublished: boolean
    version: number
  }>(
    sql`
    select rating.version, case when ${hasStars} then (select to_json(mine) from (select ${myColumns}) mine) end as rating,
           case when shown.id is not null then json_build_object(
             'month', to_char(shown.month, 'YYYY-MM'), 'rto', shown.rto, 'dei', shown.dei,
             'workLife', shown.work_life, 'culture', shown.culture) end as published,
           ${isUnpublished} as "isUnpublished"
      from ${withShown}
     where rating.tag = any (${tags}::text[])
     order by ${hasStars} desc, ${isUnpublished} desc, rating.month desc, rating.merged_from nulls first limit 1`,
    PREPARED,
  )
  return found ?? { rating: null, published: null, isUnpublished: false, version: 0 }
}

/** The person's ratings of all companies under the account, and the notes they found helpful. */
export async function myRatings(ctx: Ctx) {
  const { account } = ctx.actor
  const root = rootOf(ctx)
  const ratings: (MyRating & { companyId: string })[] = []
  const helpful: Helpful[] = []
  for await (const companies of ratedCompanies(ctx)) {
    if (account)
      ratings.push(
        ...(await ctx.db.query<MyRating & { companyId: string }>(sql`
          select ${myColumns}, rating.company_id as "companyId" from ratings rating
           where tag = any (${companies.map((id) => ratingTag(ctx, account.id, id))}::text[]) and ${hasStars}
           order by rating.month desc, rating.merged_from nulls first`)),
      )
    if (root)
      helpful.push(
        ...(await ctx.db.query<Helpful>(sql`
          select rating_id as id, is_counted as "isCounted" from rating_votes
           where key = any (${companies.map((id) => helpfulKey(root, id))}::bytea[]) order by rating_id`)),
      )
  }
  return { ratings, helpful }
}

export async function ratingsExport(ctx: Ctx) {
  const { db, actor } = ctx
  const ratings: object[] = []
  if (actor.account)
    for await (const tags of tagsOf(ctx, actor.account.id))
      ratings.push(
        ...(await db.query<object>(sql`
          select company.name as company, company.id as "companyId",
                 to_char(rating.month, 'YYYY-MM') as month, rating.rto, rating.dei,
                 rating.work_life as "workLife", rating.culture,
                 rating.office_days as "officeDays", rating.relation,
                 rating.era, rating.note, shown.note_hidden as "noteHidden",
                 coalesce(shown.helpful, 0) as helpful, shown.id is not null as "isPublic"
            from ${withShown} join companies company on company.id = rating.company_id
           where tag = any(${tags}::text[]) and ${hasStars} order by company.id`)),
      )
  return { ratings, helpfulNotes: await ownHelpfulNotes(ctx) }
}

/** Ids of companies whose ratings show badges of these domains. */
export async function companiesWithBadges(db: Database, domains: string[]) {
  const companies = await db.query<{ id: string }>(sql`
    select distinct company_id as id from public_ratings where badge_domain = any (${domains}::text[])`)
  return companies.map(({ id }) => id)
}
