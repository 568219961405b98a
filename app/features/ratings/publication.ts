/**
 * When what somebody gave counts: together with others, so that no number tells of one person, and never
 * later than a number could tell more than its month. No I/O here.
 */

/** A person's rating that differs from what is public of it. */
export interface Waiting {
  id: string
  /** Of the last change, its first day. */
  month: string
}

/**
 * Whose ratings of one company are published now: everybody's where so many people wait; else those that
 * waited a whole month, which then say no more than a month does.
 * @param today a day
 */
export function duePeople(
  waiting: readonly Waiting[],
  { batch, today }: { batch: number; today: string },
): string[] {
  const isEnough = waiting.length >= batch
  const before = overdueBefore(today)
  return waiting.filter(({ month }) => isEnough || month < before).map(({ id }) => id)
}

/** What was given before this month is published whatever its number: a whole month has passed since. */
export function overdueBefore(today: string): string {
  const date = new Date(`${today.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() - 1)
  return date.toISOString().slice(0, 10)
}
