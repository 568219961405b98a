/** Numbers, days and months as people read them. Pure. */

/** Thousands and millions to one decimal. 999 → "999", 1234 → "1.2K", 999950 → "1M". Spec §9. */
export function abbreviate(count: number): string {
  if (!Number.isFinite(count)) return '0'
  const size = Math.abs(count)
  if (size < 1000) return String(Math.trunc(count))
  if (size < 999_950) return `${oneDecimal(count / 1000)}K`
  return `${oneDecimal(count / 1_000_000)}M`
}

/** 99 of at most 99 → "99", more → "99+". */
export const upTo = (count: number, max: number) =>
  count > max ? `${abbreviate(max)}+` : abbreviate(count)

const inEnglish = new Intl.NumberFormat('en')

/** 1234567 → "1,234,567". */
export const grouped = (count: number) =>
  // Faster for the many small counts in lists.
  Number.isInteger(count) && Math.abs(count) < 1000 ? String(count) : inEnglish.format(count)

/** "1 comment", "2 comments", "1.2K comments". `many` is for plurals without an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${abbreviate(count)} ${count === 1 ? one : many}`
}

/** "1 comment", "1,200 comments". */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : many}`

/** 1.0 prints as "1". */
const oneDecimal = (value: number) => String(Math.round(value * 10) / 10)

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
