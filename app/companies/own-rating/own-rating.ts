/** A company's numbers, including your own waiting rating. Only your browser uses them. No I/O here. */
import type { CategoryStars, PublicNumbers, Rated } from '#app/identity/credentials/rated.ts'
import type { RatingCategory } from '../company.ts'
import {
  type MergedMonths,
  numbersOf,
  type OwnChange,
  type RatingNumbers,
  SURGE_DAYS,
  scoreOf,
  tenthsOf,
  withOwn,
} from './rating-buckets.ts'

/** Shown to raters while their stars wait. */
export const RATING_PENDING =
  'Others see it with the next update, along with other people’s ratings, so no one can tell when you rated. That can take a day, or up to two months.'
export const RATING_REMOVAL_PENDING =
  'Your note disappears tonight. Your stars stop counting with the next update, along with other people’s changes, so no one can tell when you removed them.'

/** A waiting rating, with the company's public numbers. */
export interface PendingRating extends OwnChange {
  minShown: number
  buckets: MergedMonths[]
  ratings: number
}

/**
 * @param shown the public numbers. Default: those saved when the rating became pending
 * @returns undefined if nothing is pending, or if the numbers have changed and may already include it
 */
export function pendingRatingOf(
  { outgoing, onServer, base }: Rated,
  shown: PublicNumbers | undefined,
): PendingRating | undefined {
  // Until the person chooses, the other device's rating counts.
  const going = outgoing?.hasConflict ? undefined : outgoing
  const ownRating = going ? going.rating : onServer?.rating
  const isOut = going !== undefined && !going.problem
  if (!base || !(isOut || onServer?.isUnpublished)) return undefined
  if (shown && countsOf(shown) !== countsOf(base)) return undefined
  const { minShown, ratings, buckets: stored, month, weight } = shown ?? base
  const buckets = stored as MergedMonths[]
  const counted = (rating: CategoryStars & { month?: string }) => {
    const { rto, dei, workLife, culture } = rating
    const ratedIn = rating.month ?? month
    const bucket = buckets.find(({ from, to }) => from <= ratedIn && ratedIn <= to)
    return {
      rto,
      dei,
      workLife,
      culture,
      month: ratedIn,
      weight: bucket?.weight ?? (ratedIn === month ? weight : SURGE_DAYS),
      tenths: tenthsOf(rating),
    }
  }
  // If a rating doesn't wait, it's the public one.
  const published = onServer?.isUnpublished === false ? onServer.rating : onServer?.published
  return {
    minShown,
    ratings,
    buckets,
    published: published ? counted(published) : null,
    current: ownRating ? counted(outgoing ? { ...ownRating, month } : ownRating) : null,
  }
}

export const publicRatingOf = ({ buckets }: PendingRating) => scoreOf(buckets)

/** Counts ratings without their weights, which change daily. */
const countsOf = ({ ratings, buckets }: PublicNumbers) =>
  JSON.stringify([
    ratings,
    ...(['rto', 'dei', 'workLife', 'culture'] as const).map((key) =>
      (buckets as MergedMonths[]).reduce(
        (sum, bucket) => sum.map((n, i) => n + (bucket[key][i] ?? 0)),
        [0, 0, 0, 0, 0],
      ),
    ),
  ])

/** A company's numbers in lists and headers. */
export interface OwnNumbers {
  rating: number | null
  ratings: number
  categoryRatings: Record<RatingCategory, number | null>
}

/** Undefined if too few ratings are public. Then this person sees what everyone sees. */
export function ownNumbersOf(waiting: PendingRating): OwnNumbers | undefined {
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

/** A company's numbers on the Ratings tab. */
export interface OwnRatings extends RatingNumbers {
  buckets: MergedMonths[]
  isHeldBack: boolean
}

export function ownRatingsOf(waiting: PendingRating): OwnRatings | undefined {
  const { buckets, minShown, ratings } = waiting
  if (ratings > 0 && ratings < minShown) return undefined
  const withMine = withOwn(buckets, waiting)
  const numbers = numbersOf(withMine)
  if (numbers.ratings >= minShown) return { ...numbers, buckets: withMine, isHeldBack: false }
  return {
    ...numbersOf([]),
    ratings: numbers.ratings,
    buckets: [],
    isHeldBack: numbers.ratings > 0,
  }
}
