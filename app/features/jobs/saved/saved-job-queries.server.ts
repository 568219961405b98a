/** Reads of what people keep of jobs. Who keeps one is nobody's business: not even a number is told. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../../auth/context.server.ts'
import type { JobRow } from '../job.contract.ts'
import { jobRowColumns, jobRowOf, type RawJobRow } from '../job-queries.server.ts'

/** All of them, also those that are filled or expired by now, which say so: they are bounded. */
export async function savedJobs(ctx: Ctx): Promise<{ jobs: JobRow[] }> {
  const { db, actor } = ctx
  if (actor.authorKey === null) return { jobs: [] }
  const rows = await db.query<RawJobRow>(sql`
    select ${jobRowColumns(ctx)}
      from saved_jobs saved join job_postings job on job.id = saved.job_id
     where saved.author_key = ${actor.authorKey} and job.status <> 'draft'
       and job.hidden is null
     order by saved.number desc`)
  return { jobs: rows.map((row) => jobRowOf(ctx, row)) }
}

/** Asked for beside pages, which are the same for everybody: one look into the primary key. */
export async function savedJobIds({ db, actor }: Ctx): Promise<{ jobIds: string[] }> {
  if (actor.authorKey === null) return { jobIds: [] }
  const rows = await db.query<{ id: string }>(
    sql`select job_id as id from saved_jobs where author_key = ${actor.authorKey} order by 1`,
    { name: 'saved-job-ids' },
  )
  return { jobIds: rows.map(({ id }) => id) }
}

/** Everything that somebody keeps of jobs, to take away. */
export async function savedJobsExport({ db, actor }: Pick<Ctx, 'db' | 'actor'>) {
  const savedJobs = await db.query(sql`
    select job.title, company.name as company, job.id as "jobId"
      from saved_jobs saved
      join job_postings job on job.id = saved.job_id
      join companies company on company.id = job.company_id
     where saved.author_key = ${actor.authorKey} order by saved.number`)
  const jobAlerts = await db.query(sql`
    select alert.search, company.name as company, alert.place, alert.remote_policy as remote,
           alert.employment_type as type, alert.salary::float8 as salary,
           alert.salary_currency as currency
      from job_alerts alert left join companies company on company.id = alert.company_id
     where alert.author_key = ${actor.authorKey} order by alert.number`)
  return { savedJobs, jobAlerts }
}
