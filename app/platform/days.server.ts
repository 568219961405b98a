/** Days are in UTC. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** When something created now expires, in minutes since 1970. */
export const endIn = (minutes: number, now: Date) => Math.ceil(now.getTime() / MINUTE_MS) + minutes

/**
 * Whether something that ends then hasn't expired yet. @param minutes how long it can last. If it
 * ends later, the clock was wrong
 */
export function isStillValid(end: number, minutes: number, now: Date) {
  const left = end * MINUTE_MS - now.getTime()
  return left > 0 && left <= (minutes + 1) * MINUTE_MS
}

/** Minutes since 1970, the finest time a post has. S6. */
export const minuteOf = (moment: Date): number => Math.floor(moment.getTime() / MINUTE_MS)

/** YYYY-MM-DD. */
export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

/** The start of its minute, as ISO 8601. */
export const startOfMinute = (moment: Date) =>
  new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS).toISOString()

export const todayOf = ({ now }: { now: () => Date }) => dayOf(now())
