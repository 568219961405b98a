/** Reads of companies. Each select is a view of what may be seen: view counts are not. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { type CursorForm, momentForm, readCursor, writeCursor } from '../../server/keyset.server.ts'
import { badRequest, notFound } from '../../server/refusal.ts'
import type { CompanyPageView, CompanyView } from './company.contract.ts'
import {
  COMPANY_NOT_FOUND,
  type CompanySort,
  foldText,
  SIMILAR_COMPANIES,
  TRENDING_BADGES,
} from './company.ts'
import { policyJson } from './edits/policy-queries.server.ts'
import { planSearch } from './search/company-sample.server.ts'
import {
  byName,
  countMatches,
  firstMatches,
  type SearchOrder,
} from './search/company-search.server.ts'

/** A company wears the badge when it has views and is among the most viewed. */
const isTrending = sql`s.views >= greatest(1, (
  select views from company_stats order by views desc offset ${TRENDING_BADGES - 1} limit 1))`

/** As a list shows it; of `c`, a company, and `s`, its counters. */
export const listColumns = sql`
  c.id, c.slug, c.name, c.category, c.description, c.logo_url as "logoUrl", c.demo,
  nullif(s.score, 0) as rating, s.threads as "threadCount", s.comments as "commentCount",
  s.recent_comments as "recentCommentCount", ${isTrending} as trending`

export const companiesWithStats = sql`companies c join company_stats s on s.company_id = c.id`

/** Most viewed first. Spec §7.2. */
export const trendingCompanies = (ctx: Ctx, limit: number) =>
  ctx.db.query<CompanyView>(sql`
    select ${listColumns} from ${companiesWithStats}
     order by s.views desc, s.company_id desc limit ${limit}`)

/** Newest first. Spec §7.2. */
export const recentCompanies = (ctx: Ctx, limit: number) =>
  ctx.db.query<CompanyView>(sql`
    select ${listColumns} from ${companiesWithStats}
     order by c.created_at desc, c.id desc limit ${limit}`)

/** Only those that somebody rated, best first. Spec §7.2. */
export const highestRatedCompanies = (ctx: Ctx, limit: number) =>
  ctx.db.query<CompanyView>(sql`
    select ${listColumns} from ${companiesWithStats}
     where s.score > 0 order by s.score desc, s.company_id desc limit ${limit}`)

export const companyCategories = (ctx: Ctx) =>
  ctx.db.query<{ name: string; companies: number }>(
    sql`select name, companies from categories order by name`,
  )

const pageColumns = sql`${listColumns}, c.website, c.created_at as "createdAt", s.ratings,
  json_build_object(
    'rto', s.rto, 'dei', s.dei, 'workLife', s.work_life,
    'culture', s.culture) as "categoryRatings",
  coalesce((select json_agg(${policyJson} order by p.id desc)
              from company_policies p where p.company_id = c.id), '[]') as "policyHistory"`

/** @throws Refusal 404 */
export const companyById = (ctx: Ctx, id: string) => companyPage(ctx, 'id', sql`${id}::uuid`)

/**
 * By slug; else by a slug it had before; else by a name match with hyphens read as spaces
 * (Spec §2.1). The answer's own `slug` tells where the company lives now.
 * @throws Refusal 404
 */
export function companyBySlug(ctx: Ctx, slug: string) {
  const key = foldText(slug)
  return companyPage(
    ctx,
    'slug',
    sql`coalesce(
      (select id from companies where slug = ${key}),
      (select company_id from company_old_slugs where slug = ${key}),
      (select id from companies where name_key = ${key.replaceAll('-', ' ')} order by id limit 1))`,
  )
}

/** How many neighbours in the alphabet the similar ones are chosen from. */
const SIMILAR_SAMPLE = 40

/**
 * The company and, in the same trip to the database, others of its category: the most discussed of
 * its neighbours in the alphabet, as a category may hold a hundred thousand and nobody needs the
 * very best four of them.
 */
async function companyPage(ctx: Ctx, by: 'id' | 'slug', id: Sql): Promise<CompanyPageView> {
  const neighbours = (side: Sql, direction: Sql) => sql`
    (select * from companies near
      where near.category = c.category and (near.name_key, near.id) ${side} (c.name_key, c.id)
      order by near.name_key ${direction}, near.id ${direction} limit ${SIMILAR_SAMPLE})`
  const [company] = await ctx.db.query<CompanyPageView>(
    sql`
    select ${pageColumns}, (
        select coalesce(json_agg(neighbour), '[]') from (
          select ${listColumns} from (
            ${neighbours(sql`>`, sql`asc`)} union all ${neighbours(sql`<`, sql`desc`)}
          ) c join company_stats s on s.company_id = c.id
          order by s.threads desc, s.views desc, s.company_id desc limit ${SIMILAR_COMPANIES}
        ) neighbour) as "similar"
      from ${companiesWithStats} where c.id = ${id}`,
    { name: `company by ${by}` },
  )
  if (!company) throw notFound(COMPANY_NOT_FOUND)
  return { ...company, policy: company.policyHistory[0] ?? null }
}

export interface CompanyListQuery {
  search?: string
  category?: string
  sort?: CompanySort
  after?: string
  limit: number
}

interface ListOrder extends Omit<SearchOrder, 'beyond'> {
  /** How a cursor's text becomes a value again, and what such a text looks like. */
  cast: Sql
  value: CursorForm
}

const byStats = { of: 'company_stats', id: sql`s.company_id`, descending: true } as const

const ORDERS: Record<CompanySort, ListOrder> = {
  trending: { ...byStats, column: sql`s.views`, cast: sql`bigint`, value: /^\d{1,18}$/ },
  newest: {
    of: 'companies',
    id: sql`c.id`,
    column: sql`c.created_at`,
    descending: true,
    cast: sql`timestamptz`,
    value: momentForm,
  },
  'highest-rated': {
    ...byStats,
    column: sql`s.score`,
    cast: sql`float8`,
    value: /^\d(\.\d{1,17})?$/,
  },
  'most-discussed': { ...byStats, column: sql`s.threads`, cast: sql`integer`, value: /^\d{1,9}$/ },
  'a-z': { ...byName, cast: sql`text`, value: /^[^\0]{1,500}$/s },
}

/** How many matches of a search are counted before "more than" is the answer. */
const COUNT_MAX = 1_000

/**
 * A page of companies. Without a chosen order a search is by name, a list newest first. Spec §7.2.
 * @throws Refusal 400 for a cursor that is not one of this order.
 */
export async function listCompanies(ctx: Ctx, query: CompanyListQuery) {
  const text = foldText(query.search ?? '')
  const category = query.category || undefined
  const sort = query.sort ?? (text ? 'a-z' : 'newest')
  const order = ORDERS[sort]
  const { column, id, descending } = order
  const after = query.after === undefined ? undefined : readCursor(query.after, sort, order.value)
  if (query.after !== undefined && !after) throw badRequest('This page marker is not valid')

  const beyond =
    after &&
    sql`(${column}, ${id}) ${descending ? sql`<` : sql`>`}
        (${after.value}::${order.cast}, ${after.id}::uuid)`
  const direction = descending ? sql`desc` : sql`asc`
  const wanted = query.limit + 1

  type Row = CompanyView & { sortValue: string }
  const plan = text ? await planSearch(ctx, { text, category }) : undefined
  const rows = plan
    ? await firstMatches(plan, { ...order, beyond }, wanted, (found) =>
        ctx.db.query<Row>(sql`
          select ${listColumns}, found.value::text as "sortValue"
            from (${found}) found join companies c on c.id = found.id
            join company_stats s on s.company_id = found.id
           order by found.value ${direction}, found.id ${direction}`),
      )
    : await ctx.db.query<Row>(sql`
        select ${listColumns}, ${column}::text as "sortValue" from ${companiesWithStats}
         where true ${category ? sql`and c.category = ${category}` : empty}
               ${beyond ? sql`and ${beyond}` : empty}
         order by ${column} ${direction}, ${id} ${direction} limit ${wanted}`)

  const companies = rows.slice(0, query.limit)
  const last = companies.at(-1)
  const next =
    rows.length > query.limit && last
      ? writeCursor({ order: sort, value: last.sortValue, id: last.id })
      : null

  const total = plan
    ? await countMatches(ctx, plan, COUNT_MAX + 1)
    : await countCompanies(ctx, category)
  const totalIsExact = total <= COUNT_MAX || (!text && !category)
  return { companies, next, total: totalIsExact ? total : COUNT_MAX, totalIsExact }
}

/** With a filter, no further than one beyond what is told. */
async function countCompanies(ctx: Ctx, category: string | undefined) {
  const [counted] = await ctx.db.query<{ total: number }>(
    category
      ? sql`
          select count(*) as total from (
            select from companies where category = ${category} limit ${COUNT_MAX + 1}) matches`
      : sql`select coalesce(sum(companies), 0) as total from categories`,
  )
  return counted?.total ?? 0
}
