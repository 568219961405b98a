/**
 * The numbers with one's own rating in them, while it waits: of what this browser gave and what was public then. Nobody
 * is asked, for that would tell who rated; what makes numbers of it is loaded where there is something to make.
 */
import { queryOptions, useQueries } from '@tanstack/react-query'
import type { MY_KEY } from '../../../session/live-session.data.ts'
import { useSession, useSessionKey } from '../../../session/session.data.ts'
import { type PublicNumbers, type Rated, useRated } from '../../credentials/rated.data.ts'
import type { OwnNumbers, OwnRatings } from './own-rating.ts'

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'

/** What whoever rated sees where everybody sees what is public. */
export interface OwnRating {
  /** In lists and headers; undefined where too few have rated to know what is public. */
  numbers: OwnNumbers | undefined
  /** On the Ratings tab. */
  view: OwnRatings | undefined
  /** What was public then. */
  publicRating: number | null
}

/** Null where what is public is what one gave, or has moved since: it may have one's own in it then. */
const ownRatingQuery = (
  who: string,
  companyId: string,
  rated: Rated | undefined,
  shown: PublicNumbers | undefined,
) =>
  queryOptions({
    queryKey: [MINE, 'own rating', who, companyId, rated, shown],
    queryFn: async (): Promise<OwnRating | null> => {
      const { ownNumbersOf, ownRatingsOf, publicRatingOf, waitingOf } = await import(
        './own-rating.ts'
      )
      const waiting = rated && waitingOf(rated, shown)
      if (!waiting) return null
      return {
        numbers: ownNumbersOf(waiting),
        view: ownRatingsOf(waiting),
        publicRating: publicRatingOf(waiting),
      }
    },
    enabled: rated?.base !== undefined,
    // What was sent meanwhile moves nothing: the number stands until it is made again.
    placeholderData: (before, query) => (query?.queryKey[3] === companyId ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

interface Company {
  id: string
  rating: number | null
}

/** Lists show it to one decimal. */
const SAME = 0.05

/**
 * What one's own rating of each changes, while it waits.
 * @param companies with the rating that is public now: where it has moved, that one stands
 */
function useOwnRatings(
  companies: readonly Company[],
  shown?: PublicNumbers,
): (OwnRating | undefined)[] {
  const who = useSessionKey()
  const rated = useRated(who)
  const isMember = useSession().status === 'signed-in'
  const known = companies.map(({ id }) => (isMember ? rated[id] : undefined))
  const answers = useQueries({
    queries: companies.map(({ id }, i) => ownRatingQuery(who, id, known[i], shown)),
  })
  return companies.map(({ rating }, i) => {
    const { data } = answers[i] ?? {}
    const isThere = known[i]?.base && data
    const hasMoved = !shown && Math.abs((rating ?? 0) - (data?.publicRating ?? 0)) > SAME
    return isThere && !hasMoved ? data : undefined
  })
}

export const useOwnRating = (company: Company, shown?: PublicNumbers): OwnRating | undefined =>
  useOwnRatings([company], shown)[0]

/** Companies with the numbers that the person at this browser sees. */
export function useWithOwnRatings<Listed extends Company>(companies: readonly Listed[]): Listed[] {
  const own = useOwnRatings(companies)
  return companies.map((company, i) => ({ ...company, ...own[i]?.numbers }))
}
