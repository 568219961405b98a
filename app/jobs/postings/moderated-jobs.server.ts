/**
 * What moderation may do with jobs. Who may was asked before. Who of a company wrote one is not kept, so
 * a job is its company's.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  type Hiding,
  OF_NOBODY,
  type PostView,
} from '#app/community/reports/moderated-post.server.ts'
import type { HiddenState } from '#app/community/reports/report.ts'
import { ownCompanyIds } from '#app/companies/claims/claim-queries.server.ts'
import { companyPath } from '#app/companies/company.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { jobPath } from '../job.ts'
import { jobRemovals } from './job-removals.server.ts'

export const moderatedJobs = {
  lock: lockJob,
  views: (db: Database, ids: string[]) => viewJobs(db, sql`job.id = any (${ids}::uuid[])`),
  hide: hideJob,
  /** Of the companies that the asking person acts for: what is not shown at present. */
  hiddenOf: async (ctx: Ctx) =>
    viewJobs(
      ctx.db,
      sql`job.hidden is not null and job.company_id = any (${await ownCompanyIds(ctx)}::uuid[])`,
    ),
}

/** A draft was never shown. */
async function lockJob(db: Database, id: string) {
  const [job] = await db.query<{
    companyId: string
    hidden: HiddenState | null
    hiddenReason: string | null
  }>(sql`
    select company_id as "companyId", hidden, hidden_reason as "hiddenReason"
      from job_postings where id = ${id} and status <> 'draft' for update`)
  return job && { ...job, ...OF_NOBODY }
}

async function hideJob(db: Database, id: string, as: Hiding) {
  await db.query(
    as
      ? sql`
        update job_postings
           set hidden = ${as.state}, hidden_reason = ${as.reason},
               status_before = coalesce(status_before, status), status = 'filled'
         where id = ${id} and status <> 'draft'`
      : sql`
        update job_postings
           set hidden = null, hidden_reason = null, status = status_before, status_before = null
         where id = ${id} and hidden is not null`,
  )
  await jobRemovals.publish(db, [id])
}

interface RawJob extends Omit<PostView, 'thread' | 'href' | 'company' | 'author'> {
  title: string
  company: { id: string; name: string; slug: string | null }
}

async function viewJobs(db: Database, condition: Sql): Promise<PostView[]> {
  const jobs = await db.query<RawJob>(sql`
    select job.id, job.title, job.html, job.posted_date::text as "postedAt", job.hidden,
           job.hidden_reason as "hiddenReason", false as "isLocked", false as "isPinned",
           json_build_object('id', company.id, 'name', company.name, 'slug', company.slug) as company
      from job_postings job join companies company on company.id = job.company_id
     where job.status <> 'draft' and ${condition} order by job.posted_date desc, job.id desc`)
  return jobs.map(({ title, company, ...job }) => {
    const path = jobPath({ id: job.id, title })
    return {
      ...job,
      thread: { id: null, title, path },
      href: path,
      company: { id: company.id, name: company.name, path: companyPath(company) },
      author: null,
    }
  })
}
