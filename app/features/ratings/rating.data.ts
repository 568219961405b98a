/** How screens ask for ratings and change them. Fresh for 30 seconds, as the pages of the server are. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '../../api/client.ts'
import type { Answer } from '../../api/contract.ts'
import type { MY_KEY } from '../accounts/live-session.data.ts'
import type { RatingContract, RatingInput } from './rating.contract.ts'

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

export const notesQuery = (api: RatingApi, companyId: string) =>
  infiniteQueryOptions({
    queryKey: ['ratings', companyId, 'notes'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/companies/{id}/notes', {
        params: { id: companyId },
        query: { after: after ?? undefined },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: HALF_A_MINUTE,
    retry: retryUnlessRefused,
  })

/** What is one's own about a company's ratings; another person's is another answer. */
export const myRatingQuery = (api: RatingApi, companyId: string, who: string) =>
  queryOptions({
    queryKey: [MINE, 'rating', who, companyId],
    queryFn: () => api('GET /api/v1/companies/{id}/my-rating', { params: { id: companyId } }),
    staleTime: HALF_A_MINUTE,
    retry: retryUnlessRefused,
  })

/** One company's ratings as one person sees them. */
export interface RatingDesk {
  api: RatingApi
  queryClient: QueryClient
  companyId: string
  who: string
}

/** Number, distribution, trend and notes, and wherever else the number stands. */
export const askAgain = ({ queryClient, companyId }: RatingDesk) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['ratings', companyId] }),
    queryClient.invalidateQueries({ queryKey: ['companies'] }),
  ])

const changeMine = (
  { api, queryClient, companyId, who }: RatingDesk,
  change: (mine: MyRatings) => MyRatings,
) =>
  queryClient.setQueryData(
    myRatingQuery(api, companyId, who).queryKey,
    (mine) => mine && change(mine),
  )
type MyRatings = Answer<RatingContract['GET /api/v1/companies/{id}/my-rating']>

/** Done when everything on the page shows it. @throws ApiError */
export async function saveRating(desk: RatingDesk, rating: RatingInput) {
  const saved = await desk.api('PUT /api/v1/companies/{id}/my-rating', {
    params: { id: desk.companyId },
    body: rating,
  })
  changeMine(desk, (mine) => ({ ...mine, rating: saved }))
  await askAgain(desk)
}

/** @throws ApiError */
export async function removeRating(desk: RatingDesk) {
  await desk.api('DELETE /api/v1/companies/{id}/my-rating', { params: { id: desk.companyId } })
  changeMine(desk, (mine) => ({ ...mine, rating: null }))
  await askAgain(desk)
}

/** Shows at once. @throws ApiError, after it has been taken back */
export async function findHelpful(desk: RatingDesk, noteId: string, isHelpful: boolean) {
  const { api, queryClient, companyId } = desk
  const mark = (isHelpful: boolean) =>
    changeMine(desk, (mine) => ({
      ...mine,
      helpful: [...mine.helpful.filter((id) => id !== noteId), ...(isHelpful ? [noteId] : [])],
    }))
  const count = (change: (helpful: number) => number) =>
    queryClient.setQueryData(
      notesQuery(api, companyId).queryKey,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            notes: page.notes.map((note) =>
              note.id === noteId ? { ...note, helpful: change(note.helpful) } : note,
            ),
          })),
        },
    )
  const by = isHelpful ? 1 : -1
  mark(isHelpful)
  count((helpful) => helpful + by)
  try {
    const told = await api('PUT /api/v1/notes/{id}/helpful', {
      params: { id: noteId },
      body: { isHelpful },
    })
    mark(told.isHelpful)
    count(() => told.helpful)
  } catch (error) {
    mark(!isHelpful)
    count((helpful) => helpful - by)
    throw error
  }
}
