/**
 * How screens ask for one's own ratings that wait. Members only, and whatever is on a screen together; what
 * makes numbers of the answer is loaded where there is something to make.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Client, retryUnlessRefused, useApi } from '../../../api/client.ts'
import type { MY_KEY } from '../../../session/live-session.data.ts'
import { useSession, useSessionKey } from '../../../session/session.data.ts'
import { useSite } from '../../../session/site.data.ts'
import { type RatedCompanies, useRated } from '../../credentials/rated.data.ts'
import type { OwnRatingContract, WaitingRating } from './own-rating.contract.ts'
import type { OwnNumbers, OwnRatings } from './own-rating.ts'

type Api = Client<OwnRatingContract>
/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'
const FIVE_MINUTES = 5 * 60_000
const ASKED_MAX = 100
/** Cards of a screen are drawn within this. */
const TOGETHER_MS = 10

/** What whoever rated sees where everybody sees what is public. */
export interface OwnRating {
  /** In lists and headers; undefined where too few have rated to know what is public. */
  numbers: OwnNumbers | undefined
  /** On the Ratings tab. */
  view: OwnRatings | undefined
}

/** Null where what is public is what one gave. */
export const ownRatingQuery = (api: Api, companyId: string, { who, rated }: Whose) =>
  queryOptions({
    queryKey: [MINE, 'waiting rating', who, companyId],
    queryFn: async (): Promise<OwnRating | null> => {
      const waiting = rated
        ? await (await import('./held-numbers.data.ts')).askHeldNumbers(who, companyId)
        : await askTogether(api, companyId)
      if (!waiting) return null
      const { ownNumbersOf, ownRatingsOf } = await import('./own-rating.ts')
      return { numbers: ownNumbersOf(waiting), view: ownRatingsOf(waiting) }
    },
    staleTime: FIVE_MINUTES,
    retry: retryUnlessRefused,
  })

/** The person at this browser, as their own numbers are asked for. */
export interface Whose {
  /** As `useSessionKey` tells people apart. */
  who: string
  /** Where ratings name nobody: of these companies this browser has keys. */
  rated: RatedCompanies | undefined
}

export function useWhose() {
  const who = useSessionKey()
  const { ratingCredentials } = useSite()
  const known = useRated(who)
  const isMember = useSession().status === 'signed-in'
  const rated = ratingCredentials ? known : undefined
  return { who, rated, mayAsk: (companyId: string) => isMember && (!rated || companyId in rated) }
}

/** What one's own rating of a company changes, while it waits. */
export function useOwnRating(companyId: string): OwnRating | undefined {
  const api = useApi<OwnRatingContract>()
  const { mayAsk, ...whose } = useWhose()
  const enabled = mayAsk(companyId)
  const { data } = useQuery({ ...ownRatingQuery(api, companyId, whose), enabled })
  return (enabled && data) || undefined
}

interface Question {
  companyId: string
  resolve: (waiting: WaitingRating | undefined) => void
  reject: (error: unknown) => void
}
let questions: Question[] = []

/** One request for all that a screen asks at the same moment. */
function askTogether(api: Api, companyId: string) {
  return new Promise<WaitingRating | undefined>((resolve, reject) => {
    if (questions.length === 0) setTimeout(() => ask(api), TOGETHER_MS)
    questions.push({ companyId, resolve, reject })
  })
}

function ask(api: Api) {
  const asked = questions
  questions = []
  for (let from = 0; from < asked.length; from += ASKED_MAX) {
    const some = asked.slice(from, from + ASKED_MAX)
    const companies = [...new Set(some.map(({ companyId }) => companyId))].join(',')
    api('GET /api/v1/my/waiting-ratings', { query: { companies } }).then(
      ({ waiting }) => {
        for (const { companyId, resolve } of some)
          resolve(waiting.find((one) => one.companyId === companyId))
      },
      (error) => {
        for (const { reject } of some) reject(error)
      },
    )
  }
}
