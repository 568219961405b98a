/** What analytics count, of which time, and in which words. No I/O here. */

export const DAYS_SHOWN = 90
export const WEEKS_SHOWN = 13
export const MONTHS_SHOWN = 12
/** What fewer people did in a week or a month is not told. */
export const PEOPLE_MIN = 5
/** Companies of which clicks can be asked at a time. */
export const PLOTTED_MAX = 6

/** What has a number for each day. */
export const DAILY = ['visitors', 'threads', 'comments', 'requests', 'clicks'] as const
export type Daily = (typeof DAILY)[number]

export type Period = 'day' | 'week' | 'month'

/** One number: of the day, week or month that begins with the day `from`. */
export interface Count {
  from: string
  /** Null when it was so few that it is not told. */
  n: number | null
}

interface Series {
  title: string
  /** What exactly it counts. */
  text: string
  per: Period
}

export const DAILY_SERIES: Record<Daily, Series> = {
  visitors: {
    title: 'Visitors',
    text: 'People who looked at companies’ pages. People who are not signed in are counted once per network.',
    per: 'day',
  },
  threads: { title: 'Threads', text: 'Those that are shown.', per: 'day' },
  comments: { title: 'Comments', text: 'Those that are shown.', per: 'day' },
  requests: { title: 'Company requests', text: 'As they came in.', per: 'day' },
  clicks: { title: 'Clicks', text: 'Companies that members chose from a list.', per: 'day' },
}

export const SIGN_UPS: Series = {
  title: 'Sign-ups',
  text: 'Per week that is over: an account keeps no day.',
  per: 'week',
}

export const RATINGS: Series = {
  title: 'Ratings',
  text: 'Per month that is over, given or changed: a rating keeps no day.',
  per: 'month',
}

/** The day, such as 2026-03-14, that lies so many days before. */
export function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00Z`)
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString().slice(0, 10)
}

/** The Monday of a day's week. */
export const weekOf = (day: string) =>
  daysBefore(day, (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7)

/** The first of the month that lies so many months before the month of `day`. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10)
}

/** The days that are shown, the oldest first, `today` last. */
export const daysUpTo = (today: string) =>
  Array.from({ length: DAYS_SHOWN }, (_, i) => daysBefore(today, DAYS_SHOWN - 1 - i))

/** The weeks that are over, the oldest first. */
export const weeksUpTo = (today: string) =>
  Array.from({ length: WEEKS_SHOWN }, (_, i) => daysBefore(weekOf(today), 7 * (WEEKS_SHOWN - i)))

/** The months that are over, the oldest first. */
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

/** What stands for a number. */
export const countText = (n: number | null) =>
  n === null ? `Fewer than ${PEOPLE_MIN}` : n.toLocaleString('en')

export const sumOf = (counts: readonly Count[]) => counts.reduce((sum, { n }) => sum + (n ?? 0), 0)

const BEGINS: Record<Period, string> = {
  day: 'From tomorrow',
  week: 'From next week',
  month: 'From next month',
}

/**
 * When the first number comes, while a site is so new that no whole day, week or month was counted and
 * nothing is there to be shown; undefined once there is.
 * @param since the first day on which anybody was counted
 */
export function beginsText(
  { per, counts }: { per: Period; counts: readonly Count[] },
  { since, today }: { since: string | null; today: string },
): string | undefined {
  if (sumOf(counts) > 0) return undefined
  const underWay = { day: today, week: weekOf(today), month: monthsBefore(today, 0) }[per]
  return since === null || since >= underWay ? BEGINS[per] : undefined
}

/** What a plot shows, for whoever cannot see it. */
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
