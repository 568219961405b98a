/** How screens ask for ratings. Fresh for 30 seconds, as the pages of the server are. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '../../api/client.ts'
import type { MY_KEY } from '../../session/live-session.data.ts'
import type { MyRatings, RatedCompany } from './my-rating.data.ts'
import type { RatingContract } from './rating.contract.ts'
import type { NoteSort, Relation } from './rating.ts'

export type RatingApi = Client<RatingContract>

const HALF_A_MINUTE = 30_000
/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'

export const ratingsQuery = (api: RatingApi, companyId: string) =>
  queryOptions({
    queryKey: ['ratings', companyId],
    queryFn: () => api('GET /api/v1/companies/{id}/ratings', { params: { id: companyId } }),
    staleTime: HALF_A_MINUTE,
    retry: retryUnlessRefused,
  })

/** In whatever order they are shown. */
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
    retry: retryUnlessRefused,
  })

interface Asked {
  company: RatedCompany
  who: string
}

/** What is one's own about a company's ratings, which this browser looks for by a key; another person's is another answer. */
export const myRatingQuery = (api: RatingApi, { company, who }: Asked) =>
  queryOptions({
    queryKey: [MINE, 'rating', who, company.id],
    queryFn: async (): Promise<MyRatings> => {
      const told = await api('GET /api/v1/companies/{id}/my-rating', { params: { id: company.id } })
      const { withHeldRating } = await import('./presented/held-rating.data.ts')
      return withHeldRating(told, { company, who })
    },
    staleTime: HALF_A_MINUTE,
    retry: retryUnlessRefused,
  })

/** One company's ratings as one person sees them. */
export interface RatingQueries extends Asked {
  api: RatingApi
  queryClient: QueryClient
}
