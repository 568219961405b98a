import type { RatingBadge } from '#app/companies/badges/badge.contract.ts'
import { COMPANIES_KEY, RATINGS_KEY } from '#app/companies/company.ts'
import type { Helpful } from './rating.contract.ts'
import {
  changeMyAnswer,
  type MyRatings,
  notesKey,
  publicOf,
  type RatingApi,
  type RatingQueries,
  ratingsQuery,
} from './rating.data.ts'
import type { RatingInput } from './rating-input.ts'

/** Everything that shows the number: distribution, trend, notes, and lists. */
export const invalidateRatings = ({
  queryClient,
  company,
}: Pick<RatingQueries, 'queryClient' | 'company'>) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: [...RATINGS_KEY, company.id] }),
    queryClient.invalidateQueries({ queryKey: COMPANIES_KEY }),
  ])

/** Sends the public request that everyone sends. Undefined if it fails. The rating is given anyway. */
const askPublic = ({ api, queryClient, company }: RatingQueries) =>
  queryClient.ensureQueryData(ratingsQuery(api, company.id)).catch(() => undefined)

/**
 * Resolves once this browser has stored the rating. We send it later, on its own. @throws ApiError,
 * SecretElsewhere, ForeignIssuer, KeepsNothing
 */
export async function saveRating(
  queries: RatingQueries,
  myRatings: MyRatings,
  given: { rating: RatingInput; badge?: RatingBadge | undefined },
) {
  const [{ giveRating }, view] = await Promise.all([
    import('./presented/presented-rating.data.ts'),
    askPublic(queries),
  ])
  const formerIds = view?.formerIds ?? myRatings.formerIds
  await giveRating(queries, myRatings, { ...given, formerIds, base: view && publicOf(view) })
}

/** @throws ApiError */
export async function removeRating(queries: RatingQueries, myRatings: MyRatings) {
  if (myRatings.isOfAccount) {
    const { id } = queries.company
    await queries.api('DELETE /api/v1/companies/{id}/my-rating', { params: { id } })
    forgetOldRating(queries, id)
    await invalidateRatings(queries)
  } else {
    const { removePresentedRating } = await import('./presented/presented-rating.data.ts')
    removePresentedRating(queries, myRatings)
  }
}

export const forgetOldRating = (
  queries: Pick<RatingQueries, 'queryClient' | 'sessionKey'> & { api: RatingApi },
  id: string,
) =>
  changeMyAnswer(queries, (answer) => ({
    ...answer,
    ratings: answer.ratings.filter(({ companyId }) => companyId !== id),
  }))

/** Optimistic. @throws ApiError, after undoing it */
export async function voteHelpful(queries: RatingQueries, before: Helpful[], vote: HelpfulVote) {
  const { api, queryClient, company } = queries
  const { id, isHelpful } = vote
  const mark = (own: Helpful[]) =>
    changeMyAnswer(queries, ({ helpful, ...answer }) => ({
      ...answer,
      helpful: [...helpful.filter((it) => it.id !== id), ...own],
    }))
  mark(isHelpful ? [{ id, isCounted: false }] : [])
  try {
    const stored = await api('PUT /api/v1/notes/{id}/helpful', {
      params: { id },
      body: { isHelpful },
    })
    mark(stored.isHelpful ? [{ id, isCounted: stored.isCounted }] : [])
    if (stored.isCounted) await queryClient.invalidateQueries({ queryKey: notesKey(company.id) })
  } catch (error) {
    mark(before.filter((it) => it.id === id))
    throw error
  }
}

interface HelpfulVote {
  id: string
  isHelpful: boolean
}
