/** What analytics count, for which periods. No I/O here. */

export const DAYS_SHOWN = 90
const WEEKS_SHOWN = 13
const MONTHS_SHOWN = 12
/** Smaller numbers of a week or month aren't shown. */
export const PEOPLE_MIN = 5
/** Companies per request for clicks. */
export const PLOTTED_MAX = 6

export const DAILY = ['visitors', 'threads', 'comments', 'requests', 'clicks'] as const
export type Daily = (typeof DAILY)[number]

export type Period = 'day' | 'week' | 'month'

/** The count of the period that starts on the day `from`. */
export interface Count {
  from: string
  /** Null if too small to show. */
  n: number | null
}

interface Series {
  title: string
  text: string
  per: Period
}

export const DAILY_SERIES: Record<Daily, Series> = {
  visitors: {
    title: 'Visitors',
    text: 'People who viewed company pages. Without an account, people on the same network count once.',
    per: 'day',
  },
  threads: { title: 'Threads', text: 'Without hidden and removed threads.', per: 'day' },
  comments: { title: 'Comments', text: 'Without hidden and removed comments.', per: 'day' },
  requests: { title: 'Company requests', text: 'Counted on the day we received them.', per: 'day' },
  clicks: { title: 'Clicks', text: 'Companies that members chose from a list.', per: 'day' },
}

export const SIGN_UPS: Series = {
  title: 'Sign-ups',
  text: 'Per full week. We don’t store the day an account was created.',
  per: 'week',
}

export const RATINGS: Series = {
  title: 'Ratings',
  text: 'Ratings given or changed, per full month. We don’t store the day of a rating.',
  per: 'month',
}

/** Such as 2026-03-14. */
export function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00Z`)
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString().slice(0, 10)
}

export const weekOf = (day: string) =>
  daysBefore(day, (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7)

/** First day of the month that many months before `day`'s. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10)
}

/** Oldest first, `today` last. */
export const daysUpTo = (today: string) =>
  Array.from({ length: DAYS_SHOWN }, (_, i) => daysBefore(today, DAYS_SHOWN - 1 - i))

/** Past weeks, oldest first. */
export const weeksUpTo = (today: string) =>
  Array.from({ length: WEEKS_SHOWN }, (_, i) => daysBefore(weekOf(today), 7 * (WEEKS_SHOWN - i)))

/** Past months, oldest first. */
export const monthsUpTo = (today: string) =>
  Array.from({ length: MONTHS_SHOWN }, (_, i) => monthsBefore(today, MONTHS_SHOWN - i))

const inMonth = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const onDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const onDayOfYear = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** "Mar 14", "Mar 2026". */
export const shortName = (from: string, per: Period) =>
  (per === 'month' ? inMonth : onDay).format(new Date(from))

/** "Mar 14, 2026", "Week of Mar 9, 2026", "Mar 2026". */
export function periodName(from: string, per: Period): string {
  if (per === 'month') return inMonth.format(new Date(from))
  const day = onDayOfYear.format(new Date(from))
  return per === 'week' ? `Week of ${day}` : day
}

export const countText = (n: number | null) =>
  n === null ? `Fewer than ${PEOPLE_MIN}` : n.toLocaleString('en')

export const sumOf = (counts: readonly Count[]) => counts.reduce((sum, { n }) => sum + (n ?? 0), 0)

const BEGINS: Record<Period, string> = {
  day: 'From tomorrow',
  week: 'From next week',
  month: 'From next month',
}

/**
 * On a new site, when the first number will appear. Undefined once there is one.
 * @param since the first day with any visitor
 */
export function beginsText(
  { per, counts }: { per: Period; counts: readonly Count[] },
  { since, today }: { since: string | null; today: string },
): string | undefined {
  if (sumOf(counts) > 0) return undefined
  const underWay = { day: today, week: weekOf(today), month: monthsBefore(today, 0) }[per]
  return since === null || since >= underWay ? BEGINS[per] : undefined
}

/** A plot's text alternative. */
export function plotText(title: string, per: Period, counts: readonly Count[]): string {
  const [first, last] = [counts[0], counts.at(-1)]
  if (!first || !last) return `${title}: nothing yet.`
  const span = `${title} per ${per}, ${periodName(first.from, per)} to ${periodName(last.from, per)}`
  const top = counts.reduce((top, it) => ((it.n ?? 0) > (top.n ?? 0) ? it : top))
  if (!top.n)
    return counts.some(({ n }) => n === null)
      ? `${span}: always fewer than ${PEOPLE_MIN}.`
      : `${span}: none.`
  return `${span}: ${countText(sumOf(counts))} in all, at most ${countText(top.n)} (${periodName(top.from, per)}).`
}
