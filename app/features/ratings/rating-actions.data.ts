/** How people change ratings: the page shows it at once, or as soon as the server has answered. */
import type { Answer } from '../../api/contract.ts'
import { ownRatingQuery } from '../companies/own-rating/own-rating.data.ts'
import type { Helpful, RatingContract } from './rating.contract.ts'
import { myRatingQuery, notesKey, type RatingQueries } from './rating.data.ts'
import type { RatingInput } from './rating-input.ts'

/** Number, distribution, trend and notes, and wherever else the number stands. */
export const askAgain = ({ queryClient, companyId }: RatingQueries) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['ratings', companyId] }),
    queryClient.invalidateQueries({ queryKey: ['companies'] }),
  ])

/** One's own is in the number before anything else says so. @returns whether it waits */
async function askWaiting({ api, queryClient, companyId, who }: RatingQueries) {
  const query = ownRatingQuery(api, companyId, who)
  await queryClient.invalidateQueries({ queryKey: query.queryKey, refetchType: 'none' })
  // It is saved, whatever becomes of this question.
  return queryClient.fetchQuery(query).then(Boolean, () => false)
}

const changeMine = (
  { api, queryClient, companyId, who }: RatingQueries,
  change: (mine: MyRatings) => MyRatings,
) =>
  queryClient.setQueryData(
    myRatingQuery(api, companyId, who).queryKey,
    (mine) => mine && change(mine),
  )
type MyRatings = Answer<RatingContract['GET /api/v1/companies/{id}/my-rating']>

/** Done when everything on the page shows it. @returns whether it waits to be published @throws ApiError */
export async function saveRating(queries: RatingQueries, rating: RatingInput) {
  const saved = await queries.api('PUT /api/v1/companies/{id}/my-rating', {
    params: { id: queries.companyId },
    body: rating,
  })
  changeMine(queries, (mine) => ({ ...mine, rating: saved }))
  return (await Promise.all([askWaiting(queries), askAgain(queries)]))[0]
}

/** @throws ApiError */
export async function removeRating(queries: RatingQueries) {
  await queries.api('DELETE /api/v1/companies/{id}/my-rating', {
    params: { id: queries.companyId },
  })
  changeMine(queries, (mine) => ({ ...mine, rating: null }))
  await Promise.all([askWaiting(queries), askAgain(queries)])
}

/** Shows at once. @throws ApiError, after it has been taken back */
export async function findHelpful(queries: RatingQueries, noteId: string, isHelpful: boolean) {
  const { api, queryClient, companyId } = queries
  const mine = myRatingQuery(api, companyId, queries.who)
  const before = queryClient.getQueryData(mine.queryKey)?.helpful
  const mark = (own: Helpful[]) =>
    changeMine(queries, (mine) => ({
      ...mine,
      helpful: [...mine.helpful.filter(({ id }) => id !== noteId), ...own],
    }))
  mark(isHelpful ? [{ id: noteId, isCounted: false }] : [])
  try {
    const told = await api('PUT /api/v1/notes/{id}/helpful', {
      params: { id: noteId },
      body: { isHelpful },
    })
    mark(told.isHelpful ? [{ id: noteId, isCounted: told.isCounted }] : [])
    if (told.isCounted) await queryClient.invalidateQueries({ queryKey: notesKey(companyId) })
  } catch (error) {
    mark(before?.filter(({ id }) => id === noteId) ?? [])
    throw error
  }
}
