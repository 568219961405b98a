/** Days are in UTC. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** YYYY-MM-DD. */
export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

/** The start of its minute, as ISO 8601. */
export const startOfMinute = (moment: Date) =>
  new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS).toISOString()

export const todayOf = ({ now }: { now: () => Date }) => dayOf(now())
