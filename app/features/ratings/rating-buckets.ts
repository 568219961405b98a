/** What may be published of the counters, so that no row of it is one person. No I/O here. */
import { BREAKDOWN_MIN } from '../companies/company.ts'

export interface Month {
  /** Such as 2026-03. */
  month: string
  ratings: number
  /** In thirtieths. */
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
 * Months in a row that count alike, put together until five people are in each; fewer only where no
 * neighbour counts alike. Sums stay sums, so the score can still be made from them exactly.
 * @param months in any order
 */
export function mergeMonths(months: readonly Month[]): MergedMonths[] {
  const merged: MergedMonths[] = []
  const close = () => {
    const [last, before] = [merged.at(-1), merged.at(-2)]
    if (!last || !before || last.ratings >= BREAKDOWN_MIN || before.weight !== last.weight) return
    merged.splice(-2, 2, joined(before, last))
  }
  for (const { month, ...counts } of months.toSorted((a, b) => (a.month < b.month ? -1 : 1))) {
    if (counts.ratings === 0) continue
    const next = { from: month, to: month, ...counts }
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

export interface Part {
  key: string
  ratings: number
  score: number
}

/**
 * Those parts of `total` ratings that may be shown: five people in each, five outside of each, and
 * none or five outside of all, as otherwise subtracting would tell what the few gave.
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

/** The score of buckets as it is shown: weighted by thirtieths; null while there is none. */
export function scoreOf(buckets: readonly Pick<Month, 'ratings' | 'weight' | 'tenths'>[]) {
  const people = buckets.reduce((sum, { ratings, weight }) => sum + weight * ratings, 0)
  if (people === 0) return null
  return buckets.reduce((sum, { tenths, weight }) => sum + weight * tenths, 0) / (10 * people)
}

/** The score of one category, likewise. */
export function categoryScoreOf(counts: readonly { weight: number; stars: readonly number[] }[]) {
  let [people, stars] = [0, 0]
  for (const { weight, stars: often } of counts)
    for (const [i, n] of often.entries()) {
      people += weight * n
      stars += weight * n * (i + 1)
    }
  return people === 0 ? null : stars / people
}
