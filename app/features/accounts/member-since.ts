/** Since when somebody is here: a month, for nothing finer is kept. No I/O here. */

/** `2026-03` is "March 2026". */
export function monthInWords(month: string): string {
  const [year, number] = month.split('-').map(Number)
  if (!year || !number) return month
  return new Intl.DateTimeFormat('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.UTC(year, number - 1))
}
