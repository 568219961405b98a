/** Binds the contract of what people keep of jobs; each write is limited first. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { notFound, Refusal } from '../../server/refusal.ts'
import { createAlert, deleteAlert } from './job-alert-commands.server.ts'
import { myAlerts } from './job-alert-queries.server.ts'
import type { SavedJobContract } from './saved-job.contract.ts'
import { forgetJob, saveJob } from './saved-job-commands.server.ts'
import { savedJobIds, savedJobs } from './saved-job-queries.server.ts'

/** Per person: uses in so many seconds. */
const WRITES = { uses: 120, seconds: 600 }

export interface SavedJobSettings {
  /** enableJobs: while it is off, nothing of this is there. */
  isOn: boolean
  hasRateLimits: boolean
}

export function savedJobHandlers({
  isOn,
  hasRateLimits,
}: SavedJobSettings): Handlers<SavedJobContract> {
  const writes = createRateLimit({ name: 'saved-jobs', ...WRITES, isOn: hasRateLimits })
  // Whoever makes up a new anonymous id for each is still at one network.
  const networks = createRateLimit({
    name: 'saved-jobs-network',
    uses: 10 * WRITES.uses,
    seconds: WRITES.seconds,
    isOn: hasRateLimits,
  })
  /** @throws Refusal not-found */
  const demandJobs = () => {
    if (!isOn) throw notFound('There is nothing here')
  }
  const limited = async ({ actor, network }: Ctx) => {
    demandJobs()
    const wait = (await writes.use(actor.authorKey ?? '')) ?? (await networks.use(network))
    if (wait !== undefined)
      throw new Refusal('too-many', `That was often. Please wait ${wait} seconds.`)
  }
  return {
    'GET /api/v1/my/saved-jobs': async (ctx) => {
      demandJobs()
      return savedJobs(ctx)
    },
    'GET /api/v1/my/saved-jobs/ids': async (ctx) => {
      demandJobs()
      return savedJobIds(ctx)
    },
    'PUT /api/v1/jobs/{id}/saved': async (ctx, { params, body }) => {
      await limited(ctx)
      return body.isSaved ? saveJob(ctx, params.id) : forgetJob(ctx, params.id)
    },
    'GET /api/v1/my/job-alerts': async (ctx) => {
      demandJobs()
      return myAlerts(ctx)
    },
    'POST /api/v1/my/job-alerts': async (ctx, { body }) => {
      await limited(ctx)
      return createAlert(ctx, body)
    },
    'DELETE /api/v1/my/job-alerts/{id}': async (ctx, { params }) => {
      await limited(ctx)
      return deleteAlert(ctx, params.id)
    },
  }
}
