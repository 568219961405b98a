/** Spec §7.2. */
import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { searchingFreely } from '#app/platform/http/searches.server.ts'
import type { CompanySuggestion } from '../company.contract.ts'
import { SEARCH_MIN_CHARACTERS, SUGGESTIONS_MAX, searchedText } from '../company.ts'
import { foldLetters } from './company-keys.ts'
import { matchOf } from './company-match.ts'
import { findCompanies } from './company-search.server.ts'

type Row = Omit<CompanySuggestion, 'match'> & { description: string | null; aliases: string[] }

/** Up to twenty, best first, from two characters on (Spec §5). */
export async function suggestCompanies(ctx: Ctx, typed: string): Promise<CompanySuggestion[]> {
  const text = searchedText(typed)
  if (Array.from(text).length < SEARCH_MIN_CHARACTERS) return []
  const found = await findCompanies(ctx, text, { limit: SUGGESTIONS_MAX })
  if (found.length === 0) return []
  const rows = await ctx.db.query<Row>(sql`
    select id, slug, name, category, logo_url as "logoUrl", demo, description, aliases
      from companies where id = any(${found.map(({ id }) => id)}::uuid[])`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return found.flatMap((each) => {
    const row = byId.get(each.id)
    if (!row) return []
    const { description, aliases, ...company } = row
    return [{ ...company, match: matchOf(row, each, text) }]
  })
}

/** How long a new company may be missing from cached results. */
const SUGGESTIONS_LAST_MS = 60_000
const SUGGESTIONS_CACHE_BYTES = 16 * 1024 * 1024

/**
 * Caches `suggestCompanies`, as many people type the same beginnings; concurrent requests for one text share its result.
 * Create one per database.
 */
export function createSuggestions(searches = searchingFreely): typeof suggestCompanies & {
  /** Clears the cache. */
  forget(): void
} {
  const answers = new LRUCache<string, CompanySuggestion[]>({
    ttl: SUGGESTIONS_LAST_MS,
    maxSize: SUGGESTIONS_CACHE_BYTES,
    // Two bytes a character, and as much again for objects.
    sizeCalculation: (answer, text) => 200 + 4 * (text.length + JSON.stringify(answer).length),
  })
  const underway = new Map<string, Promise<CompanySuggestion[]>>()

  async function suggestions(ctx: Ctx, text: string) {
    const folded = foldLetters(searchedText(text))
    const known = answers.get(folded) ?? underway.get(folded)
    if (known) return known
    const answer = searches.run(ctx, () => suggestCompanies(ctx, folded))
    underway.set(folded, answer)
    try {
      const companies = await answer
      // Unless the cache was cleared meanwhile.
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
