import type { Feature } from '#app/api/feature.server.ts'
import { CLAIM_REVOKED } from '#app/companies/claims/decision-commands.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { subscribe } from '#app/platform/database/events.server.ts'
import { HOUR_MS } from '#app/platform/jobs/days.server.ts'
import { carriedAlerts } from './alerts/job-alert-keys.server.ts'
import { jobContract } from './job.contract.ts'
import { jobHandlers } from './job-api.server.ts'
import { removeJobsOf } from './postings/company-removal.server.ts'
import { closeJobsOf, expireJobs } from './postings/job-commands.server.ts'
import { createJobCounts } from './postings/job-counts.server.ts'
import { jobRemovals } from './postings/job-removals.server.ts'
import { tellOfReports } from './postings/reported-jobs.server.ts'
import { savedJobContract } from './saved/saved-job.contract.ts'
import { savedJobHandlers } from './saved/saved-job-api.server.ts'
import { forgetJobSeeker } from './saved/saved-job-commands.server.ts'
import { carriedSavedJobs } from './saved/saved-job-keys.server.ts'

export const jobs: Feature = {
  events: [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => ({
      jobs: await removeJobsOf(db, companyId),
    })),
    subscribe(CLAIM_REVOKED, ({ db }, { companyId }) => closeJobsOf(db, companyId)),
  ],
  async routes({ http, bind, db, base, site, searches, counters, hasRateLimits, forgetPages }) {
    const counts = createJobCounts(base, {
      hasRateLimits,
      onFailure: () =>
        http.log.warn('Jobs that were seen are counted later: no answer from the database'),
    })
    counters.push(counts)
    bind(jobContract, jobHandlers({ site, counts, searches }))
    bind(savedJobContract, savedJobHandlers)
    await jobRemovals.subscribe(db, () => forgetPages('/jobs'))
  },
  jobs({ jobs, base: { now } }) {
    jobs.every('expire-jobs', HOUR_MS, (db) => expireJobs({ db, now }))
  },
  nightly: ({ db }) => [{ name: 'tell of reported jobs', run: () => tellOfReports(db) }],
  carried: [carriedSavedJobs, carriedAlerts],
  forget: ({ root }, { base }) => forgetJobSeeker(base, root),
}
