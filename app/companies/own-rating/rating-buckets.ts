/**
 * The average of a rating and the score of a company. Merges counters, so no published row is one person's. Runs on the
 * server, and in a browser with its own rating. No I/O here.
 */
import { BREAKDOWN_MIN, type RatingCategory } from '../company.ts'

/** Days until a surge's ratings count in full, and a full weight, in thirtieths. */
export const SURGE_DAYS = 30

/** Mean of the rated categories (0 means "not rated"), to one decimal, or 0 if none is rated. Spec §5. */
export function averageRating(scores: Record<RatingCategory, number>): number {
  const rated = Object.values(scores).filter((score) => score > 0)
  if (rated.length === 0) return 0
  return Math.round((rated.reduce((sum, score) => sum + score, 0) / rated.length) * 10) / 10
}

/** One rating's average (Spec §5), in tenths. */
export const tenthsOf = ({ rto, dei, workLife, culture }: Record<RatingCategory, number | null>) =>
  Math.round(
    10 *
      averageRating({
        rto: rto ?? 0,
        dei: dei ?? 0,
        workLife: workLife ?? 0,
        culture: culture ?? 0,
      }),
  )

export interface Month {
  /** Such as 2026-03. */
  month: string
  ratings: number
  /** Weight of the bucket's ratings, in thirtieths. */
  weight: number
  tenths: number
  rto: number[]
  dei: number[]
  workLife: number[]
  culture: number[]
}

export interface MergedMonths extends Omit<Month, 'month'> {
  from: string
  to: string
}

/**
 * Merges consecutive months with equal weight until each bucket has five ratings. A bucket has fewer only if it has no
 * such neighbor. Sums stay sums, so the score can be computed exactly.
 * @param months in any order
 */
export const mergeMonths = (months: readonly Month[]): MergedMonths[] =>
  mergeBuckets(months.map(({ month, ...counts }) => ({ from: month, to: month, ...counts })))

/** `mergeMonths` for buckets whose numbers have changed since. */
function mergeBuckets(buckets: readonly MergedMonths[]): MergedMonths[] {
  const merged: MergedMonths[] = []
  const close = () => {
    const [last, before] = [merged.at(-1), merged.at(-2)]
    if (!last || !before || last.ratings >= BREAKDOWN_MIN || before.weight !== last.weight) return
    merged.splice(-2, 2, joined(before, last))
  }
  for (const next of buckets.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (next.ratings === 0) continue
    const last = merged.at(-1)
    if (last && last.ratings < BREAKDOWN_MIN && last.weight === next.weight)
      merged[merged.length - 1] = joined(last, next)
    else {
      if (last && last.weight !== next.weight) close()
      merged.push(next)
    }
  }
  close()
  return merged
}

const joined = (one: MergedMonths, other: MergedMonths): MergedMonths => ({
  from: one.from,
  to: other.to,
  weight: one.weight,
  ratings: one.ratings + other.ratings,
  tenths: one.tenths + other.tenths,
  rto: sums(one.rto, other.rto),
  dei: sums(one.dei, other.dei),
  workLife: sums(one.workLife, other.workLife),
  culture: sums(one.culture, other.culture),
})

const sums = (one: number[], other: number[]) => one.map((n, i) => n + (other[i] ?? 0))

interface Part {
  key: string
  ratings: number
  score: number
}

/**
 * Parts of `total` ratings that may be shown. Each needs five people inside and five outside, and either none or five may
 * be outside of all parts. Otherwise, a subtraction would reveal what a few people gave.
 */
export function safeParts(parts: readonly Part[], total: number): Part[] {
  const shown = parts
    .filter(({ ratings }) => ratings >= BREAKDOWN_MIN && total - ratings >= BREAKDOWN_MIN)
    .toSorted((a, b) => b.ratings - a.ratings)
  while (shown.length > 0) {
    const rest = total - shown.reduce((sum, { ratings }) => sum + ratings, 0)
    if (rest === 0 || rest >= BREAKDOWN_MIN) break
    shown.pop()
  }
  return parts.filter((part) => shown.includes(part))
}

/** Weighted; null without ratings. */
export function scoreOf(buckets: readonly Pick<Month, 'ratings' | 'weight' | 'tenths'>[]) {
  const people = buckets.reduce((sum, { ratings, weight }) => sum + weight * ratings, 0)
  if (people === 0) return null
  return buckets.reduce((sum, { tenths, weight }) => sum + weight * tenths, 0) / (10 * people)
}

/** Weighted; null without ratings. */
export function categoryScoreOf(counts: readonly { weight: number; stars: readonly number[] }[]) {
  let [people, stars] = [0, 0]
  for (const { weight, stars: often } of counts)
    for (const [i, n] of often.entries()) {
      people += weight * n
      stars += weight * n * (i + 1)
    }
  return people === 0 ? null : stars / people
}

export interface RatingNumbers {
  ratings: number
  score: number | null
  categories: Record<RatingCategory, { score: number | null; stars: number[] }>
}

export function numbersOf(buckets: readonly Omit<Month, 'month'>[]): RatingNumbers {
  const category = (key: RatingCategory) => {
    const counts = buckets.map((bucket) => ({ weight: bucket.weight, stars: bucket[key] }))
    return {
      score: categoryScoreOf(counts),
      stars: counts.reduce((sum, { stars }) => sums(sum, stars), [0, 0, 0, 0, 0]),
    }
  }
  return {
    ratings: buckets.reduce((sum, { ratings }) => sum + ratings, 0),
    score: scoreOf(buckets),
    categories: {
      rto: category('rto'),
      dei: category('dei'),
      workLife: category('workLife'),
      culture: category('culture'),
    },
  }
}

export interface OneRating extends Record<RatingCategory, number | null> {
  month: string
  /** Weight of its month, in thirtieths. */
  weight: number
  tenths: number
}

/** Your rating as published and as it is now, if they differ. */
export interface OwnChange {
  published: OneRating | null
  current: OneRating | null
}

export function withOwn(
  buckets: readonly MergedMonths[],
  { published, current }: OwnChange,
): MergedMonths[] {
  const taken = published ? added(buckets, published, -1) : buckets
  return mergeBuckets(current ? added(taken, current, 1) : taken)
}

function added(buckets: readonly MergedMonths[], one: OneRating, n: 1 | -1): MergedMonths[] {
  const { month, weight, tenths } = one
  const stars = (key: RatingCategory) =>
    [1, 2, 3, 4, 5].map((count) => (one[key] === count ? n : 0))
  const own: MergedMonths = {
    from: month,
    to: month,
    weight,
    ratings: n,
    tenths: n * tenths,
    rto: stars('rto'),
    dei: stars('dei'),
    workLife: stars('workLife'),
    culture: stars('culture'),
  }
  const at = buckets.findIndex(
    (bucket) => bucket.from <= month && month <= bucket.to && bucket.weight === weight,
  )
  if (at < 0) return [...buckets, own]
  const { from, to } = buckets[at] as MergedMonths
  return buckets.with(at, { ...joined(buckets[at] as MergedMonths, own), from, to })
}
