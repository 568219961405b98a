/** Credentials are good for a quarter and the one after it: so long somebody has time to renew. No I/O here. */

/** "2026-Q4" of "2026-11-25". */
export const quarterOf = (day: string) =>
  `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`

/** Its neighbours, and itself between them. */
export const quartersBeside = (quarter: string): [before: string, itself: string, next: string] => [
  moved(quarter, -1),
  quarter,
  moved(quarter, 1),
]

/** The one before, the present one, and the next, whose keys are told ahead so that browsers know them. */
export const quartersAround = (day: string) => quartersBeside(quarterOf(day))

/**
 * Whether a browser takes it: the calendar's own, the one before, whose credentials are good still, or the next one, as
 * clocks go wrong by some days. In any other one a person could be told apart.
 */
export const isQuarterAround = (quarter: string, day: string) =>
  quartersAround(day).includes(quarter)

/** The last day on which a credential of this quarter is good: the next quarter's. */
export function lastDayOf(quarter: string) {
  const next = moved(quarter, 1)
  const month = Number(next.slice(6)) * 3
  return new Date(Date.UTC(Number(next.slice(0, 4)), month, 0)).toISOString().slice(0, 10)
}

/** When a credential of this quarter is renewed: in the last month in which it is good, but for the last day. Milliseconds. */
export function renewalMonthOf(quarter: string): readonly [from: number, until: number] {
  const lastDay = lastDayOf(quarter)
  return [Date.parse(`${lastDay.slice(0, 7)}-01`), Date.parse(lastDay)]
}

function moved(quarter: string, by: number) {
  const number = Number(quarter.slice(0, 4)) * 4 + Number(quarter.slice(6)) - 1 + by
  return `${Math.floor(number / 4)}-Q${(number % 4) + 1}`
}
