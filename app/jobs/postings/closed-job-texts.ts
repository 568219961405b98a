/** What the page of a job says that is not open. */
import type { JobStatus } from '../job.ts'

/** Why nothing can be applied for any more; nothing for a job that is open. */
export const CLOSED_TEXTS: Record<Exclude<JobStatus, 'open'>, { title: string; text: string }> = {
  filled: { title: 'This job is filled', text: 'The company does not take applications any more.' },
  expired: { title: 'This job has expired', text: 'It was not renewed, so it may be filled.' },
  draft: { title: 'This is a draft', text: 'Nobody else sees it before it is posted.' },
}
