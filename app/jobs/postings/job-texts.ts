/** What screens say to whoever posts jobs: toasts and notices. */
import { JOB_OPEN_DAYS } from '../job.ts'

export const JOB_TOASTS = {
  posted: { title: 'Job posted', description: `It is open for ${JOB_OPEN_DAYS} days.` },
  saved: { title: 'Job saved' },
  drafted: { title: 'Draft saved', description: 'Nobody else sees it before you post it.' },
  renewed: {
    title: 'Job renewed',
    description: `It is open for ${JOB_OPEN_DAYS} days from today.`,
  },
  reopened: {
    title: 'Job reopened',
    description: `It is open for ${JOB_OPEN_DAYS} days from today.`,
  },
  filled: { title: 'Job closed', description: 'It says that it is filled.' },
  deleted: { title: 'Job deleted' },
} as const

export const NO_COMPANY = {
  title: "You don't act for a company yet",
  text: 'Jobs are posted by people who act for a company. Tell us which one, and show that you work there: by an email address at its website, or by a record in its DNS. An administrator looks at it. Until then, nothing changes for you.',
  action: 'I represent a company',
} as const

/** Told in fives, and nothing below, so that nobody can be picked out. */
export const roundedCountText = (count: number | null, what: string) =>
  count === null ? `Fewer than five ${what}` : `At least ${count.toLocaleString('en')} ${what}`

/** What moderation means for a job of one's own, before the reasons. */
export const JOB_MODERATION = {
  reported: 'Reported, and shown meanwhile. A moderator looks at it. Reason given: ',
  held: 'Not shown until a moderator has decided. Reason: ',
  removed: 'Removed by a moderator. Reason: ',
} as const
export const JOB_APPEAL = 'See the decision, or appeal'
export const JOB_APPEAL_PATH = '/my-discussions?tab=moderation'

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
