/**
 * Searches take many times as long as anything else that is asked, so only a few run at the same moment:
 * whoever only reads finds connections and processors free.
 */
import sql from 'sql-template-tag'
import { type DataContext, transaction } from '../database/context.server.ts'
import { isDatabaseError } from '../database/database.server.ts'
import { createConcurrencyLimit, type Gate } from './concurrency-limit.server.ts'
import { createNetworkLimit, tooMany } from './rate-limits.server.ts'
import { Refusal } from './refusal.ts'

/** Of pages, in place of a network: who asks for a page is limited where the page is. */
export const PAGES_NETWORK = 'pages'

/** A short queue: who waits for more than two seconds has typed something else. */
const GATE = { waiting: 24, patienceMs: 2_000 }
/** Per network. A hundred people in an office who type all the time stay below it. */
const LIMIT = { name: 'searches', uses: 300, seconds: 30 }
const RETRY_AFTER_S = 2
/** Of each statement of a search, as PostgreSQL reads it: a third of what others have. */
export const SEARCH_TIMEOUT = '5s'

export interface Searcher {
  network: string
  /** Nobody waits for the answer any more. */
  hasLeft?: () => boolean
}

export interface Searches {
  /** @throws Refusal unavailable where too many search, too-many for a network that searches too often */
  run<Found>(who: Searcher, search: () => Promise<Found>): Promise<Found>
  readonly gate?: Gate
}

/** @param atOnce searches that run at the same moment */
export function createSearches(settings: {
  atOnce: number
  hasRateLimits: boolean
  onRefused?: (why: 'search-limit' | 'search-busy') => void
}): Searches {
  const { atOnce, hasRateLimits, onRefused } = settings
  const gate = createConcurrencyLimit({ atOnce, ...GATE })
  const limit = createNetworkLimit({ ...LIMIT, isOn: hasRateLimits })
  return {
    gate,
    async run({ network, hasLeft }, search) {
      const wait = network === PAGES_NETWORK ? undefined : await limit.use(network)
      if (wait !== undefined) {
        onRefused?.('search-limit')
        throw tooMany(wait)
      }
      const leave = await gate.enter(hasLeft)
      if (!leave) {
        onRefused?.('search-busy')
        throw new Refusal(
          'unavailable',
          'Many people are searching right now. Please try again in a moment.',
          { retryAfter: RETRY_AFTER_S },
        )
      }
      try {
        return await search()
      } finally {
        leave()
      }
    },
  }
}

/**
 * What a text asks for, as the database's `searched_words` reads it. Undefined where there is nothing to look for,
 * or what PostgreSQL cannot read, such as a hundred dashes in a row.
 * @returns `query`: a tsquery. `needed`: what must be found, without what must not; '' or 'T' where that is nothing.
 *   `isSmall`: of words such as "it" and "who" alone, which nearly every text has
 */
export async function searchedWords(
  ctx: DataContext,
  text: string,
): Promise<{ query: string; needed: string; isSmall: boolean } | undefined> {
  try {
    const [asked] = await transaction(ctx, ({ db }) =>
      db.query<{ query: string; needed: string; isSmall: boolean; nodes: number }>(sql`
        select words::text as query, querytree(words) as needed, numnode(words) as nodes,
               querytree(to_tsquery('telling_words', words::text)) = '' as "isSmall"
          from searched_words(${text.replaceAll('\0', ' ')}) words`),
    )
    return asked && asked.nodes > 0 ? asked : undefined
  } catch (error) {
    if (isDatabaseError(error, INTERNAL_ERROR)) return undefined
    throw error
  }
}

/** How PostgreSQL says that there are too many signs. */
const INTERNAL_ERROR = 'XX000'

/** For tests: whoever searches does. */
export const searchingFreely: Searches = { run: (_who, search) => search() }
