import { JOB_OPEN_DAYS } from '../job.ts'

export const JOB_TOASTS = {
  posted: { title: 'Job posted', description: `It is open for ${JOB_OPEN_DAYS} days.` },
  saved: { title: 'Job saved' },
  drafted: { title: 'Draft saved', description: 'No one else sees it until you post it.' },
  renewed: {
    title: 'Job renewed',
    description: `It is open for ${JOB_OPEN_DAYS} days from today.`,
  },
  reopened: {
    title: 'Job reopened',
    description: `It is open for ${JOB_OPEN_DAYS} days from today.`,
  },
  filled: { title: 'Job closed', description: 'Its page now says it’s filled.' },
  deleted: { title: 'Job deleted' },
} as const

export const NO_COMPANY = {
  title: 'You don’t act for a company yet',
  text: 'Jobs are posted by people who act for a company. Tell us which one, and show that you work there, with an email address at its website or a record in its DNS. An administrator reviews it. Until then, nothing changes for you.',
  action: 'I represent a company',
} as const

/** In fives, so that no one can be singled out. */
export const roundedCountText = (count: number | null, what: string) =>
  count === null ? `Fewer than five ${what}` : `At least ${count.toLocaleString('en')} ${what}`

/** Followed by the reasons. */
export const JOB_MODERATION = {
  reported: 'Reported, but still shown. A moderator is reviewing it. Reason given: ',
  held: 'Hidden until a moderator has decided. Reason: ',
  removed: 'Removed by a moderator. Reason: ',
} as const
export const JOB_APPEAL = 'See the decision, or appeal'
export const JOB_APPEAL_PATH = '/my-discussions?tab=moderation'

const DAY = 24 * 60 * 60_000

interface Posted {
  postedOn: string | null
  postedDaysAgo: number | null
  validThrough: string | null
}

/**
 * Days until its last open day; 0 on that day, null for a draft. From the response alone: the browser's clock may be
 * wrong, and in another time zone it is another day.
 */
export function daysLeft({ postedOn, postedDaysAgo, validThrough }: Posted): number | null {
  if (postedOn === null || postedDaysAgo === null || validThrough === null) return null
  return Math.round((Date.parse(validThrough) - Date.parse(postedOn)) / DAY) - postedDaysAgo
}

export function timeLeftText(days: number): string {
  if (days <= 0) return 'Open until the end of today'
  return days === 1 ? 'Open until tomorrow' : `Open for ${days} more days`
}
