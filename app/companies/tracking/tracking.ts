/** The report of clicks on companies: its limits and words. Spec §2.13, §8, §9. No I/O here. */

/** Spec §7.2, §9: so many of the newest. */
export const INTERACTIONS_MAX = 1000
/** Spec §2.13, §9. In the stylesheet it is `max-h-[600px]`. */
export const TABLE_MAX_HEIGHT = 600

/** Spec §6, §8: to members who are no administrators. */
export const ACCESS_DENIED = {
  title: 'Access denied',
  description: "You don't have permission to view this page.",
}

/** Spec §8. */
export const LOAD_FAILED = {
  title: 'Error',
  description: 'Failed to load company interaction data.',
}

/** Spec §8. */
export const refreshedText = (n: number) => ({
  title: 'Data refreshed',
  description: `Loaded ${n} interaction records`,
})

export const NO_INTERACTIONS = 'No interaction data found'
export const INVALID_DATE = 'Invalid date'
/** Instead of the pseudonym of whoever looks. */
export const ME = 'me'

/** In the person's own time zone: its date and its time of day; or "Invalid date". Spec §2.13. */
export function momentText(iso: string): [date: string, time?: string] {
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return [INVALID_DATE]
  return [
    moment.toLocaleDateString('en', { dateStyle: 'medium' }),
    moment.toLocaleTimeString('en', { timeStyle: 'short' }),
  ]
}
