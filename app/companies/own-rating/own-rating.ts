/** A company's number as somebody sees it whose own rating waits: with it, in that browser alone. No I/O here. */
import type { PublicNumbers, Rated, Stars } from '#app/identity/credentials/rated.ts'
import { type RatingCategory, tenthsOf } from '../company.ts'
import {
  type MergedMonths,
  numbersOf,
  type OwnChange,
  type RatingNumbers,
  scoreOf,
  withOwn,
} from './rating-buckets.ts'

/** What whoever rates reads while their stars wait. */
export const WAITS =
  'Counted from the next publication, together with others, so that nobody can tell when you rated.'
export const LEAVES =
  'Your note goes tonight. Your stars leave the number with the next publication, together with others, so that nobody can tell when you took them back.'

/** One's own rating that waits, with what is public of the company. */
export interface Waiting extends OwnChange {
  minShown: number
  buckets: MergedMonths[]
  ratings: number
}

/** Of a month without a surge, in thirtieths. */
const USUAL_WEIGHT = 30

/**
 * What waits of what somebody rated, beside what is public.
 * @param shown as it is public now; without it as it was when theirs began to wait
 * @returns undefined where nothing waits, or what is public has moved: theirs may be in it then
 */
export function waitingOf(
  { outgoing, held, base }: Rated,
  shown: PublicNumbers | undefined,
): Waiting | undefined {
  // What its person is asked about stands nowhere: what another device gave does.
  const going = outgoing?.isAsked ? undefined : outgoing
  const given = going ? going.rating : held?.rating
  const isOut = going !== undefined && !going.problem
  if (!base || !(isOut || held?.isWaiting)) return undefined
  if (shown && countsOf(shown) !== countsOf(base)) return undefined
  const { minShown, ratings, buckets: stored, month, weight } = shown ?? base
  const buckets = stored as MergedMonths[]
  const counted = (rating: Stars & { month?: unknown }) => {
    const { rto, dei, workLife, culture } = rating
    const of = typeof rating.month === 'string' ? rating.month : month
    const bucket = buckets.find(({ from, to }) => from <= of && of <= to)
    return {
      rto,
      dei,
      workLife,
      culture,
      month: of,
      weight: bucket?.weight ?? (of === month ? weight : USUAL_WEIGHT),
      tenths: tenthsOf(rating),
    }
  }
  // What does not wait is what is public.
  const published = held?.isWaiting === false ? held.rating : held?.published
  return {
    minShown,
    ratings,
    buckets,
    published: published ? counted(published as Stars) : null,
    current: given ? counted(outgoing ? { ...given, month } : given) : null,
  }
}

/** What everybody sees of it. */
export const publicRatingOf = ({ buckets }: Waiting) => scoreOf(buckets)

/** Without weights, which change by the day. */
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
