/** Reads of what people keep of jobs. Who keeps one is nobody's business: not even a number is told. */
import sql from 'sql-template-tag'
import { asBytea, type Carried, hasAuthor } from '#app/api/auth/carry-over.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey, numberKeys } from '#app/api/auth/context-keys.server.ts'
import { byNumber, isOwn, type OwnRows } from '#app/api/auth/own-rows.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { SAVED_JOBS_MAX } from '../alerts/job-alert.ts'
import { ALERTS } from '../alerts/job-alert-keys.server.ts'
import type { JobRow } from '../job.contract.ts'
import { jobRowColumns, jobRowOf, type RawJobRow } from '../job-queries.server.ts'

/** All of them, also those that are filled or expired by now, which say so: they are bounded. */
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

/** Asked for beside pages, which are the same for everybody: one statement, for all numbers at once. */
export async function savedJobIds(ctx: Ctx): Promise<{ jobIds: string[] }> {
  const root = rootOf(ctx)
  if (!root) return { jobIds: [] }
  const rows = await ctx.db.query<{ id: string }>(
    sql`select job_id as id from saved_jobs where ${isOwn(SAVED, root)} order by 1`,
    PREPARED,
  )
  return { jobIds: rows.map(({ id }) => id) }
}

/** Everything that somebody keeps of jobs, to take away. */
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

/** Under which keys saved jobs lie. D40. */
export const SAVED: OwnRows = { table: 'saved_jobs', kind: 'saved-job', max: SAVED_JOBS_MAX }

export const savedKey = (root: Buffer, jobId: string) => contextKey(root, SAVED.kind, jobId)

export const carriedSavedJobs: Carried = {
  table: SAVED.table,
  order: { author_key: 'text', number: 'bigint' },
  carry({ job_id }, owner, { number }) {
    const [mine] = numberKeys(owner.root, SAVED.kind, number, 1)
    if (!mine || number >= SAVED.max || !hasAuthor(owner)) return undefined
    return { key: asBytea(savedKey(owner.root, job_id)), mine: asBytea(mine), job_id }
  },
}
