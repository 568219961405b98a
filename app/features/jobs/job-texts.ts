/** What screens say about jobs: toasts, questions and notices. */
import { JOB_OPEN_DAYS, type JobStatus } from './job.ts'

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

/** Why nothing can be applied for any more; nothing for a job that is open. */
export const CLOSED_TEXTS: Record<Exclude<JobStatus, 'open'>, { title: string; text: string }> = {
  filled: { title: 'This job is filled', text: 'The company does not take applications any more.' },
  expired: { title: 'This job has expired', text: 'It was not renewed, so it may be filled.' },
  draft: { title: 'This is a draft', text: 'Nobody else sees it before it is posted.' },
}

export const NO_COMPANY = {
  title: 'You do not act for a company yet',
  text: 'Jobs are posted by people who act for a company. Tell us which one, and show that you work there: by an email address at its website, or by a record in its DNS. An administrator looks at it. Until then, nothing changes for you.',
  action: 'I represent a company',
} as const

/** Told in fives, and nothing below, so that nobody can be picked out. */
export const seenText = (count: number | null, what: string) =>
  count === null ? `Fewer than five ${what}` : `At least ${count.toLocaleString('en')} ${what}`

/** What is asked before it happens. */
export const JOB_QUESTIONS = {
  delete: {
    title: 'Delete this job?',
    text: 'it goes for good, with its numbers. Nobody can bring it back.',
    no: 'Keep it',
    yes: 'Delete job',
    busy: 'Deleting...',
  },
  fill: {
    title: 'Close this job as filled?',
    text: 'nobody can apply any more. Its page stays, and says that it is filled. You can open it again.',
    no: 'Keep it open',
    yes: 'Close job',
    busy: 'Closing...',
  },
} as const
