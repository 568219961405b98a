/**
 * How screens ask for one's own ratings that wait: only of companies that this browser knows to be rated, each by
 * itself; what makes numbers of the answer is loaded where there is something to make.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { retryUnlessRefused } from '../../../api/client.ts'
import type { MY_KEY } from '../../../session/live-session.data.ts'
import { useSession, useSessionKey } from '../../../session/session.data.ts'
import { useRated } from '../../credentials/rated.data.ts'
import type { OwnNumbers, OwnRatings } from './own-rating.ts'

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'
const FIVE_MINUTES = 5 * 60_000

/** What whoever rated sees where everybody sees what is public. */
export interface OwnRating {
  /** In lists and headers; undefined where too few have rated to know what is public. */
  numbers: OwnNumbers | undefined
  /** On the Ratings tab. */
  view: OwnRatings | undefined
}

/** Null where what is public is what one gave. */
export const ownRatingQuery = (companyId: string, who: string) =>
  queryOptions({
    queryKey: [MINE, 'waiting rating', who, companyId],
    queryFn: async (): Promise<OwnRating | null> => {
      const { askHeldNumbers } = await import('./held-numbers.data.ts')
      const waiting = await askHeldNumbers(who, companyId)
      if (!waiting) return null
      const { ownNumbersOf, ownRatingsOf } = await import('./own-rating.ts')
      return { numbers: ownNumbersOf(waiting), view: ownRatingsOf(waiting) }
    },
    staleTime: FIVE_MINUTES,
    retry: retryUnlessRefused,
  })

/** Whose ratings this browser knows, and which companies are worth asking about. */
export function useWhose() {
  const who = useSessionKey()
  const rated = useRated(who)
  const isMember = useSession().status === 'signed-in'
  return { who, mayAsk: (companyId: string) => isMember && companyId in rated }
}

/** What one's own rating of a company changes, while it waits. */
export function useOwnRating(companyId: string): OwnRating | undefined {
  const { mayAsk, who } = useWhose()
  const enabled = mayAsk(companyId)
  const { data } = useQuery({ ...ownRatingQuery(companyId, who), enabled })
  return (enabled && data) || undefined
}
