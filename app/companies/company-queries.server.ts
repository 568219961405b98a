/** Views of companies contain only what everyone may see, so no view counts. */

import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { uuidOf } from '#app/api/schemas.ts'
import { foldText, slugKey } from '#app/kit/writing/text.ts'
import { atMost, PREPARED } from '#app/platform/database/database.server.ts'
import {
  afterCursor,
  momentForm,
  type Order,
  writeCursor,
} from '#app/platform/database/keyset.server.ts'
import type { CompanyPageView, CompanyView, ComparedCompany } from './company.contract.ts'
import {
  BREAKDOWN_MIN,
  type CompanyFilters,
  type CompanySort,
  companySort,
  referencesIn,
  SIMILAR_COMPANIES,
  searchedText,
  TRENDING_BADGES,
} from './company.ts'
import { FACT_FIELDS, type FactField } from './edits/company-facts.ts'
import { currentCompanyId, noCompany } from './merging/merged-companies.server.ts'
import { matchOf } from './search/company-match.ts'
import { findCompanies } from './search/company-search.server.ts'

/** Row `p` of `company_policies`. */
const policyJson = sql`json_build_object(
  'mode', p.mode, 'days', p.days, 'since', to_char(p.since, 'YYYY-MM'), 'source', p.source)`

/** The latest policy, or null. @param company a table or alias with an id */
export const policyOf = (company: Sql) => sql`(
  select ${policyJson} from company_policies p
   where p.company_id = ${company}.id order by p.id desc limit 1)`

/** What raters report. */
const officeDaysOf = (company: Sql) => sql`(
  select case when count(office_days) >= ${BREAKDOWN_MIN}
           then json_build_object('mean', avg(office_days)::float8, 'ratings', count(office_days)) end
    from public_ratings where company_id = ${company}.id)`

/** The quartiles around what people earn there, of the last year with public numbers. */
const payOf = (company: Sql) => sql`(
  select json_build_object('year', year, 'currency', currency, 'from', quartiles -> 'total' -> 0,
                           'to', quartiles -> 'total' -> 2)
    from pay_cells where company_id = ${company}.id and title is null
   order by year desc, entries desc, currency limit 1)`

/**
 * Trending companies are ordered by views (Spec §7.2), then by recent comments, threads and published raters. The
 * index has the same expression.
 */
const trendOf = (stats: Sql) =>
  sql`array[${stats}.views, ${stats}.recent_comments, ${stats}.threads, ${stats}.ratings]`

/** Whether the company has views and is among the first in that order. */
const isTrending = sql`s.views > 0 and ${trendOf(sql`s`)} >= coalesce((
  select ${trendOf(sql`other`)} from company_stats other
   order by ${trendOf(sql`other`)} desc offset ${atMost(TRENDING_BADGES - 1)} limit 1), '{0}')`

/** A list row of `c` (a company) and `s` (its counters). */
const listColumns = sql`
  c.id, c.slug, c.name, c.category, c.description, c.logo_url as "logoUrl", c.demo,
  nullif(s.score, 0) as rating, s.threads as "threadCount", s.comments as "commentCount",
  s.recent_comments as "recentCommentCount", ${isTrending} as trending`

const companiesWithStats = sql`companies c join company_stats s on s.company_id = c.id`

/** Most viewed first. Spec §7.2. */
export const trendingCompanies = (ctx: Ctx, limit: number) =>
  ctx.db.query<CompanyView>(
    sql`
    select ${listColumns} from ${companiesWithStats}
     order by ${trendOf(sql`s`)} desc, s.company_id desc limit ${atMost(limit)}`,
    PREPARED,
  )

/** Newest first. Spec §7.2. */
export const recentCompanies = (ctx: Ctx, limit: number) =>
  ctx.db.query<CompanyView>(
    sql`
    select ${listColumns} from ${companiesWithStats}
     order by c.created_at desc, c.id desc limit ${atMost(limit)}`,
    PREPARED,
  )

/** Rated companies only, best first. Spec §7.2. */
export const highestRatedCompanies = (ctx: Ctx, limit: number) =>
  ctx.db.query<CompanyView>(
    sql`
    select ${listColumns} from ${companiesWithStats}
     where s.score > 0 order by s.score desc, s.company_id desc limit ${atMost(limit)}`,
    PREPARED,
  )

export const companyCategories = (ctx: Ctx) =>
  ctx.db.query<{ name: string; companies: number }>(
    sql`select name, companies from categories order by name`,
    PREPARED,
  )

const columnOf = (field: FactField) =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Columns of `companies` and the fields they hold, in the same order. */
export const FACT_COLUMNS = FACT_FIELDS.map((field) => ({ field, column: columnOf(field) }))

export const factsOf = (company: string) =>
  raw(FACT_COLUMNS.map(({ field, column }) => `${company}.${column} as "${field}"`).join(', '))

const pageColumns = sql`${listColumns}, c.website, c.created_at as "createdAt", s.ratings,
  ${factsOf('c')},
  json_build_object(
    'rto', s.rto, 'dei', s.dei, 'workLife', s.work_life,
    'culture', s.culture) as "categoryRatings",
  coalesce((select json_agg(${policyJson} order by p.id desc)
              from company_policies p where p.company_id = c.id), '[]') as "policyHistory",
  ${officeDaysOf(sql`c`)} as "officeDays", ${payOf(sql`c`)} as pay`

/** For a merged company, returns the one it's part of now, as `id` shows. @throws Refusal not-found */
export const companyById = (ctx: Ctx, id: string) => companyPage(ctx, currentCompanyId(id))

/**
 * Finds a company by current slug, former slug, or name with hyphens for spaces (Spec §2.1). The result's `slug` is the
 * current one.
 * @throws Refusal not-found
 */
export function companyBySlug(ctx: Ctx, slug: string) {
  const name = foldText(slug).replaceAll('-', ' ')
  return companyPage(
    ctx,
    sql`coalesce(${companyAt(slug)},
      (select id from companies where name_key = ${name} order by id limit 1))`,
  )
}

/** The id for a current or former slug: as given, as today's rule spells it, or with accents removed as in the past. */
const companyAt = (slug: string) =>
  join(
    [...new Set([slug, slugKey(slug), foldText(slug)])].map(
      (key) => sql`coalesce((select id from companies where slug = ${key}),
                            (select company_id from company_old_slugs where slug = ${key}))`,
    ),
    ', ',
    'coalesce(',
    ')',
  )

/** The id for a company's id or slug, also one from before a merge or rename. */
export function companyIdAt(reference: string): Sql {
  const id = uuidOf(reference)
  return id ? currentCompanyId(id) : companyAt(reference)
}

/** How many alphabetical neighbors on each side we choose the similar companies from. */
const SIMILAR_SAMPLE = 40

/**
 * The company and similar ones in one query. Similar companies are the most discussed of its alphabetical neighbors,
 * because a category may have a hundred thousand companies, and we don't need the very best four. A made-up company and a
 * real one are never similar, and there are too few made-up ones for categories.
 */
async function companyPage(ctx: Ctx, id: Sql): Promise<CompanyPageView> {
  const neighbors = (side: Sql, direction: Sql) => sql`
    (select * from companies near
      where near.category = c.category and not near.demo and not c.demo and (near.name_key, near.id) ${side} (c.name_key, c.id)
      order by near.name_key ${direction}, near.id ${direction} limit ${atMost(SIMILAR_SAMPLE)})`
  const [company] = await ctx.db.query<CompanyPageView>(
    sql`
    select ${pageColumns}, (
        select coalesce(json_agg(neighbor), '[]') from (
          select ${listColumns} from (
            ${neighbors(sql`>`, sql`asc`)} union all ${neighbors(sql`<`, sql`desc`)} union all
            (select * from companies near where near.demo and c.demo and near.id <> c.id
              limit ${atMost(SIMILAR_SAMPLE)})
          ) c join company_stats s on s.company_id = c.id
          order by s.threads desc, s.views desc, s.company_id desc limit ${atMost(SIMILAR_COMPANIES)}
        ) neighbor) as "similar"
      from ${companiesWithStats} where c.id = ${id}`,
    PREPARED,
  )
  if (!company) throw noCompany()
  return { ...company, policy: company.policyHistory[0] ?? null }
}

interface CompanyListQuery extends CompanyFilters {
  search?: string
  sort?: CompanySort
  after?: string
  limit: number
}

const ORDERS: Record<CompanySort, Order> = {
  'best-match': {
    name: 'best-match',
    column: sql`found.position`,
    id: sql`s.company_id`,
    isAscending: true,
    cast: sql`bigint`,
    form: /^\d{1,4}$/,
  },
  trending: {
    name: 'trending',
    column: trendOf(sql`s`),
    id: sql`s.company_id`,
    cast: sql`bigint[]`,
    form: /^\{\d{1,18}(,\d{1,9}){3}\}$/,
  },
  newest: {
    name: 'newest',
    column: sql`c.created_at`,
    id: sql`c.id`,
    cast: sql`timestamptz`,
    form: momentForm,
  },
  'highest-rated': {
    name: 'highest-rated',
    column: sql`s.score`,
    id: sql`s.company_id`,
    cast: sql`float8`,
    form: /^\d(\.\d{1,17})?$/,
  },
  'most-discussed': {
    name: 'most-discussed',
    column: sql`s.threads`,
    id: sql`s.company_id`,
    cast: sql`integer`,
    form: /^\d{1,9}$/,
  },
  'a-z': {
    name: 'a-z',
    column: sql`c.name_key`,
    id: sql`c.id`,
    isAscending: true,
    cast: sql`text`,
    // A name of accents alone has an empty key.
    form: /^[^\0]{0,500}$/s,
  },
}

/** How many matches we find and sort. If there are more, the total says "more than". */
const COUNT_MAX = 1_000

/**
 * By default, we sort a search by best match and a list by age. Spec §7.2. @throws Refusal bad-request for another
 * order's cursor
 */
export async function listCompanies(ctx: Ctx, query: CompanyListQuery) {
  const text = searchedText(query.search ?? '')
  const filters = filtersOf(query)
  const sort = companySort({ search: text, sort: query.sort }, 'newest')
  const { column, id, isAscending } = ORDERS[sort]
  const after =
    query.after === undefined ? empty : sql`and ${afterCursor(query.after, ORDERS[sort])}`

  const found = text
    ? await findCompanies(ctx, text, {
        limit: COUNT_MAX + 1,
        category: query.category || undefined,
      })
    : undefined
  const ids = found?.slice(0, COUNT_MAX).map(({ id }) => id)
  const matching = (tables: Sql) => sql`${tables}
      ${ids ? sql`join unnest(${ids}::uuid[]) with ordinality found(id, position) on found.id = c.id` : empty}
     where ${join([sql`true`, ...filters], ' and ')}`
  const direction = isAscending ? sql`asc` : sql`desc`
  // Filters and searches leave few or many rows, so PostgreSQL plans them each time.
  const isPrepared = filters.length === 0 && !ids
  const rows = await ctx.db.query<CompanyView & { sortValue: string; aliases: string[] }>(
    sql`
    select ${listColumns}, c.aliases, ${column}::text as "sortValue" from ${matching(companiesWithStats)} ${after}
     order by ${column} ${direction}, ${id} ${direction} limit ${atMost(query.limit + 1)}`,
    { isPrepared },
  )

  const page = rows.slice(0, query.limit)
  const reasons = new Map(found?.map((each) => [each.id, each]))
  const companies = page.map(({ sortValue, aliases, ...company }) => {
    const reason = reasons.get(company.id)
    return { ...company, match: reason ? matchOf({ ...company, aliases }, reason, text) : null }
  })
  const last = page.at(-1)
  const next =
    rows.length > query.limit && last
      ? writeCursor({ order: sort, value: last.sortValue, id: last.id })
      : null

  const isNarrow = filters.length > 0
  // We join counters only if a filter needs them.
  const counted = query.rated || query.discussed ? companiesWithStats : sql`companies c`
  const total =
    found && !isNarrow
      ? found.length
      : await countCompanies(ctx, isNarrow ? matching(counted) : undefined)
  // The filters only saw the first matches of a larger search.
  const totalIsExact =
    (found === undefined || found.length <= COUNT_MAX) && (total <= COUNT_MAX || !isNarrow)
  return { companies, next, total: totalIsExact ? total : Math.min(total, COUNT_MAX), totalIsExact }
}

/** Conditions on `c` (a company) and `s` (its counters). */
function filtersOf({ category, rated, discussed, policy, country }: CompanyFilters): Sql[] {
  const filters: [unknown, Sql][] = [
    [category, sql`c.category = ${category}`],
    [rated, sql`s.score > 0`],
    [discussed, sql`s.threads > 0`],
    [country, sql`c.country = ${country}`],
    [
      policy,
      sql`c.id in (
        select company_id from (
          select distinct on (company_id) company_id, mode from company_policies
           order by company_id, id desc) latest
         where mode = ${policy})`,
    ],
  ]
  return filters.flatMap(([isWanted, filter]) => (isWanted ? [filter] : []))
}

/** Counts companies. With a filter, it stops at one more than is shown. */
async function countCompanies(ctx: Ctx, from: Sql | undefined) {
  const [counted] = await ctx.db.query<{ total: number }>(
    from
      ? sql`select count(*) as total from (select from ${from} limit ${COUNT_MAX + 1}) matches`
      : sql`select coalesce(sum(companies), 0) as total from categories`,
    { isPrepared: from === undefined },
  )
  return counted?.total ?? 0
}

/** @param text slugs (also former ones) or ids, separated by commas. Only the first four count */
export async function compareCompanies({ db }: Ctx, text: string) {
  const references = referencesIn(text)
  if (references.length === 0) return { companies: [], unknown: [] }
  const ids = references.map((reference, i) => sql`(${i}::int, ${companyIdAt(reference)})`)
  const rows = await db.query<ComparedCompany & { at: number }>(sql`
    select ref.at, ${listColumns}, ${factsOf('c')}, s.ratings,
           json_build_object('rto', s.rto, 'dei', s.dei, 'workLife', s.work_life,
                             'culture', s.culture) as "categoryRatings",
           ${policyOf(sql`c`)} as policy,
           ${officeDaysOf(sql`c`)} as "officeDays"
      from (values ${join(ids)}) as ref(at, id)
      join ${companiesWithStats} on c.id = ref.id
     order by ref.at`)
  const found = new Set(rows.map(({ at }) => at))
  const seen = new Set<string>()
  return {
    // A slug and an id may lead to the same company.
    companies: rows.filter(({ id }) => !seen.has(id) && seen.add(id)).map(({ at, ...row }) => row),
    unknown: references.filter((_, i) => !found.has(i)),
  }
}
