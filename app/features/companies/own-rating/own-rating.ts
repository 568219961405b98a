/** A company's number as somebody sees it whose own rating waits: with it, in that browser alone. No I/O here. */
import type { RatingCategory } from '../company.ts'
import {
  type MergedMonths,
  numbersOf,
  type OwnChange,
  type RatingNumbers,
  withOwn,
} from './rating-buckets.ts'

/** What whoever rates reads while their stars wait. */
export const WAITS =
  'Counted from the next publication, together with others, so that nobody can tell when you rated.'
export const LEAVES =
  'Your words go in the night. Your stars leave the number with the next publication, together with others, so that nobody can tell when you took them back.'

/** One's own rating that waits, with what is public of the company. */
interface Waiting extends OwnChange {
  minShown: number
  buckets: MergedMonths[]
  ratings: number
}

/** As lists and headers show them. */
export interface OwnNumbers {
  rating: number | null
  ratings: number
  categoryRatings: Record<RatingCategory, number | null>
}

/** Undefined where too few have rated to know what is public: then everybody sees the same. */
export function ownNumbersOf(waiting: Waiting): OwnNumbers | undefined {
  const own = ownRatingsOf(waiting)
  if (!own) return undefined
  const { ratings, score, categories } = own
  return {
    rating: score,
    ratings,
    categoryRatings: {
      rto: categories.rto.score,
      dei: categories.dei.score,
      workLife: categories.workLife.score,
      culture: categories.culture.score,
    },
  }
}

/** All of it, as the Ratings tab shows it. */
export interface OwnRatings extends RatingNumbers {
  buckets: MergedMonths[]
  isHeldBack: boolean
}

export function ownRatingsOf(waiting: Waiting): OwnRatings | undefined {
  const { buckets, minShown, ratings } = waiting
  if (ratings > 0 && ratings < minShown) return undefined
  const mine = withOwn(buckets, waiting)
  const numbers = numbersOf(mine)
  if (numbers.ratings >= minShown) return { ...numbers, buckets: mine, isHeldBack: false }
  return {
    ...numbersOf([]),
    ratings: numbers.ratings,
    buckets: [],
    isHeldBack: numbers.ratings > 0,
  }
}
