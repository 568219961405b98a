/**
 * Finds companies whose name, description or category contains a text, in an order, however many
 * companies there are. Two ways lead there, and both give the same answer: to walk along the order
 * and look at each company, which is quick for what is common, or to ask the index of grams
 * (db/migrations/0002), which is quick for what is rare. Measured in docs/decisions/0002.
 */
import { LRUCache } from 'lru-cache'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Ctx } from '../../../auth/context.server.ts'
import { searchingFreely } from '../../../server/searches.server.ts'
import type { CompanySuggestion } from '../company.contract.ts'
import { foldText, SEARCH_MIN_CHARACTERS, SUGGESTIONS_MAX } from '../company.ts'
import {
  type CompanySearch,
  type IndexLookup,
  LOOK_UP,
  PASS_GRAM,
  planSearch,
  type SearchPlan,
} from './company-sample.server.ts'

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

/** What it takes to walk past a company, in µs, as measured: in the index, in the table, in both. */
const SCAN_IN_INDEX = 0.5
const SCAN_IN_TABLE = 1.8
const SCAN_ACROSS_TABLES = 3
/** And to find the order of a company that was looked up. */
const LOOK_UP_STATS = 2

/**
 * Matches do not lie evenly: a walk goes at least so far and some times farther than it should need
 * to, if that is not dearer than looking up. It ends where it has found enough.
 */
const SCANNED_AT_LEAST = 12_000
const MARGIN = 4
/** A walk must promise to be so many times cheaper than looking up, as it may be in vain. */
const WORTH_SCANNING = 2

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
  const isEarlyCheaper =
    early && lookupMicros(plan, early, order) < lookupMicros(plan, plan.lookUp, order)
  const cheaper = isEarlyCheaper ? early : plan.lookUp

  const expected =
    order.column === byName.column
      ? Math.max(wanted / plan.scattered, fromTheStart ? plan.beforeFirst : 0)
      : wanted / plan.share
  const asCostlyAsLookup = lookupMicros(plan, cheaper, order) / scanMicros(plan, order)
  if (expected * WORTH_SCANNING < asCostlyAsLookup) {
    const walked = Math.ceil(
      Math.min(Math.max(SCANNED_AT_LEAST, MARGIN * expected), asCostlyAsLookup),
    )
    const rows = await read(walk(plan, order, wanted, walked))
    if (rows.length >= wanted) return rows
  }
  if (cheaper !== plan.lookUp) {
    const rows = await read(lookUp(plan, cheaper, order, wanted))
    if (rows.length >= wanted) return rows
  }
  return read(lookUp(plan, plan.lookUp, order, wanted))
}

/** For each company. */
function scanMicros(plan: SearchPlan, order: SearchOrder) {
  if (order.of === 'company_stats') return SCAN_ACROSS_TABLES
  const indexHoldsAll = order.column === byName.column && plan.category === undefined
  return indexHoldsAll ? SCAN_IN_INDEX : SCAN_IN_TABLE
}

/** For all of it. */
function lookupMicros(plan: SearchPlan, { grams, rarest, left }: IndexLookup, order: SearchOrder) {
  const look = LOOK_UP + (order.of === 'company_stats' ? LOOK_UP_STATS : 0)
  // By name the first few of them are read in order, which is nothing.
  const lookedAt = order.column === byName.column ? left : left + plan.beginnings
  return plan.companies * (grams.length * rarest * PASS_GRAM + lookedAt * look)
}

/** How many companies match; `most` when there are that many or more. */
export async function countMatches(ctx: Ctx, plan: SearchPlan, most: number) {
  const matches =
    plan.share >= COUNTED_BY_LOOKING
      ? sql`select from companies c where ${matching(plan)}`
      : candidates(plan, throughIndex(plan, plan.lookUp))
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
export function createSuggestions(searches = searchingFreely): typeof suggestCompanies & {
  /** What was kept may not be so any more. */
  forget(): void
} {
  const answers = new LRUCache<string, CompanySuggestion[]>({
    ttl: SUGGESTIONS_LAST_MS,
    maxSize: SUGGESTIONS_CACHE_BYTES,
    // Two bytes a character, and as much again for the objects around them.
    sizeCalculation: (answer, text) => 200 + 4 * (text.length + JSON.stringify(answer).length),
  })
  const underway = new Map<string, Promise<CompanySuggestion[]>>()

  async function suggestions(ctx: Parameters<typeof suggestCompanies>[0], text: string) {
    const folded = foldText(text)
    const known = answers.get(folded) ?? underway.get(folded)
    if (known) return known
    const answer = searches.run(ctx, () => suggestCompanies(ctx, folded))
    underway.set(folded, answer)
    try {
      const companies = await answer
      // Unless it was forgotten meanwhile.
      if (underway.get(folded) === answer) answers.set(folded, companies)
      return companies
    } finally {
      if (underway.get(folded) === answer) underway.delete(folded)
    }
  }
  return Object.assign(suggestions, {
    forget() {
      answers.clear()
      underway.clear()
    },
  })
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

/** All matches, and of those the first in order. */
function lookUp(plan: SearchPlan, way: IndexLookup, order: SearchOrder, wanted: number) {
  const { of, column, id, descending, beyond } = order
  const direction = descending ? sql`desc` : sql`asc`
  const firstOf = (matches: Sql) => sql`
    select ${id} as id, ${column} as value from (${matches}) c
      ${of === 'company_stats' ? sql`join company_stats s on s.company_id = c.id` : empty}
     ${beyond ? sql`where ${beyond}` : empty}
     order by ${column} ${direction}, ${id} ${direction} limit ${wanted}`
  if (plan.throughCategory || !way.withBeginnings || column !== byName.column)
    return firstOf(candidates(plan, throughIndex(plan, way)))
  // Of the names that begin with the text only the first few are read, in their order.
  const beginnings = sql`
    select ${id} as id, ${column} as value from companies c
     where ${beginning(plan)} and ${matching(plan)} ${beyond ? sql`and ${beyond}` : empty}
     order by ${column}, ${id} limit ${wanted}`
  return sql`
    select id, value from (
      (${firstOf(candidates(plan, havingGrams(way)))}) union (${beginnings})) matches
     order by value, id limit ${wanted}`
}

/**
 * All matches that an index finds by `condition`. The `offset 0` keeps the planner from mixing this
 * with the order around it.
 */
const candidates = (search: CompanySearch, condition: Sql) => sql`
  select c.id, c.name_key, c.created_at from companies c
   where ${condition} and ${matching(search)} offset 0`

/** By way of the grams, or of the category where that leaves fewer to look at. */
function throughIndex(plan: SearchPlan, way: IndexLookup) {
  if (plan.throughCategory) return sql`true`
  return way.withBeginnings ? sql`(${havingGrams(way)} or ${beginning(plan)})` : havingGrams(way)
}

const havingGrams = ({ grams }: IndexLookup) =>
  sql`company_grams(c.search_text) @> ${grams}::integer[]`

/** U+10FFFF, which comes after every character and is none. */
const LAST = '\u{10ffff}'

/** The name begins with the text, up to a line's end: what follows there is not in the name. */
function beginning({ text }: CompanySearch) {
  const [line = ''] = text.split('\n')
  return sql`(c.name_key >= ${line} and c.name_key <= ${line + LAST})`
}
