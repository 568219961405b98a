/** Limits and texts of the report of clicks. Spec §2.13, §7.2, §8, §9. No I/O here. */

export const INTERACTIONS_MAX = 1000
/** Spec §2.13, §9. As a class: `max-h-[600px]`. */
export const TABLE_MAX_HEIGHT = 600

/** Spec §6, §8: for members who aren't administrators. */
export const ACCESS_DENIED = {
  title: 'Access denied',
  description: "You don't have permission to view this page.",
}

export const VIEWS_REFUSALS = { forbidden: 'Only an administrator can see view counts' } as const

export const LOAD_FAILED = {
  title: 'Error',
  description: 'Failed to load company interaction data.',
}

export const refreshedText = (n: number) => ({
  title: 'Data refreshed',
  description: `Loaded ${n} interaction records`,
})

export const NO_INTERACTIONS = 'No interaction data found'
export const INVALID_DATE = 'Invalid date'
/** Shown instead of your own pseudonym. */
export const ME = 'me'

/** A moment in local time, or "Invalid date". Spec §2.13. */
export function momentText(iso: string): [date: string, time?: string] {
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return [INVALID_DATE]
  return [
    moment.toLocaleDateString('en', { dateStyle: 'medium' }),
    moment.toLocaleTimeString('en', { timeStyle: 'short' }),
  ]
}
