/**
 * What a company may learn. Nothing it sees is about fewer than five people, no matter how it adds and subtracts,
 * or when it looks. D15 says why.
 */
import { BREAKDOWN_MIN, RATING_CATEGORIES, type RatingCategory } from '#app/companies/company.ts'
import { daysBefore, monthsBefore, weekOf } from '#app/companies/tracking/day-count.ts'

/** No number may be about fewer people than this. */
export const PEOPLE_MIN = BREAKDOWN_MIN

/** We count a week or month this many days after it ends, so its last posts have arrived. */
const DAYS_OF_GRACE = 1

/** The Monday of the last week that may be counted, never the current one. */
export const lastClosedWeek = (today: string) =>
  daysBefore(weekOf(daysBefore(today, DAYS_OF_GRACE)), 7)

/** The first day of the last month that may be counted. */
export const lastClosedMonth = (today: string) => monthsBefore(daysBefore(today, DAYS_OF_GRACE), 1)

/** An uncounted period, and the day when it will be counted. */
export interface Coming {
  from: string
  to: string
  on: string
}

/**
 * What we count next. We count months along with a week, so a month waits for the next week. @param ratingsWait
 * whether some of the last month's ratings aren't public yet
 */
export function comingCounts(today: string, ratingsWait: boolean): { week: Coming; month: Coming } {
  const week = nextWeek(lastClosedWeek(today))
  const isOver = lastClosedMonth(today)
  const month = nextMonth(ratingsWait ? monthBefore(isOver) : isOver)
  const end = nextMonth(month)
  const counted = daysBefore(ratingsWait ? nextMonth(end) : end, -DAYS_OF_GRACE)
  return {
    week: { from: week, to: daysBefore(nextWeek(week), 1), on: dayOfCounting(nextWeek(week)) },
    month: { from: month, to: daysBefore(end, 1), on: dayOfCountingFrom(counted) },
  }
}

/** @param monday after the counted week */
const dayOfCounting = (monday: string) => daysBefore(monday, -DAYS_OF_GRACE)
/** The first counting day on or after `day`. */
function dayOfCountingFrom(day: string) {
  const ofThisWeek = dayOfCounting(weekOf(day))
  return ofThisWeek >= day ? ofThisWeek : dayOfCounting(nextWeek(weekOf(day)))
}

export const nextWeek = (week: string) => daysBefore(week, -7)
export const nextMonth = (month: string) => monthsBefore(month, -1)
export const monthBefore = (month: string) => monthsBefore(month, 1)

/** Consecutive weeks or months, by the first days of the first and last one. */
interface ClosedSpan<Row> {
  from: string
  to: string
  rows: Row[]
}

/**
 * Joins consecutive periods until each span has enough people. The rest waits for more people.
 * @param rows of closed periods, by the period's first day, in any order
 * @param since the period after the last released one, or else the first with a row
 */
export function closeSpans<Row extends { period: string }>(
  rows: readonly Row[],
  { peopleIn, since, next, min = PEOPLE_MIN }: ClosingRules<Row>,
): ClosedSpan<Row>[] {
  const spans: ClosedSpan<Row>[] = []
  const byPeriod = new Map<string, Row[]>()
  for (const row of rows) {
    const its = byPeriod.get(row.period)
    if (its) its.push(row)
    else byPeriod.set(row.period, [row])
  }
  let from = since
  let waiting: Row[] = []
  for (const [period, its] of [...byPeriod].sort(([a], [b]) => (a < b ? -1 : 1))) {
    from ??= period
    waiting = [...waiting, ...its]
    if (peopleIn(waiting) < min) continue
    spans.push({ from, to: period, rows: waiting })
    from = next(period)
    waiting = []
  }
  return spans
}

interface ClosingRules<Row> {
  peopleIn: (rows: readonly Row[]) => number
  since?: string
  next: (period: string) => string
  min?: number
}

/** Everyone who left. Their posts count, but no one knows how many people they are. */
export const DEPARTED = 0

/** What one person posted in a week. `person` is a number that's only valid within one count. */
export interface PostsOfOne {
  period: string
  person: number
  n: number
}

export const authorsIn = (rows: readonly PostsOfOne[]) =>
  new Set(rows.map(({ person }) => person).filter((person) => person !== DEPARTED)).size

/**
 * What a rating may contain besides its average. If too few people gave some parts, we drop the last ones first.
 */
export const PARTS = [...RATING_CATEGORIES.map(({ key }) => key), 'officeDays'] as const
export type PartKey = RatingCategory | 'officeDays'

/** A month's ratings that contain the same parts. Each belongs to one person. */
export interface RatingsAlike {
  period: string
  has: readonly PartKey[]
  ratings: number
  tenths: number
  sums: Partial<Record<PartKey, number>>
}

export const ratersIn = (rows: readonly RatingsAlike[]) =>
  rows.reduce((sum, { ratings }) => sum + ratings, 0)

/**
 * The parts we may show in addition to the total: as many as possible, as long as at least five people share each
 * combination. This also covers the complement of every sum, because adding and subtracting always yields people
 * with the same parts.
 */
export function publishableParts(rows: readonly RatingsAlike[]): readonly PartKey[] {
  return (
    CHOICES.find((parts) => {
      const alike = new Map<string, number>()
      for (const { has, ratings } of rows) {
        const key = parts.filter((part) => has.includes(part)).join()
        alike.set(key, (alike.get(key) ?? 0) + ratings)
      }
      const isCovered = parts.every((part) => rows.some(({ has }) => has.includes(part)))
      return isCovered && [...alike.values()].every(isShowable)
    }) ?? []
  )
}

/** All sets of parts, largest first. Among sets of the same size, those with the first parts come first. */
const CHOICES = Array.from({ length: 2 ** PARTS.length }, (_, mask) =>
  PARTS.filter((_, i) => (mask & (1 << i)) !== 0),
).toSorted((a, b) => b.length - a.length)

/** No one, or enough people. */
const isShowable = (people: number) => people === 0 || people >= PEOPLE_MIN

export interface RatingNumbers {
  ratings: number
  tenths: number
  parts: Partial<Record<PartKey, { ratings: number; sum: number }>>
}

/** A span's sums, as far as we may show them. */
export function ratingNumbers(rows: readonly RatingsAlike[]): RatingNumbers {
  const parts: RatingNumbers['parts'] = {}
  for (const part of publishableParts(rows)) {
    const holders = rows.filter(({ has }) => has.includes(part))
    parts[part] = {
      ratings: ratersIn(holders),
      sum: holders.reduce((sum, { sums }) => sum + (sums[part] ?? 0), 0),
    }
  }
  return {
    ratings: ratersIn(rows),
    tenths: rows.reduce((sum, { tenths }) => sum + tenths, 0),
    parts,
  }
}

export interface Followers {
  /** The followers when the number was last set. Never shown. */
  basis: number
  /** A multiple of five. Null for fewer than five. */
  shown: number | null
}

/**
 * Changes only once five more or five fewer follow, and shows in fives, so neither weekly numbers nor their
 * differences reveal a single person.
 */
export function nextFollowers(now: number, before: Followers): Followers {
  if (Math.abs(now - before.basis) < PEOPLE_MIN) return before
  const fives = Math.floor(now / PEOPLE_MIN) * PEOPLE_MIN
  return { basis: now, shown: fives === 0 ? null : fives }
}

/** Whether we may show a span's views and applies, and how many people viewed but didn't apply. */
export const isPublishableInterest = ({ views, applies }: { views: number; applies: number }) =>
  views >= PEOPLE_MIN && isShowable(applies) && isShowable(views - applies)
