import type { Handlers } from '#app/api/bind.server.ts'
import { type Feature, mailTask } from '#app/api/feature.server.ts'
import { CLAIM_REVOKED } from '#app/companies/claims/claim-commands.server.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { HOUR_MS } from '#app/platform/days.server.ts'
import { createPublicFetch, type FetchPublic } from '#app/platform/http/public-fetch.server.ts'
import type { Searches } from '#app/platform/http/searches.server.ts'
import type { Flags } from '#app/platform/operations/flags.ts'
import { errorFacts } from '#app/platform/operations/logging.server.ts'
import { createAlert, deleteAlert } from './alerts/job-alert-commands.server.ts'
import { myAlerts } from './alerts/job-alert-queries.server.ts'
import {
  addFeed,
  closeMissing,
  readNow,
  removeFeed,
  setPaused,
  tryFeed,
} from './feeds/feed-commands.server.ts'
import { FEED_PAUSED_TASK, sendFeedPaused } from './feeds/feed-mail.server.ts'
import { feedRuns, jobFeeds } from './feeds/feed-queries.server.ts'
import { enqueueDueFeeds, READ_FEED_TASK, readFeed } from './feeds/feed-run.server.ts'
import { type JobFeedContract, jobFeedContract } from './feeds/job-feed.contract.ts'
import {
  type JobContract,
  jobContract,
  type SavedJobContract,
  savedJobContract,
} from './job.contract.ts'
import { editableJob, jobById, myJobs } from './job-queries.server.ts'
import {
  closeJobsOf,
  deleteJob,
  editJob,
  expireJobs,
  fillJob,
  openJob,
  postJob,
} from './postings/job-commands.server.ts'
import { createJobCounts, type JobCounts } from './postings/job-counts.server.ts'
import { jobRemovals, removeJobsOf, updateReportReasons } from './postings/moderated-jobs.server.ts'
import {
  forgetJob,
  forgetJobSeeker,
  savedJobIds,
  savedJobs,
  saveJob,
} from './saved/saved-jobs.server.ts'
import { listJobs } from './search/job-search.server.ts'

interface JobSettings {
  siteUrl: () => string
  flags: Flags
  counts: Pick<JobCounts, 'count'>
  searches: Searches
}

export function jobHandlers(settings: JobSettings): Handlers<JobContract> {
  const { siteUrl, flags, counts, searches } = settings
  return {
    'GET /api/v1/jobs': (ctx, { query }) => {
      const isSearch = query.search || query.place || query.salary
      return isSearch ? searches.run(ctx, () => listJobs(ctx, query)) : listJobs(ctx, query)
    },
    'GET /api/v1/jobs/{id}': (ctx, { params }) => jobById(ctx, params.id, siteUrl(), flags),
    'POST /api/v1/jobs/{id}/seen': async (ctx, { params, body }) => {
      await counts.count(ctx, params.id, body.what)
      return {}
    },
    'GET /api/v1/my/jobs': (ctx, { query }) => myJobs(ctx, query.company),
    'GET /api/v1/my/jobs/{id}': (ctx, { params }) => editableJob(ctx, params.id),
    'POST /api/v1/companies/{id}/jobs': (ctx, { params, body }) =>
      postJob(ctx, { companyId: params.id, ...body }),
    'PUT /api/v1/jobs/{id}': (ctx, { params, body }) =>
      editJob(ctx, params.id, body.job, body.before),
    'POST /api/v1/jobs/{id}/status': (ctx, { params, body }) =>
      body.to === 'open' ? openJob(ctx, params.id) : fillJob(ctx, params.id),
    'DELETE /api/v1/jobs/{id}': (ctx, { params }) => deleteJob(ctx, params.id),
  }
}

export const savedJobHandlers: Handlers<SavedJobContract> = {
  'GET /api/v1/my/saved-jobs': (ctx) => savedJobs(ctx),
  'GET /api/v1/my/saved-jobs/ids': (ctx) => savedJobIds(ctx),
  'PUT /api/v1/jobs/{id}/saved': (ctx, { params, body }) =>
    body.isSaved ? saveJob(ctx, params.id) : forgetJob(ctx, params.id),
  'GET /api/v1/my/job-alerts': (ctx) => myAlerts(ctx),
  'POST /api/v1/my/job-alerts': (ctx, { body }) => createAlert(ctx, body),
  'DELETE /api/v1/my/job-alerts/{id}': (ctx, { params }) => deleteAlert(ctx, params.id),
}

/** @param fetchPublic replaced in tests */
export const jobFeedHandlers = (
  fetchPublic: FetchPublic = createPublicFetch(),
): Handlers<JobFeedContract> => ({
  'GET /api/v1/job-feeds': (ctx, { query }) => jobFeeds(ctx, query.company ?? null),
  'POST /api/v1/job-feeds/trial': (ctx, { body }) => tryFeed(ctx, body, fetchPublic),
  'POST /api/v1/job-feeds': (ctx, { body }) => addFeed(ctx, body),
  'GET /api/v1/job-feeds/{id}/runs': (ctx, { params }) => feedRuns(ctx, params.id),
  'POST /api/v1/job-feeds/{id}/read': (ctx, { params }) => readNow(ctx, params.id),
  'PUT /api/v1/job-feeds/{id}/paused': (ctx, { params, body }) =>
    setPaused(ctx, params.id, body.isPaused),
  'POST /api/v1/job-feeds/{id}/close-missing': (ctx, { params }) => closeMissing(ctx, params.id),
  'DELETE /api/v1/job-feeds/{id}': (ctx, { params }) => removeFeed(ctx, params.id),
})

export const jobs: Feature = {
  events: () => [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => ({
      jobs: await removeJobsOf(db, companyId),
    })),
    subscribe(CLAIM_REVOKED, ({ db }, { companyId }) => closeJobsOf(db, companyId)),
  ],
  async routes({ http, bind, db, base, config, auth, searches, services, forgetPages }) {
    const counts = createJobCounts(base, {
      hasRateLimits: config.hasRateLimits,
      onFailure: () =>
        http.log.warn('The database didn’t respond, so job views will be counted later'),
    })
    services.push(counts)
    bind(jobContract, jobHandlers({ ...config, siteUrl: auth.siteUrl, counts, searches }))
    bind(savedJobContract, savedJobHandlers)
    bind(jobFeedContract, jobFeedHandlers())
    await jobRemovals.subscribe(db, () => forgetPages('/jobs'))
  },
  tasks({ queue, base, config, log }) {
    const { now } = base
    queue.every('expire-jobs', HOUR_MS, (db) => expireJobs({ db, now }))
    if (!config.flags.enableJobs) return
    queue.every('enqueue-due-job-feeds', HOUR_MS, (db) => enqueueDueFeeds({ db, now, queue }))
    queue.handle(READ_FEED_TASK, ({ feedId }) =>
      readFeed(base, feedId, {
        onBug: (error) => log.warn({ error: errorFacts(error) }, 'A job feed’s reading failed'),
      }),
    )
  },
  mails: [
    mailTask(FEED_PAUSED_TASK, ({ base, auth }, mailer, paused) =>
      sendFeedPaused(base, mailer, auth, paused),
    ),
  ],
  nightly: ({ db }) => [{ name: 'update report reasons', run: () => updateReportReasons(db) }],
  forget: ({ root }, { base }) => forgetJobSeeker(base, root),
}
