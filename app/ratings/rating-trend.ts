/** How a company's number came to be what it is, bucket by bucket. No I/O here. */

import { scoreOf } from '#app/companies/own-rating/rating-buckets.ts'
import { dateText } from '#app/kit/ui/date-text.ts'

export const TREND_MONTHS = 24

interface Bucket {
  from: string
  to: string
  ratings: number
  weight: number
  tenths: number
}

export interface TrendPoint extends Pick<Bucket, 'from' | 'to' | 'ratings'> {
  /** Months since the left edge of the trend, from 0 up to TREND_MONTHS - 1. */
  at: number
  /** What these people gave. */
  mean: number
  /** What the number has been since. */
  score: number
}

/** Months from `from` to `to`, both such as 2026-03. */
export function monthsBetween(from: string, to: string): number {
  const [from_, to_] = [from, to].map((month) => {
    const [year = 0, number = 0] = month.split('-').map(Number)
    return year * 12 + number
  })
  return (to_ as number) - (from_ as number)
}

/**
 * The number after each bucket of the last 24 months, the oldest first; what lies further back has
 * gone into it. Weights are those of today, so the last number is the one that is shown.
 * @param month the present one
 */
export function trendOf(buckets: readonly Bucket[], month: string): TrendPoint[] {
  return buckets
    .map((bucket, i) => ({
      from: bucket.from,
      to: bucket.to,
      ratings: bucket.ratings,
      at: TREND_MONTHS - 1 - monthsBetween(bucket.to, month),
      mean: bucket.tenths / (10 * bucket.ratings),
      score: scoreOf(buckets.slice(0, i + 1)) ?? 0,
    }))
    .filter(({ at }) => at >= 0)
}

/** "March 2026", or "January to March 2026", or "November 2025 to March 2026". */
export function monthsName({ from, to }: { from: string; to: string }): string {
  if (from === to) return dateText(from)
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  return `${isOneYear ? dateText(from).split(' ')[0] : dateText(from)} to ${dateText(to)}`
}
