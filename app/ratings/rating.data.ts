/** Fresh for 30 seconds, like the server's cached pages. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_RATINGS_PREFIX } from '#app/identity/credentials/rated.data.ts'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import { storedValues } from '#app/kit/ui/stored-value.ts'
import { type MyAnswer, NOTHING, type RatedCompany } from './my-rating.data.ts'
import type { RatingContract } from './rating.contract.ts'
import type { NoteSort, Relation } from './rating.ts'

export type RatingApi = Client<RatingContract>

const HALF_A_MINUTE = 30_000
/** Only the type is imported: the file is heavy. */
const MINE: typeof MY_KEY = 'me'

export const ratingsQuery = (api: RatingApi, companyId: string) =>
  queryOptions({
    queryKey: ['ratings', companyId],
    queryFn: () => api('GET /api/v1/companies/{id}/ratings', { params: { id: companyId } }),
    staleTime: HALF_A_MINUTE,
  })

/** In every order. */
export const notesKey = (companyId: string) => ['ratings', companyId, 'notes']

export interface NotesShown {
  sort?: NoteSort
  relation?: Relation
  verified?: 'true'
}

export const notesQuery = (
  api: RatingApi,
  companyId: string,
  { sort = 'newest', relation, verified }: NotesShown = {},
) =>
  infiniteQueryOptions({
    queryKey: [...notesKey(companyId), sort, relation ?? verified ?? ''],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/companies/{id}/notes', {
        params: { id: companyId },
        query: { after: after ?? undefined, sort, relation, verified },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: HALF_A_MINUTE,
  })

/**
 * What the account knows: ratings under it, and helpful votes. Of all companies at once and once a day, by whatever page
 * is open, so the request follows from no form and names no company.
 */
export const myRatingsQuery = (api: RatingApi, who: string) =>
  queryOptions({
    queryKey: [MINE, 'ratings', who],
    queryFn: async (): Promise<MyAnswer> => {
      const today = new Date().toISOString().slice(0, 10)
      const kept = answerFor(who).current()
      if (kept?.day === today) return kept.answer
      const answer = await api('GET /api/v1/my/ratings')
      answerFor(who).change(() => ({ day: today, answer }))
      return answer
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Updates the cache and this browser's copy. */
export function changeMyAnswer(
  { api, queryClient, who }: Pick<RatingQueries, 'api' | 'queryClient' | 'who'>,
  change: (answer: MyAnswer) => MyAnswer,
) {
  const { queryKey } = myRatingsQuery(api, who)
  queryClient.setQueryData(queryKey, (answer) => change(answer ?? NOTHING))
  answerFor(who).change((kept) => kept && { ...kept, answer: change(kept.answer) })
}

const answerFor = storedValues(
  MY_RATINGS_PREFIX,
  (stored): { day: string; answer: MyAnswer } | null => {
    try {
      const kept = JSON.parse(stored ?? 'null')
      return Array.isArray(kept?.answer?.ratings) && Array.isArray(kept.answer.helpful)
        ? kept
        : null
    } catch {
      return null
    }
  },
)

/** One company's ratings as one person sees them. */
export interface RatingQueries {
  company: RatedCompany
  who: string
  api: RatingApi
  queryClient: QueryClient
}
