/** Numbers as people read them: 1.2K, 3M, "1 comment". Pure. */

/** Thousands and millions to one decimal: 999 → "999", 1234 → "1.2K", 999950 → "1M". Spec §9. */
export function abbreviate(count: number): string {
  if (!Number.isFinite(count)) return '0'
  const size = Math.abs(count)
  if (size < 1000) return String(Math.trunc(count))
  if (size < 999_950) return `${oneDecimal(count / 1000)}K`
  return `${oneDecimal(count / 1_000_000)}M`
}

/** Where nobody counts on: 99 of at most 99 → "99", any more → "99+". */
export const upTo = (count: number, most: number) =>
  count > most ? `${abbreviate(most)}+` : abbreviate(count)

const inEnglish = new Intl.NumberFormat('en')

/** In full, with commas: 1234567 → "1,234,567". */
export const grouped = (count: number) =>
  // Lists of many small counts are written often.
  Number.isInteger(count) && Math.abs(count) < 1000 ? String(count) : inEnglish.format(count)

/** "1 comment", "2 comments", "1.2K comments"; `many` is for words that do not just take an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${abbreviate(count)} ${count === 1 ? one : many}`
}

/** Drops a trailing ".0" of its own accord, because 1.0 prints as "1". */
const oneDecimal = (value: number) => String(Math.round(value * 10) / 10)
