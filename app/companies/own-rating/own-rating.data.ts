/**
 * Scores that include your own waiting rating, computed from what this browser gave and what was
 * public then. We send no request, because that would reveal who rated. The code that computes them
 * loads on demand.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRated } from '#app/identity/credentials/rated.data.ts'
import type { PublicNumbers } from '#app/identity/credentials/rated.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import type { OwnNumbers, OwnRatings } from './own-rating.ts'

/** Shown to its rater in place of the public numbers. */
interface OwnRating {
  /** Shown in lists and headers. Undefined if too few ratings are public. */
  numbers: OwnNumbers | undefined
  /** Shown in the Ratings tab. */
  view: OwnRatings | undefined
}

/** Goes through the query cache, so once it's loaded it renders immediately, and no score flickers to "--". */
const NUMBERS = queryOptions({
  queryKey: ['own rating, its code'],
  queryFn: () => import('./own-rating.ts'),
  // The browser's cache has this file, so it loads offline, too.
  networkMode: 'always',
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

interface Company {
  id: string
  rating: number | null
}

/** Lists round to one decimal. */
const SAME = 0.05

/**
 * Undefined if no rating waits, or if the public score has changed since and may already include it.
 * @param companies with their public ratings
 */
function useOwnRatings(
  companies: readonly Company[],
  shown?: PublicNumbers,
): (OwnRating | undefined)[] {
  const sessionKey = useSessionKey()
  const rated = useRated(sessionKey)
  const isMember = useSession().status === 'signed-in'
  const known = companies.map(({ id }) => (isMember && rated[id]?.base ? rated[id] : undefined))
  const { data: code } = useQuery({ ...NUMBERS, enabled: known.some(Boolean) })
  return companies.map(({ rating }, i) => {
    const waiting = known[i] && code?.pendingRatingOf(known[i], shown)
    if (!code || !waiting) return undefined
    const hasMoved = !shown && Math.abs((rating ?? 0) - (code.publicRatingOf(waiting) ?? 0)) > SAME
    if (hasMoved) return undefined
    return { numbers: code.ownNumbersOf(waiting), view: code.ownRatingsOf(waiting) }
  })
}

export const useOwnRating = (company: Company, shown?: PublicNumbers): OwnRating | undefined =>
  useOwnRatings([company], shown)[0]

/** Companies with the numbers that this person sees. */
export function useWithOwnRatings<Listed extends Company>(companies: readonly Listed[]): Listed[] {
  const own = useOwnRatings(companies)
  return companies.map((company, i) => ({ ...company, ...own[i]?.numbers }))
}
