/** Credentials are good for a quarter and the one after it: so long somebody has time to renew. No I/O here. */

/** "2026-Q4" of "2026-11-25". */
export const quarterOf = (day: string) =>
  `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`

/** The one before, the present one, and the next, whose keys are told ahead so that browsers know them. */
export const quartersAround = (day: string): [before: string, now: string, next: string] => {
  const now = quarterOf(day)
  return [moved(now, -1), now, moved(now, 1)]
}

/** The last day on which a credential of this quarter is good: the next quarter's. */
export function lastDayOf(quarter: string) {
  const next = moved(quarter, 1)
  const month = Number(next.slice(6)) * 3
  return new Date(Date.UTC(Number(next.slice(0, 4)), month, 0)).toISOString().slice(0, 10)
}

function moved(quarter: string, by: number) {
  const number = Number(quarter.slice(0, 4)) * 4 + Number(quarter.slice(6)) - 1 + by
  return `${Math.floor(number / 4)}-Q${(number % 4) + 1}`
}
