/** Binds the contract of jobs to queries and commands. */
import type { Handlers } from '#app/api/bind.server.ts'
import type { SiteConfig } from '#app/kit/session/site.contract.ts'
import { type Searches, searchingFreely } from '#app/platform/http/searches.server.ts'
import type { JobContract } from './job.contract.ts'
import { editableJob, jobById, myJobs } from './job-queries.server.ts'
import { deleteJob, editJob, fillJob, openJob, postJob } from './postings/job-commands.server.ts'
import type { JobCounts } from './postings/job-counts.server.ts'
import { listJobs } from './search/job-search.server.ts'

export interface JobSettings {
  site: Pick<SiteConfig, 'siteUrl' | 'flags'>
  counts: Pick<JobCounts, 'count'>
  searches?: Searches
}

export function jobHandlers(settings: JobSettings): Handlers<JobContract> {
  const { site, counts, searches = searchingFreely } = settings
  return {
    'GET /api/v1/jobs': (ctx, { query }) => {
      const isSearch = query.search || query.place || query.salary
      return isSearch ? searches.run(ctx, () => listJobs(ctx, query)) : listJobs(ctx, query)
    },
    'GET /api/v1/jobs/{id}': (ctx, { params }) => jobById(ctx, params.id, site.siteUrl, site.flags),
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
