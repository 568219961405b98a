/** Credentials are valid for a quarter and the next one, which leaves time to renew. No I/O here. */

/** Returns "2026-Q4" for "2026-11-25". */
export const quarterOf = (day: string) =>
  `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`

export const quartersBeside = (quarter: string): [before: string, itself: string, next: string] => [
  moved(quarter, -1),
  quarter,
  moved(quarter, 1),
]

/** The current quarter and the next two. We publish keys ahead, so browsers know them before they're used. */
export const quartersAhead = (day: string) => {
  const quarter = quarterOf(day)
  return [quarter, moved(quarter, 1), moved(quarter, 2)]
}

/** The previous, current and next quarter. */
export const quartersAround = (day: string) => quartersBeside(quarterOf(day))

/**
 * Whether a browser accepts it: the current quarter, the previous one, whose credentials are still valid, or the next
 * one, as clocks may be days off. Any other quarter could single someone out.
 */
export const isQuarterAround = (quarter: string, day: string) =>
  quartersAround(day).includes(quarter)

/** Returns 2026-10-01 for 2026-Q4. */
export const firstDayOf = (quarter: string) =>
  `${quarter.slice(0, 4)}-${String(Number(quarter.slice(6)) * 3 - 2).padStart(2, '0')}-01`

/** The last valid day of this quarter's credentials: the end of the next quarter. */
export function lastDayOf(quarter: string) {
  const next = moved(quarter, 1)
  const month = Number(next.slice(6)) * 3
  return new Date(Date.UTC(Number(next.slice(0, 4)), month, 0)).toISOString().slice(0, 10)
}

/** When this quarter's credentials are renewed, in ms: their last valid month, without its last day. */
export function renewalMonthOf(quarter: string): readonly [from: number, until: number] {
  const lastDay = lastDayOf(quarter)
  return [Date.parse(`${lastDay.slice(0, 7)}-01`), Date.parse(lastDay)]
}

/** Counts quarters since year 0, so a later one has a higher number. */
export const numberOf = (quarter: string) =>
  Number(quarter.slice(0, 4)) * 4 + Number(quarter.slice(6)) - 1

function moved(quarter: string, by: number) {
  const number = numberOf(quarter) + by
  return `${Math.floor(number / 4)}-Q${(number % 4) + 1}`
}
