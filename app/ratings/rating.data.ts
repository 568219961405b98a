import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { Output } from '#app/api/contract.ts'
import { RATINGS_KEY } from '#app/companies/company.ts'
import type { CredentialApi } from '#app/identity/credentials/issuing.data.ts'
import { MY_RATINGS_PREFIX, ratedOf } from '#app/identity/credentials/rated.data.ts'
import type { Outgoing, Rated, ServerRating } from '#app/identity/credentials/rated.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { storedValues } from '#app/kit/ui/stored-value.ts'
import type { Helpful, MyRating, RatingContract, RatingsView } from './rating.contract.ts'
import type { NoteSort, Relation } from './rating.ts'
import { ratingDraftOf } from './rating-input.ts'

type MyAnswer = Output<RatingContract['GET /api/v1/my/ratings']>

/** My ratings of a company: what only this browser knows, and what the account knows. */
export interface MyRatings {
  rating: MyRating | null
  helpful: Helpful[]
  /** Ids of companies merged into this one. */
  formerIds: string[]
  /** Given under the account, before ratings became anonymous. */
  isOfAccount?: boolean
  /**
   * While a rating is `isUnpublished`, others see an older one or none. `isLeaving` means it was removed, but others still
   * see it.
   */
  isUnpublished?: boolean
  isLeaving?: boolean
  /** The rating isn't on the server yet. */
  isGoing?: boolean
  /** This browser knows there's a rating, but not what it says. */
  isUnknown?: boolean
  /** The form is waiting for another device's rating. */
  isRestoring?: boolean
  /** Given here but not sent, because `rating` is from another device and the person must choose between the two. */
  undecided?: MyRating | null
}

export interface RatedCompany {
  id: string
  name: string
  path: string
}

export const NO_RATINGS: MyAnswer = { ratings: [], helpful: [] }

export function myRatingsOf(companyId: string, { rated, answer, formerIds }: MyKnown): MyRatings {
  const own = ratedOf(rated, [companyId, ...formerIds])
  const shared = { helpful: answer.helpful, formerIds }
  if (own?.outgoing && !own.outgoing.hasConflict) {
    const rating = unsent(own.outgoing, own.onServer)
    return { ...shared, rating, isUnpublished: true, isGoing: true, isLeaving: rating === null }
  }
  if (own?.onServer) {
    const { rating, isUnpublished } = own.onServer
    return {
      ...shared,
      rating: rating && { ...rating, ...ratingDraftOf(rating) },
      isUnpublished,
      isLeaving: isUnpublished && rating === null,
      ...(own.outgoing && { undecided: unsent(own.outgoing, own.onServer) }),
    }
  }
  const old = answer.ratings.find((rating) => rating.companyId === companyId) ?? null
  return {
    ...shared,
    rating: old,
    isOfAccount: old !== null,
    isUnknown: own !== undefined && old === null,
    isRestoring: own?.isRestoring === true,
  }
}

interface MyKnown extends Pick<MyRatings, 'formerIds'> {
  rated: Record<string, Rated>
  answer: MyAnswer
}

/** The public numbers that this browser keeps while its own rating waits. */
export const publicOf = ({ minShown, ratings, month, weight, buckets }: RatingsView) => ({
  minShown,
  ratings,
  month,
  weight,
  buckets,
})

/** The rating, as the server will have it. Null while it's being removed. */
export const unsent = ({ rating, badge }: Outgoing, onServer?: ServerRating): MyRating | null =>
  rating && {
    ...ratingDraftOf(rating),
    // Only the server knows whether the badge shows.
    badge: badge ? { ...badge, isShown: false } : null,
    id: onServer?.rating?.id ?? '',
    month: new Date().toISOString().slice(0, 7),
    noteState: 'shown',
  }

export type RatingApi = Client<RatingContract>

/** The server caches pages for this long. */
const HALF_A_MINUTE = 30_000

export const ratingsQuery = (api: RatingApi, companyId: string) =>
  queryOptions({
    queryKey: [...RATINGS_KEY, companyId],
    queryFn: () => api('GET /api/v1/companies/{id}/ratings', { params: { id: companyId } }),
    staleTime: HALF_A_MINUTE,
  })

/** Matches the notes in every order. */
export const notesKey = (companyId: string) => [...RATINGS_KEY, companyId, 'notes']

export interface NotesShown {
  sort?: NoteSort
  relation?: Relation
  verified?: 'yes'
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
 * What the account knows: ratings under it, and helpful votes. Requested once a day for all companies, by whatever page
 * is open, so the request doesn't follow from a form and names no company.
 */
export const myRatingsQuery = (api: RatingApi, sessionKey: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'ratings', sessionKey],
    queryFn: async (): Promise<MyAnswer> => {
      const today = new Date().toISOString().slice(0, 10)
      const kept = answerFor(sessionKey).current()
      if (kept?.day === today) return kept.answer
      const answer = await api('GET /api/v1/my/ratings')
      answerFor(sessionKey).change(() => ({ day: today, answer }))
      return answer
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Updates the cache and this browser's copy. */
export function changeMyAnswer(
  {
    api,
    queryClient,
    sessionKey,
  }: Pick<RatingQueries, 'queryClient' | 'sessionKey'> & { api: RatingApi },
  change: (answer: MyAnswer) => MyAnswer,
) {
  const { queryKey } = myRatingsQuery(api, sessionKey)
  queryClient.setQueryData(queryKey, (answer) => change(answer ?? NO_RATINGS))
  answerFor(sessionKey).change((kept) => kept && { ...kept, answer: change(kept.answer) })
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
  sessionKey: string
  /** Giving a rating also fetches the credential. */
  api: RatingApi & CredentialApi
  queryClient: QueryClient
}
