/** How long a job is open, in days and in words. Pure. */

const DAY = 24 * 60 * 60_000

interface Posted {
  postedOn: string | null
  postedDaysAgo: number | null
  validThrough: string | null
}

/**
 * Days until the last on which it is open, 0 on that day; null for a draft. Reckoned from the
 * answer alone: the browser's own clock may be wrong, and in another zone it is another day.
 */
export function daysLeft({ postedOn, postedDaysAgo, validThrough }: Posted): number | null {
  if (postedOn === null || postedDaysAgo === null || validThrough === null) return null
  return Math.round((Date.parse(validThrough) - Date.parse(postedOn)) / DAY) - postedDaysAgo
}

/** "Open for 12 more days". */
export function timeLeftText(days: number): string {
  if (days <= 0) return 'Open until the end of today'
  return days === 1 ? 'Open until tomorrow' : `Open for ${days} more days`
}
