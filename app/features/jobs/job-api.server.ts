/** Binds the contract of jobs to queries and commands; each write is limited first. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { notFound, Refusal } from '../../server/refusal.ts'
import { type Searches, searchingFreely } from '../../server/searches.server.ts'
import type { JobContract } from './job.contract.ts'
import { deleteJob, editJob, fillJob, openJob, postJob } from './job-commands.server.ts'
import type { JobCounts } from './job-counts.server.ts'
import { editableJob, jobById, myJobs } from './job-queries.server.ts'
import { listJobs } from './job-search.server.ts'

/** Per person. */
const WRITES = { uses: 120, seconds: 600 }

export interface JobSettings {
  /** enableJobs: while it is off, nothing of this is there. */
  isOn: boolean
  hasRateLimits: boolean
  site: { siteUrl: string }
  counts: Pick<JobCounts, 'count'>
  searches?: Searches
}

export function jobHandlers(settings: JobSettings): Handlers<JobContract> {
  const { isOn, hasRateLimits, site, counts, searches = searchingFreely } = settings
  const writes = createRateLimit({ name: 'jobs', ...WRITES, isOn: hasRateLimits })
  /** @throws Refusal not-found */
  const demandJobs = () => {
    if (!isOn) throw notFound('There is nothing here')
  }
  /** @throws Refusal not-found, too-many */
  const limited = async ({ actor }: Ctx) => {
    demandJobs()
    const wait = await writes.use(actor.account?.id ?? '')
    if (wait !== undefined)
      throw new Refusal('too-many', `That was often. Please wait ${wait} seconds.`)
  }
  return {
    'GET /api/v1/jobs': async (ctx, { query }) => {
      demandJobs()
      const isSearch = query.search || query.place || query.salary
      return isSearch ? searches.run(ctx, () => listJobs(ctx, query)) : listJobs(ctx, query)
    },
    'GET /api/v1/jobs/{id}': async (ctx, { params }) => {
      demandJobs()
      return jobById(ctx, params.id, site.siteUrl)
    },
    'POST /api/v1/jobs/{id}/seen': async (ctx, { params, body }) => {
      demandJobs()
      await counts.count(ctx, params.id, body.what)
      return {}
    },
    'GET /api/v1/my/jobs': async (ctx, { query }) => {
      demandJobs()
      return myJobs(ctx, query.company)
    },
    'GET /api/v1/my/jobs/{id}': async (ctx, { params }) => {
      demandJobs()
      return editableJob(ctx, params.id)
    },
    'POST /api/v1/companies/{id}/jobs': async (ctx, { params, body }) => {
      await limited(ctx)
      return postJob(ctx, { companyId: params.id, ...body })
    },
    'PUT /api/v1/jobs/{id}': async (ctx, { params, body }) => {
      await limited(ctx)
      return editJob(ctx, params.id, body.job)
    },
    'POST /api/v1/jobs/{id}/status': async (ctx, { params, body }) => {
      await limited(ctx)
      return body.to === 'open' ? openJob(ctx, params.id) : fillJob(ctx, params.id)
    },
    'DELETE /api/v1/jobs/{id}': async (ctx, { params }) => {
      await limited(ctx)
      return deleteJob(ctx, params.id)
    },
  }
}
