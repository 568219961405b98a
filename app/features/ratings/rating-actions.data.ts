/** How people change ratings: the page shows it at once, or as soon as the server has answered. */
import type { Answer } from '../../api/contract.ts'
import type { RatingContract, RatingInput } from './rating.contract.ts'
import { myRatingQuery, notesQuery, type RatingDesk } from './rating.data.ts'

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
