/** What is one's own about companies' ratings: of this browser alone, and what the account knows of. No I/O here. */
import type { Answer } from '#app/api/contract.ts'
import {
  type Held,
  type Outgoing,
  type Rated,
  ratedOf,
} from '#app/identity/credentials/rated.data.ts'
import type { Helpful, MyRating, RatingContract, RatingsView } from './rating.contract.ts'

/** What the account told of all companies at once. */
export type MyAnswer = Answer<RatingContract['GET /api/v1/my/ratings']>

export interface MyRatings {
  rating: MyRating | null
  helpful: Helpful[]
  /** Of companies that became part of this one. */
  formerIds: string[]
  /** It was given under the account, before ratings named nobody. */
  isOfAccount?: boolean
  /** Others see another one, or none; `isLeaving`: it is taken back, and they still see it. */
  isWaiting?: boolean
  isLeaving?: boolean
  /** It isn't on the server yet. */
  isGoing?: boolean
  /** This browser knows that there is one, and not yet what. */
  isUnknown?: boolean
  /** The form waits to hear what another device gave. */
  isAwaited?: boolean
  /** What was given here, and isn't sent: `rating` is of another device, and its person says which is to stand. */
  asked?: MyRating | null
}

export interface RatedCompany {
  id: string
  name: string
  /** Where its page is. */
  path: string
}

export const NOTHING: MyAnswer = { ratings: [], helpful: [] }

/** One company's. */
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

/** What this browser keeps of what is public, while one's own waits. */
export const publicOf = ({ minShown, ratings, month, weight, buckets }: RatingsView) => ({
  minShown,
  ratings,
  month,
  weight,
  buckets,
})

/** As it will stand there; null where it is taken back. */
export const unsent = ({ rating, badge }: Outgoing, held?: Held): MyRating | null =>
  rating && {
    ...(rating as unknown as MyRating),
    // Whether it shows, is known once it is there.
    badge: badge ? { ...badge, isShown: false } : null,
    id: (held?.rating?.id as string | undefined) ?? '',
    month: new Date().toISOString().slice(0, 7),
    noteState: 'shown',
  }
