/** A company's score over time. No I/O here. */

import { scoreOf } from '#app/companies/own-rating/rating-buckets.ts'
import { dateText } from '#app/kit/ui/format.ts'

export const TREND_MONTHS = 24

interface Bucket {
  from: string
  to: string
  ratings: number
  weight: number
  tenths: number
}

export interface TrendPoint extends Pick<Bucket, 'from' | 'to' | 'ratings'> {
  /** Months since the trend's left edge, 0 to TREND_MONTHS - 1. */
  at: number
  /** The mean of these ratings. */
  mean: number
  /** The company's score from then on. */
  score: number
}

/** Months are such as 2026-03. */
export function monthsBetween(from: string, to: string): number {
  const [from_, to_] = [from, to].map((month) => {
    const [year = 0, number = 0] = month.split('-').map(Number)
    return year * 12 + number
  })
  return (to_ as number) - (from_ as number)
}

/**
 * The score after each bucket of the last 24 months, oldest first. Earlier buckets are included. Weights are today's,
 * so the last score is the one people see.
 * @param month the current one
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
