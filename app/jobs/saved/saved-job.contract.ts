import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'
import { JobFilters, JobRow } from '../job.contract.ts'

const JobId = z.object({ id: Uuid })

const JobAlert = z.object({
  id: Uuid,
  filters: JobFilters,
  company: z.string().nullable().describe('Name of the company it is limited to'),
})
export type JobAlert = z.output<typeof JobAlert>

/** Made-up anonymous ids still share a network. */
const SAVED_JOBS = { name: 'saved-jobs', seconds: 600, person: 120, network: 1_200 }

export const savedJobContract = {
  'GET /api/v1/my/saved-jobs': {
    summary: 'The jobs you saved, last saved first. Deleted ones are left out',
    ok: z.object({ jobs: z.array(JobRow) }),
    flag: 'enableJobs',
    access: 'anyone',
  },
  'GET /api/v1/my/saved-jobs/ids': {
    summary: 'Just the ids of the jobs you saved, for the marks on pages',
    ok: z.object({ jobIds: z.array(Uuid) }),
    flag: 'enableJobs',
    access: 'anyone',
  },
  'PUT /api/v1/jobs/{id}/saved': {
    summary: 'Save a job, or remove it from your saved jobs',
    params: JobId,
    body: z.object({ isSaved: z.boolean() }),
    ok: z.object({ isSaved: z.boolean() }),
    flag: 'enableJobs',
    access: 'anyone',
    limit: SAVED_JOBS,
  },
  'GET /api/v1/my/job-alerts': {
    summary: 'Your job alerts, newest first',
    ok: z.object({ alerts: z.array(JobAlert) }),
    flag: 'enableJobs',
    access: 'anyone',
  },
  'POST /api/v1/my/job-alerts': {
    summary: 'Create a job alert. The same filters twice make one alert',
    body: JobFilters,
    ok: z.object({ id: Uuid }),
    status: 201,
    flag: 'enableJobs',
    access: 'anyone',
    limit: SAVED_JOBS,
  },
  'DELETE /api/v1/my/job-alerts/{id}': {
    summary: 'Delete a job alert',
    params: JobId,
    ok: z.object({ isDeleted: z.literal(true) }),
    flag: 'enableJobs',
    access: 'anyone',
    limit: SAVED_JOBS,
  },
} satisfies Contract

export type SavedJobContract = typeof savedJobContract
