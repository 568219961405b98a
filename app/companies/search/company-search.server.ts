/**
 * Company search. The order is part of the index of `company_keys`, as classes of fame (`company_fame` in
 * 0065_baseline.sql: each needs twice as many threads, comments and ratings). We scan class by class until there are
 * enough. D42.
 */

import sql, { empty, join } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { likeText } from '#app/platform/database/database.server.ts'
import type { CompanySuggestion } from '../company.contract.ts'
import { SEARCH_MIN_CHARACTERS, SUGGESTIONS_MAX, searchedText } from '../company.ts'
import {
  CATEGORY,
  categoryKey,
  foldLetters,
  INITIALS,
  keysOfText,
  LATER_WORDS,
  oneTypoFrom,
  searchKey,
  WHOLE_NAME,
} from './company-keys.ts'
import { matchOf } from './company-match.ts'

interface Found {
  id: string
  by: 'name' | 'category' | 'description' | 'slip'
  /** The key that matched. For a typo, the likely spelling. */
  key: string
}

interface CompanyCriteria {
  limit: number
  category?: string
}

/**
 * The order: names that equal the text, begin with it, have these initials, have later words that begin with it, or
 * contain it, then categories, then descriptions, each by fame, then by name. If nothing matches, keys with one typo.
 */
export async function findCompanies(
  ctx: Ctx,
  text: string,
  wanted: CompanyCriteria,
): Promise<Found[]> {
  const [key, ...shorter] = keysOfText(text)
  if (key === undefined) return []
  const found = new Map<string, Found>()
  const take = (rows: { id: string; key?: string }[], by: Found['by']) => {
    for (const row of rows)
      if (found.size < wanted.limit && !found.has(row.id))
        found.set(row.id, { id: row.id, by, key: row.key ?? key })
  }
  const isMissing = () => found.size < wanted.limit

  take(await exactFirst(ctx, key, await scan(ctx, [key], NAMES, wanted)), 'name')
  if (found.size === 0 && shorter.length > 0) take(await scan(ctx, shorter, NAMES, wanted), 'name')
  if (isMissing()) take(await namesContaining(ctx, key, wanted), 'name')
  if (isMissing()) take(await inCategoriesLike(ctx, key, wanted), 'category')
  if (isMissing()) take(await describedWith(ctx, text, wanted), 'description')
  if (found.size === 0) take(await oneTypoAway(ctx, key, wanted), 'slip')
  return [...found.values()]
}

/** Where we search for keys. A higher class comes first, no matter how famous the companies are. */
interface Tier {
  kind: number
  is: 'equal' | 'beginning'
  class: number
}

const NAMES: Tier[] = [
  { kind: WHOLE_NAME, is: 'equal', class: 4 },
  { kind: WHOLE_NAME, is: 'beginning', class: 3 },
  { kind: INITIALS, is: 'equal', class: 2 },
  { kind: LATER_WORDS, is: 'beginning', class: 1 },
]
const CATEGORIES: Tier[] = [{ kind: CATEGORY, is: 'beginning', class: 0 }]

interface Scanned {
  id: string
  /** The searched key. */
  key: string
  /** Whether the whole name must equal it. */
  isWhole: boolean
}

/** U+10FFFF, a noncharacter that sorts after all others. */
const LAST = '\u{10ffff}'

/** Several keys of a company may have the same prefix. */
const KEYS_A_COMPANY = 4
/** How many keys a search within a category reads per class of fame. */
const LOOKED_AT_MAX = 20_000

/** Index scans, class by class. The nested loop returns rows as it finds them, so it stops once there are enough. */
function scan({ db }: Ctx, keys: string[], tiers: Tier[], { limit, category }: CompanyCriteria) {
  const tierRows = tiers.map(
    ({ kind, is, class: rank }, nth) =>
      sql`(${nth}::int, ${kind}::smallint, ${is === 'equal' ? '' : LAST}::text, ${rank}::int)`,
  )
  const next = sql`
    select company_id, key from company_keys
     where kind = step.kind and fame = step.fame
       and key >= step.key and key <= step.key || step.beyond
     order by key, company_id limit ${category === undefined ? limit : LOOKED_AT_MAX}`
  return db.query<Scanned>(sql`
    select near.company_id as id, step.key, near.key = step.key as "isWhole" from (
      select wanted.key, fame::smallint, tier.kind, tier.beyond
        from unnest(${keys}::text[]) with ordinality wanted(key, nth),
             generate_series(0, 20) fame,
             (values ${join(tierRows)}) tier(nth, kind, beyond, rank)
       order by tier.rank desc, fame desc, wanted.nth, tier.nth) step
     cross join lateral (${next}) near
     ${category === undefined ? empty : sql`join companies c on c.id = near.company_id and c.category = ${category}`}
     limit ${limit * KEYS_A_COMPANY}`)
}

/**
 * "AT&T Company AG" has the key of "AT&T" too. People who type that mean the company with exactly this name, even
 * if the other is more famous.
 */
async function exactFirst({ db }: Ctx, key: string, rows: Scanned[]) {
  const whole = rows.filter(({ isWhole }) => isWhole).map(({ id }) => id)
  if (new Set(whole).size < 2) return rows
  const named = await db.query<{ id: string; name: string }>(sql`
    select id, name from companies where id = any (${whole}::uuid[])`)
  const exact = new Set(named.filter(({ name }) => searchKey(name) === key).map(({ id }) => id))
  return [...rows.filter(({ id }) => exact.has(id)), ...rows]
}

/** Shorter texts have no trigrams. */
const CONTAINED_MIN = 3
/** How many names that contain a text we sort. */
const ORDERED_MAX = 2_000

async function namesContaining({ db }: Ctx, key: string, { limit, category }: CompanyCriteria) {
  if (Array.from(key).length < CONTAINED_MIN) return []
  return db.query<{ id: string }>(sql`
    select company_id as id from (
      select k.company_id, k.fame, k.key from company_keys k
       where k.kind = ${WHOLE_NAME} and k.key like ${`%${likeText(key)}%`}
             ${category === undefined ? empty : sql`and exists (select from companies c where c.id = k.company_id and c.category = ${category})`}
       limit ${ORDERED_MAX} offset 0) containing
     order by fame desc, key, company_id limit ${limit * KEYS_A_COMPANY}`)
}

async function inCategoriesLike(ctx: Ctx, key: string, wanted: CompanyCriteria) {
  if (Array.from(key).length < CONTAINED_MIN) return []
  const categories = await ctx.db.query<{ name: string }>(sql`select name from categories`)
  const keys = categories
    .filter(({ name }) => searchKey(name).includes(key))
    .map(({ name }) => categoryKey(name))
  if (keys.length === 0) return []
  const rows = await scan(ctx, keys, CATEGORIES, wanted)
  return rows.map(({ id }) => ({ id }))
}

/** Words that are too common in descriptions to search for. */
const EVERYWHERE = new Set(['company', 'companies', 'business', 'group', 'service', 'services'])
const WORDS_MAX = 8

async function describedWith({ db }: Ctx, text: string, { limit, category }: CompanyCriteria) {
  const words = foldLetters(text)
    .split(/\s+/)
    .filter((word) => word && !EVERYWHERE.has(word))
    .slice(0, WORDS_MAX)
  if (words.length === 0) return []
  return db.query<{ id: string }>(sql`
    select c.id from (
      select id, name_key from companies
       where text_words(description)
             @@ plainto_tsquery('telling_words', words_apart(${words.join(' ')}))
             ${category === undefined ? empty : sql`and category = ${category}`}
       limit ${ORDERED_MAX} offset 0) c join company_stats s on s.company_id = c.id
     order by company_fame(s.threads, s.comments, s.ratings) desc, c.name_key, c.id
     limit ${limit}`)
}

/** How many corrections we search for. */
const SLIPS_MAX = 5

async function oneTypoAway(ctx: Ctx, key: string, wanted: CompanyCriteria) {
  const meant = oneTypoFrom(key)
  if (meant.length === 0) return []
  const known = await ctx.db.query<{ key: string }>(sql`
    select meant.key from unnest(${meant}::text[]) with ordinality meant(key, nth)
     cross join lateral (
       select key from company_keys
        where kind <= 1 and key >= meant.key and key < meant.key || ${LAST}
        order by key limit 1) near
     order by (near.key = meant.key) desc, nth limit ${SLIPS_MAX}`)
  if (known.length === 0) return []
  return scan(
    ctx,
    known.map(({ key }) => key),
    NAMES,
    wanted,
  )
}

/** Spec §7.2. */
type Row = Omit<CompanySuggestion, 'match'> & { description: string | null; aliases: string[] }

/** Up to twenty, best first, from two characters on (Spec §5). */
export async function suggestCompanies(ctx: Ctx, typed: string): Promise<CompanySuggestion[]> {
  const text = searchedText(typed)
  if (Array.from(text).length < SEARCH_MIN_CHARACTERS) return []
  const found = await findCompanies(ctx, text, { limit: SUGGESTIONS_MAX })
  if (found.length === 0) return []
  const rows = await ctx.db.query<Row>(sql`
    select id, slug, name, category, logo_url as "logoUrl", demo, description, aliases,
           nullif(score, 0) as rating
      from companies join company_stats on company_id = id where id = any(${found.map(({ id }) => id)}::uuid[])`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return found.flatMap((each) => {
    const row = byId.get(each.id)
    if (!row) return []
    const { description, aliases, ...company } = row
    return [{ ...company, match: matchOf(row, each, text) }]
  })
}
