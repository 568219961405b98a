/** How people change ratings: the page shows it at once, or as soon as the server has answered. */
import type { RatingBadge } from '../badges/badge.contract.ts'
import { ownRatingQuery } from '../companies/own-rating/own-rating.data.ts'
import type { MyRatings } from './my-rating.data.ts'
import type { Helpful } from './rating.contract.ts'
import { myRatingQuery, notesKey, type RatingQueries } from './rating.data.ts'
import type { RatingInput } from './rating-input.ts'

/** Number, distribution, trend and notes, and wherever else the number stands. */
export const askAgain = ({
  queryClient,
  company,
}: Pick<RatingQueries, 'queryClient' | 'company'>) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['ratings', company.id] }),
    queryClient.invalidateQueries({ queryKey: ['companies'] }),
  ])

/** One's own is in the number before anything else says so. @returns whether it waits */
async function askWaiting({ queryClient, company, who }: RatingQueries) {
  const query = ownRatingQuery(company.id, who)
  await queryClient.invalidateQueries({ queryKey: query.queryKey, refetchType: 'none' })
  // It is saved, whatever becomes of this question.
  return queryClient.fetchQuery(query).then(Boolean, () => false)
}

const mineIn = ({ queryClient, ...queries }: RatingQueries) =>
  queryClient.getQueryData(myRatingQuery(queries.api, queries).queryKey)

const changeMine = (queries: RatingQueries, change: (mine: MyRatings) => MyRatings) =>
  queries.queryClient.setQueryData(
    myRatingQuery(queries.api, queries).queryKey,
    (mine) => mine && change(mine),
  )

/**
 * Done when everything on the page shows it; it is sent some time later, apart from all else.
 * @returns whether it waits to be published
 * @throws ApiError, SecretElsewhere, ForeignIssuer, KeepsNothing
 */
export async function saveRating(queries: RatingQueries, rating: RatingInput, badge?: RatingBadge) {
  const { giveRating } = await import('./presented/held-rating.data.ts')
  const mine = await giveRating(queries, mineIn(queries), { rating, badge })
  changeMine(queries, (before) => ({ ...before, ...mine }))
  return (await Promise.all([askWaiting(queries), askAgain(queries)]))[0]
}

/** @throws ApiError */
export async function removeRating(queries: RatingQueries) {
  const mine = mineIn(queries)
  if (mine?.isOfAccount)
    await queries.api('DELETE /api/v1/companies/{id}/my-rating', {
      params: { id: queries.company.id },
    })
  else {
    const { takeBackRating } = await import('./presented/held-rating.data.ts')
    takeBackRating(queries, mine)
  }
  changeMine(queries, (mine) => ({ ...mine, rating: null, isOfAccount: false }))
  await Promise.all([askWaiting(queries), askAgain(queries)])
}

/** Shows at once. @throws ApiError, after it has been taken back */
export async function findHelpful(queries: RatingQueries, noteId: string, isHelpful: boolean) {
  const { api, queryClient, company } = queries
  const before = mineIn(queries)?.helpful
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
    if (told.isCounted) await queryClient.invalidateQueries({ queryKey: notesKey(company.id) })
  } catch (error) {
    mark(before?.filter(({ id }) => id === noteId) ?? [])
    throw error
  }
}
