/** Under which keys saved jobs lie. Decision 40. */
import { asBytea, type Carried, isOfSomebody } from '#app/api/auth/carry-over.server.ts'
import { contextKey, numberKeys } from '#app/api/auth/context-keys.server.ts'
import type { OwnRows } from '#app/api/auth/own-rows.server.ts'
import { SAVED_JOBS_MAX } from '../alerts/job-alert.ts'

export const SAVED: OwnRows = { table: 'saved_jobs', kind: 'saved-job', max: SAVED_JOBS_MAX }

export const savedKey = (root: Buffer, jobId: string) => contextKey(root, SAVED.kind, jobId)

export const carriedSavedJobs: Carried = {
  table: SAVED.table,
  order: { author_key: 'text', number: 'bigint' },
  carry({ job_id }, owner, { number }) {
    const [mine] = numberKeys(owner.root, SAVED.kind, number, 1)
    if (!mine || number >= SAVED.max || !isOfSomebody(owner)) return undefined
    return { key: asBytea(savedKey(owner.root, job_id)), mine: asBytea(mine), job_id }
  },
}
