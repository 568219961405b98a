/**
 * The numbers with one's own rating in them, while it waits: of what this browser gave and what was public then. Nobody
 * is asked, for that would tell who rated; what makes numbers of it is loaded where there is something to make.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type PublicNumbers, useRated } from '#app/identity/credentials/rated.data.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import type { OwnNumbers, OwnRatings } from './own-rating.ts'

/** What whoever rated sees where everybody sees what is public. */
export interface OwnRating {
  /** In lists and headers; undefined where too few have rated to know what is public. */
  numbers: OwnNumbers | undefined
  /** On the Ratings tab. */
  view: OwnRatings | undefined
}

/** The code that makes numbers: made in the same turn in which something changes, no number falls to "--" between. */
const NUMBERS = queryOptions({
  queryKey: ['own rating, its code'],
  queryFn: () => import('./own-rating.ts'),
  // It lies in this browser's cache.
  networkMode: 'always',
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

interface Company {
  id: string
  rating: number | null
}

/** Lists show it to one decimal. */
const SAME = 0.05

/**
 * What one's own rating of each changes, while it waits. Undefined where what is public is what one gave, or has moved
 * since: it may have one's own in it then.
 * @param companies with the rating that is public now: where it has moved, that one stands
 */
function useOwnRatings(
  companies: readonly Company[],
  shown?: PublicNumbers,
): (OwnRating | undefined)[] {
  const who = useSessionKey()
  const rated = useRated(who)
  const isMember = useSession().status === 'signed-in'
  const known = companies.map(({ id }) => (isMember && rated[id]?.base ? rated[id] : undefined))
  const { data: code } = useQuery({ ...NUMBERS, enabled: known.some(Boolean) })
  return companies.map(({ rating }, i) => {
    const waiting = known[i] && code?.waitingOf(known[i], shown)
    if (!code || !waiting) return undefined
    const hasMoved = !shown && Math.abs((rating ?? 0) - (code.publicRatingOf(waiting) ?? 0)) > SAME
    if (hasMoved) return undefined
    return { numbers: code.ownNumbersOf(waiting), view: code.ownRatingsOf(waiting) }
  })
}

export const useOwnRating = (company: Company, shown?: PublicNumbers): OwnRating | undefined =>
  useOwnRatings([company], shown)[0]

/** Companies with the numbers that the person at this browser sees. */
export function useWithOwnRatings<Listed extends Company>(companies: readonly Listed[]): Listed[] {
  const own = useOwnRatings(companies)
  return companies.map((company, i) => ({ ...company, ...own[i]?.numbers }))
}
