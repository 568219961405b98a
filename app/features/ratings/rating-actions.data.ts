/** How people change ratings: the page shows it at once, or as soon as the server has answered. */
import type { Answer } from '../../api/contract.ts'
import type { RatingContract } from './rating.contract.ts'
import { myRatingQuery, notesQuery, type RatingQueries } from './rating.data.ts'
import type { RatingInput } from './rating-input.ts'

/** Number, distribution, trend and notes, and wherever else the number stands. */
export const askAgain = ({ queryClient, companyId }: RatingQueries) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['ratings', companyId] }),
    queryClient.invalidateQueries({ queryKey: ['companies'] }),
  ])

const changeMine = (
  { api, queryClient, companyId, who }: RatingQueries,
  change: (mine: MyRatings) => MyRatings,
) =>
  queryClient.setQueryData(
    myRatingQuery(api, companyId, who).queryKey,
    (mine) => mine && change(mine),
  )
type MyRatings = Answer<RatingContract['GET /api/v1/companies/{id}/my-rating']>

/** Done when everything on the page shows it. @throws ApiError */
export async function saveRating(queries: RatingQueries, rating: RatingInput) {
  const saved = await queries.api('PUT /api/v1/companies/{id}/my-rating', {
    params: { id: queries.companyId },
    body: rating,
  })
  changeMine(queries, (mine) => ({ ...mine, rating: saved }))
  await askAgain(queries)
}

/** @throws ApiError */
export async function removeRating(queries: RatingQueries) {
  await queries.api('DELETE /api/v1/companies/{id}/my-rating', {
    params: { id: queries.companyId },
  })
  changeMine(queries, (mine) => ({ ...mine, rating: null }))
  await askAgain(queries)
}

/** Shows at once. @throws ApiError, after it has been taken back */
export async function findHelpful(queries: RatingQueries, noteId: string, isHelpful: boolean) {
  const { api, queryClient, companyId } = queries
  const mark = (isHelpful: boolean) =>
    changeMine(queries, (mine) => ({
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
