/**
 * Searches take many times as long as other requests, so only a few run at once. That keeps
 * connections and CPU free for readers.
 */
import { createNetworkLimit, tooMany } from './rate-limits.server.ts'
import { Refusal } from './refusal.ts'
import { createConcurrencyLimit, type Gate } from './work-limits.server.ts'

/** Stands for a network, because page requests are limited elsewhere. */
export const PAGES_NETWORK = 'pages'

/** A short queue, because after two seconds, people have typed something else. */
const GATE = { waiting: 24, patienceMs: 2_000 }
/** Counts per network. A hundred people who keep typing stay below this. */
const LIMIT = { name: 'searches', uses: 300, seconds: 30 }
const RETRY_AFTER_S = 2
/** Statement timeout of searches, a third of the usual one. */
export const SEARCH_TIMEOUT = '5s'

interface Searcher {
  network: string
  hasLeft?: () => boolean
}

export interface Searches {
  /** @throws Refusal unavailable if too many search, too-many if this network searches too often */
  run<Found>(who: Searcher, search: () => Promise<Found>): Promise<Found>
  readonly gate?: Gate
}

/** @param atOnce concurrent searches */
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
