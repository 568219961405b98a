/** What people keep of jobs: those that they saved, and what they want to be told of. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'
import { JobFilters, JobRow } from '../job.contract.ts'

const JobId = z.object({ id: Uuid })

const JobAlert = z.object({
  id: Uuid,
  filters: JobFilters,
  company: z.string().nullable().describe('The name of the one company that it waits for'),
})
export type JobAlert = z.output<typeof JobAlert>

/** Whoever makes up a new anonymous id for each is still at one network. */
const SAVED_JOBS = { name: 'saved-jobs', seconds: 600, person: 120, network: 1_200 }

export const savedJobContract = {
  'GET /api/v1/my/saved-jobs': {
    summary: 'The jobs that one saved, last saved first; those that are gone are not in it',
    ok: z.object({ jobs: z.array(JobRow) }),
    flag: 'enableJobs',
    access: 'anyone',
  },
  'GET /api/v1/my/saved-jobs/ids': {
    summary: 'Only which jobs one saved, for the marks on pages',
    ok: z.object({ jobIds: z.array(Uuid) }),
    flag: 'enableJobs',
    access: 'anyone',
  },
  'PUT /api/v1/jobs/{id}/saved': {
    summary: 'Save a job, or not any more',
    params: JobId,
    body: z.object({ isSaved: z.boolean() }),
    ok: z.object({ isSaved: z.boolean() }),
    flag: 'enableJobs',
    access: 'anyone',
    limit: SAVED_JOBS,
  },
  'GET /api/v1/my/job-alerts': {
    summary: 'What one wants to be told of when it is posted, newest first',
    ok: z.object({ alerts: z.array(JobAlert) }),
    flag: 'enableJobs',
    access: 'anyone',
  },
  'POST /api/v1/my/job-alerts': {
    summary: 'Be told of new jobs that fit; the same filters twice are one alert',
    body: JobFilters,
    ok: z.object({ id: Uuid }),
    status: 201,
    flag: 'enableJobs',
    access: 'anyone',
    limit: SAVED_JOBS,
  },
  'DELETE /api/v1/my/job-alerts/{id}': {
    summary: 'Not to be told any more',
    params: JobId,
    ok: z.object({ isDeleted: z.literal(true) }),
    flag: 'enableJobs',
    access: 'anyone',
    limit: SAVED_JOBS,
  },
} satisfies Contract

export type SavedJobContract = typeof savedJobContract
