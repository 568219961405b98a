/**
 * What may be told to a company, so that nothing told is about fewer than five people, however one adds
 * and subtracts, and whenever one asks. No I/O here. Why: D15.
 */
import { BREAKDOWN_MIN, RATING_CATEGORIES, type RatingCategory } from '#app/companies/company.ts'
import { daysBefore, monthsBefore, weekOf } from '#app/companies/tracking/day-count.ts'

/** Fewer people than this are never told of. */
export const PEOPLE_MIN = BREAKDOWN_MIN

/** After a week or a month this many days pass before it is counted: its last posts have arrived. */
const DAYS_OF_GRACE = 1

/** The Monday of the last week that may be counted. The week that is under way never is. */
export const lastClosedWeek = (today: string) =>
  daysBefore(weekOf(daysBefore(today, DAYS_OF_GRACE)), 7)

/** The first day of the last month that may be counted. */
export const lastClosedMonth = (today: string) => monthsBefore(daysBefore(today, DAYS_OF_GRACE), 1)

/** A stretch that was not counted yet, and from which day on it is. */
export interface Coming {
  from: string
  to: string
  on: string
}

/**
 * What is counted next. Months are counted along with a week, so a month waits for the next of those.
 * @param ratingsWait whether ratings of the last month that is over are not all public yet
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

/** @param monday after the week that is counted */
const dayOfCounting = (monday: string) => daysBefore(monday, -DAYS_OF_GRACE)
/** The first day of counting that is not before `day`. */
function dayOfCountingFrom(day: string) {
  const ofThisWeek = dayOfCounting(weekOf(day))
  return ofThisWeek >= day ? ofThisWeek : dayOfCounting(nextWeek(weekOf(day)))
}

export const nextWeek = (week: string) => daysBefore(week, -7)
export const nextMonth = (month: string) => monthsBefore(month, -1)
export const monthBefore = (month: string) => monthsBefore(month, 1)

/** Weeks or months in a row, by the first day of the first and of the last. */
export interface Stretch<Row> {
  from: string
  to: string
  rows: Row[]
}

/**
 * Puts periods in a row together until enough people are in each stretch. What is left over at the end
 * is not told: it waits for those who come later.
 * @param rows of closed periods, by the period's first day, in any order
 * @param since the period after the last one that was told; without it the first that has a row
 */
export function closeStretches<Row extends { period: string }>(
  rows: readonly Row[],
  { peopleIn, since, next, min = PEOPLE_MIN }: ClosingRules<Row>,
): Stretch<Row>[] {
  const stretches: Stretch<Row>[] = []
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
    stretches.push({ from, to: period, rows: waiting })
    from = next(period)
    waiting = []
  }
  return stretches
}

interface ClosingRules<Row> {
  peopleIn: (rows: readonly Row[]) => number
  since?: string
  next: (period: string) => string
  min?: number
}

/** Stands for all who have left: their posts count, but nobody knows how many people they are. */
export const SOMEBODY_GONE = 0

/** What one person posted in a week. `person` is a number that holds within one counting only. */
export interface PostsOfOne {
  period: string
  person: number
  n: number
}

export const authorsIn = (rows: readonly PostsOfOne[]) =>
  new Set(rows.map(({ person }) => person).filter((person) => person !== SOMEBODY_GONE)).size

/** What a rating may hold, beside its average; where too few did, the last of them goes first. */
export const PARTS = [...RATING_CATEGORIES.map(({ key }) => key), 'officeDays'] as const
export type PartKey = RatingCategory | 'officeDays'

/** The ratings of a month that hold the same parts: each is one person's. */
export interface RatingsAlike {
  period: string
  /** Which parts they hold. */
  has: readonly PartKey[]
  ratings: number
  /** Sum of their averages, in tenths. */
  tenths: number
  /** Sum per part that they hold. */
  sums: Partial<Record<PartKey, number>>
}

export const ratersIn = (rows: readonly RatingsAlike[]) =>
  rows.reduce((sum, { ratings }) => sum + ratings, 0)

/**
 * Which parts may be told beside the total and beside each other: as many as leave nobody among fewer
 * than five who hold the same ones of them. This is the rule of the complement for every sum at once:
 * whatever is added and subtracted counts people who hold the same parts alike.
 */
export function publishableParts(rows: readonly RatingsAlike[]): readonly PartKey[] {
  return (
    CHOICES.find((parts) => {
      const alike = new Map<string, number>()
      for (const { has, ratings } of rows) {
        const key = parts.filter((part) => has.includes(part)).join()
        alike.set(key, (alike.get(key) ?? 0) + ratings)
      }
      const isHeld = parts.every((part) => rows.some(({ has }) => has.includes(part)))
      return isHeld && [...alike.values()].every(isTellable)
    }) ?? []
  )
}

/** All sets of parts, the largest first, and of equal ones those that keep the first parts. */
const CHOICES = Array.from({ length: 2 ** PARTS.length }, (_, mask) =>
  PARTS.filter((_, i) => (mask & (1 << i)) !== 0),
).toSorted((a, b) => b.length - a.length)

/** Nobody, or many enough. */
const isTellable = (people: number) => people === 0 || people >= PEOPLE_MIN

export interface RatingNumbers {
  ratings: number
  tenths: number
  parts: Partial<Record<PartKey, { ratings: number; sum: number }>>
}

/** The sums of a stretch, as far as they may be told. */
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
  /** How many followed when the number was made. Never told. */
  basis: number
  /** In fives; null for fewer than five. */
  told: number | null
}

/**
 * The number stands still until five more or five fewer follow, and is told in fives: neither a look
 * each week nor the difference of any two looks shows somebody come or go.
 */
export function nextFollowers(now: number, before: Followers): Followers {
  if (Math.abs(now - before.basis) < PEOPLE_MIN) return before
  const fives = Math.floor(now / PEOPLE_MIN) * PEOPLE_MIN
  return { basis: now, told: fives === 0 ? null : fives }
}

/** Whether looks and applies of one stretch may be told: looked, applied, and looked without applying. */
export const isPublishableInterest = ({ views, applies }: { views: number; applies: number }) =>
  views >= PEOPLE_MIN && isTellable(applies) && isTellable(views - applies)
