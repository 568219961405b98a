/** Days and months in words. No I/O here. */

/** `2026-03-14` is "14 March 2026", `2026-03` is "March 2026". Anything else stays. */
export function dateText(date: string, month: 'long' | 'short' = 'long'): string {
  const [year, monthOfYear, day] = date.slice(0, 10).split('-').map(Number)
  if (!year || !monthOfYear) return date
  return new Intl.DateTimeFormat(day ? 'en-GB' : 'en', {
    day: day ? 'numeric' : undefined,
    month,
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.UTC(year, monthOfYear - 1, day ?? 1))
}
