/**
 * Finds companies whose name, description or category contains a text, in an order, however many
 * companies there are. Two ways lead there, and both give the same answer: to walk along the order
 * and look at each company, which is quick for what is common, or to ask the index of grams
 * (db/migrations/0002), which is quick for what is rare. Measured in docs/decisions/0002.
 */
import { LRUCache } from 'lru-cache'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import type { CompanySuggestion } from './company.contract.ts'
import { foldText, SEARCH_MIN_CHARACTERS, SUGGESTIONS_MAX } from './company.ts'
import { type CompanySearch, planSearch, type SearchPlan } from './company-sample.server.ts'

export interface SearchOrder {
  /** Where `column` and `id` are, and in an index together: `companies c` or `company_stats s`. */
  of: 'companies' | 'company_stats'
  column: Sql
  id: Sql
  descending: boolean
  /** A condition on `column` and `id`: where a page of the list begins. */
  beyond?: Sql
}

export const byName: SearchOrder = {
  of: 'companies',
  column: sql`c.name_key`,
  id: sql`c.id`,
  descending: false,
}

/** What it takes to look at a company, in µs, as measured: in the index, in the table, in both. */
const WALK_IN_INDEX = 0.5
const WALK_IN_TABLE = 1.5
const WALK_ACROSS_TABLES = 2.5
const LOOK_UP = 1.5
const LOOK_UP_ACROSS_TABLES = 3.5

/**
 * Matches do not lie evenly: a walk goes at least so far and some times farther than it should need
 * to, if that is not dearer than looking up. It ends where it has found enough.
 */
const WALKED_AT_LEAST = 12_000
const MARGIN = 4

/** Where this share of the companies matches, counting to the limit soon ends without an index. */
const COUNTED_BY_LOOKING = 0.1

/**
 * The first `wanted` matches in `order`, as `read` gives them. `read` receives a subquery with
 * `id` and `value` (of the order's column), at most `wanted` rows; it joins and sorts them as it likes.
 */
export async function firstMatches<Row>(
  plan: SearchPlan,
  order: SearchOrder,
  wanted: number,
  read: (found: Sql) => Promise<Row[]>,
): Promise<Row[]> {
  // Only the first page by name can do with the early names.
  const fromTheStart = order.column === byName.column && !order.beyond
  const early = fromTheStart ? plan.early(wanted) : undefined

  const { walkCost, lookUpCost } = costs(plan, order)
  const expected = Math.max(wanted / plan.share, fromTheStart ? plan.beforeFirst : 0)
  const asDearAsLookUp = (plan.companies * (early ?? plan).left * lookUpCost) / walkCost
  if (expected < asDearAsLookUp) {
    const walked = Math.ceil(Math.min(Math.max(WALKED_AT_LEAST, MARGIN * expected), asDearAsLookUp))
    const rows = await read(walk(plan, order, wanted, walked))
    if (rows.length >= wanted) return rows
  }
  if (early) {
    const rows = await read(lookUp(plan, order, wanted, beginningUpTo(early.upTo)))
    if (rows.length >= wanted) return rows
  }
  return read(lookUp(plan, order, wanted))
}

/** In µs for each company that is looked at. */
function costs(plan: SearchPlan, order: SearchOrder) {
  if (order.of === 'company_stats')
    return { walkCost: WALK_ACROSS_TABLES, lookUpCost: LOOK_UP_ACROSS_TABLES }
  const indexHoldsAll = order.column === byName.column && plan.category === undefined
  return { walkCost: indexHoldsAll ? WALK_IN_INDEX : WALK_IN_TABLE, lookUpCost: LOOK_UP }
}

/** How many companies match; `most` when there are that many or more. */
export async function countMatches(ctx: Ctx, plan: SearchPlan, most: number) {
  const matches =
    plan.share >= COUNTED_BY_LOOKING
      ? sql`select from companies c where ${matching(plan)}`
      : candidates(plan)
  const [counted] = await ctx.db.query<{ total: number }>(
    sql`select count(*) as total from (select from (${matches}) found limit ${most}) counted`,
  )
  return counted?.total ?? 0
}

/**
 * Up to twenty companies that contain the text, by name. Spec §7.2. Shorter texts than two
 * characters find nothing (Spec §5).
 */
export async function suggestCompanies(ctx: Ctx, text: string): Promise<CompanySuggestion[]> {
  const folded = foldText(text)
  if ([...folded].length < SEARCH_MIN_CHARACTERS) return []
  const plan = await planSearch(ctx, { text: folded })
  return firstMatches(plan, byName, SUGGESTIONS_MAX, (found) =>
    ctx.db.query<CompanySuggestion>(sql`
      select c.id, c.slug, c.name, c.category, c.logo_url as "logoUrl", c.demo
        from (${found}) found join companies c on c.id = found.id
       order by found.value, found.id`),
  )
}

/** How long a new company may be missing from an answer that was given before. */
const SUGGESTIONS_LAST_MS = 60_000
const SUGGESTIONS_CACHE_BYTES = 16 * 1024 * 1024

/**
 * `suggestCompanies` with a memory: people type the same beginnings over and over. Whoever asks for
 * what is being looked up already waits for that answer. For one database; make it once.
 */
export function createSuggestions(): typeof suggestCompanies {
  const answers = new LRUCache<string, CompanySuggestion[]>({
    ttl: SUGGESTIONS_LAST_MS,
    maxSize: SUGGESTIONS_CACHE_BYTES,
    // Two bytes a character, and as much again for the objects around them.
    sizeCalculation: (answer, text) => 200 + 4 * (text.length + JSON.stringify(answer).length),
  })
  const underway = new Map<string, Promise<CompanySuggestion[]>>()

  return async (ctx, text) => {
    const folded = foldText(text)
    const known = answers.get(folded) ?? underway.get(folded)
    if (known) return known
    const answer = suggestCompanies(ctx, folded)
    underway.set(folded, answer)
    try {
      const companies = await answer
      answers.set(folded, companies)
      return companies
    } finally {
      underway.delete(folded)
    }
  }
}

// The two ways.

const matching = ({ text, category }: CompanySearch) =>
  sql`strpos(c.search_text, ${text}) > 0
      ${category === undefined ? empty : sql`and c.category = ${category}`}`

/** The next companies in order, and of those the ones that match. */
function walk(search: CompanySearch, order: SearchOrder, wanted: number, walked: number) {
  const { of, column, id, descending, beyond } = order
  const direction = descending ? sql`desc` : sql`asc`
  const next = (table: Sql, columns: Sql) => sql`
    (select ${id} as id, ${column} as value ${columns} from ${table}
      ${beyond ? sql`where ${beyond}` : empty}
      order by ${column} ${direction}, ${id} ${direction} limit ${walked})`
  const lookedAt =
    search.category === undefined ? sql`, c.search_text` : sql`, c.search_text, c.category`
  const matches =
    of === 'companies'
      ? sql`select c.id, c.value from ${next(sql`companies c`, lookedAt)} c`
      : sql`
          select c.id, walked.value
            from ${next(sql`company_stats s`, empty)} walked join companies c on c.id = walked.id`
  return sql`
    select id, value from (${matches} where ${matching(search)}) matches
     order by value ${direction}, id ${direction} limit ${wanted}`
}

/** All matches that fulfil `condition` too, and of those the first in order. */
function lookUp(plan: SearchPlan, order: SearchOrder, wanted: number, condition = empty) {
  const { of, column, id, descending, beyond } = order
  const direction = descending ? sql`desc` : sql`asc`
  return sql`
    select ${id} as id, ${column} as value
      from (${candidates(plan, condition)}) c
      ${of === 'company_stats' ? sql`join company_stats s on s.company_id = c.id` : empty}
     ${beyond ? sql`where ${beyond}` : empty}
     order by ${column} ${direction}, ${id} ${direction} limit ${wanted}`
}

/**
 * All matches, by way of the grams, or of the category where that leaves fewer to look at. The
 * `offset 0` keeps the planner from mixing this with the order around it.
 */
function candidates(plan: SearchPlan, condition = empty) {
  const { throughCategory, grams } = plan
  return sql`
    select c.id, c.name_key, c.created_at from companies c
     where ${throughCategory ? empty : sql`company_grams(c.search_text) @> ${grams}::integer[] and`}
           ${matching(plan)} ${condition} offset 0`
}

/** The number by which `company_grams` tells the first byte of the name. */
const BEGINNING = 2 ** 25

const beginningUpTo = (byte: number) => sql`
  and company_grams(c.search_text) && ${Array.from({ length: byte + 1 }, (_, i) => BEGINNING + i)}::integer[]`
