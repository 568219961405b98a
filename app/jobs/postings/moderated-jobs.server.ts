/**
 * Jobs for moderation, which has already checked permissions. We don't store authors, so a job belongs to its company.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  type HideAs,
  NO_AUTHOR,
  type PostView,
} from '#app/community/reports/post-moderation.server.ts'
import type { HiddenState } from '#app/community/reports/report.ts'
import { ownCompanyIds } from '#app/companies/claims/claim-queries.server.ts'
import { companyPath } from '#app/companies/company.ts'
import { createChannel } from '#app/platform/database/channel.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { jobPath } from '../job.ts'

export const moderatedJobs = {
  lock: lockJob,
  views: (db: Database, ids: string[]) => viewJobs(db, sql`job.id = any (${ids}::uuid[])`),
  hide: hideJob,
  /** Hidden jobs of the companies that the caller acts for. */
  hiddenOf: async (ctx: Ctx) =>
    viewJobs(
      ctx.db,
      sql`job.hidden is not null and job.company_id = any (${await ownCompanyIds(ctx)}::uuid[])`,
    ),
}

/** Drafts were never shown. */
async function lockJob(db: Database, id: string) {
  const [job] = await db.query<{
    companyId: string
    hidden: HiddenState | null
    hiddenReason: string | null
  }>(sql`
    select company_id as "companyId", hidden, hidden_reason as "hiddenReason"
      from job_postings where id = ${id} and status <> 'draft' for update`)
  return job && { ...job, ...NO_AUTHOR }
}

async function hideJob(db: Database, id: string, as: HideAs) {
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
  await jobRemovals.broadcast(db, [id])
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

/** Deletes a company's jobs along with it. @returns how many */
export async function removeJobsOf(db: Database, companyId: string) {
  const gone = await db.query(
    sql`delete from job_postings where company_id = ${companyId} returning id`,
  )
  return gone.length
}

/** Jobs were hidden, so we drop the cached pages that show them. */
export const jobRemovals = createChannel('removed_jobs')

/**
 * The reasons that companies see, without who reported or how many. Updated at night, because an immediate update
 * would reveal when someone reported.
 */
export const updateReportReasons = (db: Database) =>
  db.query(sql`
    with reported as (
      select filed.job_id as id, array_agg(distinct report.reason order by report.reason) as reasons
        from moderation_cases filed join reports report on report.case_id = filed.id
       where filed.is_open and filed.job_id is not null and not report.is_settled
       group by filed.job_id)
    update job_postings job set reported_for = coalesce(reported.reasons, '{}')
      from (select id from reported
            union select id from job_postings where reported_for <> '{}') looked
      left join reported using (id)
     where job.id = looked.id
       and job.reported_for is distinct from coalesce(reported.reasons, '{}')`)
