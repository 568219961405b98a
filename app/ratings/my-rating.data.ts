/** My ratings of companies: what this browser alone knows, and what the account knows. No I/O here. */
import type { Answer } from '#app/api/contract.ts'
import {
  type Held,
  type Outgoing,
  type Rated,
  ratedOf,
} from '#app/identity/credentials/rated.data.ts'
import type { Helpful, MyRating, RatingContract, RatingsView } from './rating.contract.ts'

export type MyAnswer = Answer<RatingContract['GET /api/v1/my/ratings']>

export interface MyRatings {
  rating: MyRating | null
  helpful: Helpful[]
  /** Of companies merged into this one. */
  formerIds: string[]
  /** Given under the account, before ratings named no one. */
  isOfAccount?: boolean
  /** Others still see another one, or none. `isLeaving`: it was removed, and they still see it. */
  isWaiting?: boolean
  isLeaving?: boolean
  /** Not on the server yet. */
  isGoing?: boolean
  /** This browser knows there is one, but not what. */
  isUnknown?: boolean
  /** The form waits for what another device gave. */
  isAwaited?: boolean
  /** Given here and not sent: `rating` is from another device, and its person chooses between the two. */
  asked?: MyRating | null
}

export interface RatedCompany {
  id: string
  name: string
  path: string
}

export const NOTHING: MyAnswer = { ratings: [], helpful: [] }

export function myRatingsOf(companyId: string, { rated, told, formerIds }: MyKnown): MyRatings {
  const own = ratedOf(rated, [companyId, ...formerIds])
  const mine = { helpful: told.helpful, formerIds }
  if (own?.outgoing && !own.outgoing.isAsked) {
    const rating = unsent(own.outgoing, own.held)
    return { ...mine, rating, isWaiting: true, isGoing: true, isLeaving: rating === null }
  }
  if (own?.held) {
    const { rating, isWaiting } = own.held
    return {
      ...mine,
      rating: rating as MyRating | null,
      isWaiting,
      isLeaving: isWaiting && rating === null,
      ...(own.outgoing && { asked: unsent(own.outgoing, own.held) }),
    }
  }
  const old = told.ratings.find((rating) => rating.companyId === companyId) ?? null
  return {
    ...mine,
    rating: old,
    isOfAccount: old !== null,
    isUnknown: own !== undefined && old === null,
    isAwaited: own?.isAwaited === true,
  }
}

export interface MyKnown extends Pick<MyRatings, 'formerIds'> {
  rated: Record<string, Rated>
  told: MyAnswer
}

/** The public numbers that this browser keeps while its own rating waits. */
export const publicOf = ({ minShown, ratings, month, weight, buckets }: RatingsView) => ({
  minShown,
  ratings,
  month,
  weight,
  buckets,
})

/** As it will be on the server; null when it is being removed. */
export const unsent = ({ rating, badge }: Outgoing, held?: Held): MyRating | null =>
  rating && {
    ...(rating as unknown as MyRating),
    // The server knows whether it shows.
    badge: badge ? { ...badge, isShown: false } : null,
    id: (held?.rating?.id as string | undefined) ?? '',
    month: new Date().toISOString().slice(0, 7),
    noteState: 'shown',
  }
