/**
 * When what somebody gave counts: together with others, so that no number tells of one person, and never
 * later than a number could tell more than its month. No I/O here.
 */

/** A person's rating that differs from what is public of it. */
export interface Waiting {
  id: string
  /** Of the last change, its first day. */
  month: string
  /** The company that it was given to, where that was merged since: see `duePeople`. */
  mergedFrom?: string | null
}

/**
 * Whose ratings of one company are published now: everybody's where so many people wait; else those that
 * waited a whole month, which then say no more than a month does. Somebody may have rated two companies that
 * were merged, and nobody can tell: so each company's ratings are counted for themselves, and a merge that is
 * undone parts no batch.
 * @param today a day
 */
export function duePeople(
  waiting: readonly Waiting[],
  { batch, today }: { batch: number; today: string },
): string[] {
  const people = new Map<string, number>()
  const given = ({ mergedFrom }: Waiting) => mergedFrom ?? ''
  for (const one of waiting) people.set(given(one), (people.get(given(one)) ?? 0) + 1)
  const before = overdueBefore(today)
  return waiting
    .filter((one) => (people.get(given(one)) ?? 0) >= batch || one.month < before)
    .map(({ id }) => id)
}

/** What was given before this month is published whatever its number: a whole month has passed since. */
export function overdueBefore(today: string): string {
  const date = new Date(`${today.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() - 1)
  return date.toISOString().slice(0, 10)
}
