/** No one else learns who saved a job, nor how many did. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import {
  byNumber,
  insertOwn,
  isOwn,
  type OwnRows,
  removeOwn,
} from '#app/api/auth/own-rows.server.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { conflict, notFound } from '#app/platform/http/refusal.ts'
import { ALERT_REFUSALS, SAVED_JOBS_MAX } from '../alerts/job-alert.ts'
import { ALERTS } from '../alerts/job-alert-queries.server.ts'
import type { JobRow } from '../job.contract.ts'
import { JOB_REFUSALS } from '../job.ts'
import { jobRowColumns, jobRowOf, type RawJobRow } from '../job-queries.server.ts'

/** All saved jobs, including filled and expired ones. Not paged, because there are at most SAVED_JOBS_MAX. */
export async function savedJobs(ctx: Ctx): Promise<{ jobs: JobRow[] }> {
  const root = rootOf(ctx)
  if (!root) return { jobs: [] }
  const rows = await ctx.db.query<RawJobRow>(sql`
    select ${jobRowColumns(ctx)}
      from saved_jobs saved join job_postings job on job.id = saved.job_id
     where ${isOwn(SAVED, root, 'saved')} and job.status <> 'draft' and job.hidden is null
     order by ${byNumber(SAVED, root, 'saved')} desc`)
  return { jobs: rows.map((row) => jobRowOf(ctx, row)) }
}

/** Requested separately from pages, which are the same for everyone. One statement covers all row numbers. */
export async function savedJobIds(ctx: Ctx): Promise<{ jobIds: string[] }> {
  const root = rootOf(ctx)
  if (!root) return { jobIds: [] }
  const rows = await ctx.db.query<{ id: string }>(
    sql`select job_id as id from saved_jobs where ${isOwn(SAVED, root)} order by 1`,
    PREPARED,
  )
  return { jobIds: rows.map(({ id }) => id) }
}

/** Saved jobs, as the account's data export shows them. */
export async function savedJobsExport(ctx: Pick<Ctx, 'db' | 'actor' | 'secrets'>) {
  const { db } = ctx
  const root = rootOf(ctx)
  if (!root) return { savedJobs: [], jobAlerts: [] }
  const savedJobs = await db.query(sql`
    select job.title, company.name as company, job.id as "jobId"
      from saved_jobs saved
      join job_postings job on job.id = saved.job_id
      join companies company on company.id = job.company_id
     where ${isOwn(SAVED, root, 'saved')} order by ${byNumber(SAVED, root, 'saved')}`)
  const jobAlerts = await db.query(sql`
    select alert.search, company.name as company, alert.place, alert.remote_policy as remote,
           alert.employment_type as type, alert.salary::float8 as salary,
           alert.salary_currency as currency
      from job_alerts alert left join companies company on company.id = alert.company_id
     where ${isOwn(ALERTS, root, 'alert')} order by ${byNumber(ALERTS, root, 'alert')}`)
  return { savedJobs, jobAlerts }
}

/** The keys of saved jobs. D40. */
const SAVED: OwnRows = { table: 'saved_jobs', kind: 'saved-job', max: SAVED_JOBS_MAX }

const savedKey = (root: Buffer, jobId: string) => contextKey(root, SAVED.kind, jobId)

/** Idempotent. @throws Refusal sign-in-required, not-found, also for a draft, conflict */
export const saveJob = (ctx: Ctx, jobId: string) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { root } = requirePersonRoot(ctx)
    const [job] = await db.query<{ id: string }>(
      sql`select id from job_postings where id = ${jobId} and status <> 'draft' and hidden is null for key share`,
    )
    if (!job) throw notFound(JOB_REFUSALS.notFound)
    const key = savedKey(root, job.id)
    const saved = await insertOwn(db, SAVED, {
      root,
      key,
      insert: (ownRowKey) => sql`
        insert into saved_jobs (key, own_row_key, job_id) values (${key}, ${ownRowKey}, ${job.id})
        on conflict do nothing returning job_id`,
    })
    if (!saved) throw conflict(ALERT_REFUSALS.savedFull)
    return { isSaved: true }
  })

/** Idempotent. @throws Refusal sign-in-required */
export async function forgetJob(ctx: Ctx, jobId: string) {
  const { root } = requirePersonRoot(ctx)
  await ctx.db.query(sql`delete from saved_jobs where job_id = ${jobId} and ${isOwn(SAVED, root)}`)
  return { isSaved: false }
}

/** Removes the saved jobs of a deleted account. */
export async function forgetJobSeeker({ db }: Pick<ServerContext, 'db'>, root: Buffer) {
  await removeOwn(db, SAVED, root)
  await removeOwn(db, ALERTS, root)
}
