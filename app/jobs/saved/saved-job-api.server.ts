/** Binds the contract of what people keep of jobs. */
import type { Handlers } from '#app/api/bind.server.ts'
import { createAlert, deleteAlert } from '../alerts/job-alert-commands.server.ts'
import { myAlerts } from '../alerts/job-alert-queries.server.ts'
import type { SavedJobContract } from './saved-job.contract.ts'
import { forgetJob, saveJob } from './saved-job-commands.server.ts'
import { savedJobIds, savedJobs } from './saved-job-queries.server.ts'

export const savedJobHandlers: Handlers<SavedJobContract> = {
  'GET /api/v1/my/saved-jobs': (ctx) => savedJobs(ctx),
  'GET /api/v1/my/saved-jobs/ids': (ctx) => savedJobIds(ctx),
  'PUT /api/v1/jobs/{id}/saved': (ctx, { params, body }) =>
    body.isSaved ? saveJob(ctx, params.id) : forgetJob(ctx, params.id),
  'GET /api/v1/my/job-alerts': (ctx) => myAlerts(ctx),
  'POST /api/v1/my/job-alerts': (ctx, { body }) => createAlert(ctx, body),
  'DELETE /api/v1/my/job-alerts/{id}': (ctx, { params }) => deleteAlert(ctx, params.id),
}
