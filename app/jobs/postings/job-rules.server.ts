/** Rules that depend on a posting's stored rows. Each rule locks what it checks. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { actsFor } from '#app/companies/claims/claim-queries.server.ts'
import { lockRightToActFor } from '#app/companies/claims/claim-rules.server.ts'
import { noCompany } from '#app/companies/merging/merged-companies.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { conflict, notFound } from '#app/platform/http/refusal.ts'
import { JOB_REFUSALS, JOBS_PER_COMPANY_MAX, type JobStatus } from '../job.ts'
import { isOpen, statusOf } from '../job-queries.server.ts'

/** Locks the company against other new jobs and its deletion. @throws Refusal not-found */
export async function lockHiringCompany(db: Database, id: string) {
  const [company] = await db.query<{ id: string; name: string }>(
    sql`select id, name from companies where id = ${id} for no key update`,
  )
  if (!company) throw noCompany()
  return company
}

/** Drafts and open jobs count. @throws Refusal conflict */
export async function requireJobCapacity(ctx: DataContext, companyId: string) {
  const [full] = await ctx.db.query(sql`
    select from job_postings job
     where company_id = ${companyId}
       and (status = 'draft' or ${isOpen(ctx)})
     offset ${JOBS_PER_COMPANY_MAX - 1} limit 1`)
  if (full) throw conflict(JOB_REFUSALS.full)
}

interface LockedJob {
  companyId: string
  title: string
  status: JobStatus
  validThrough: string | null
  isHidden: boolean
}

/** @throws Refusal not-found, forbidden */
export async function lockOwnJob(ctx: Ctx, id: string): Promise<LockedJob> {
  const [known] = await ctx.db.query<{ companyId: string; status: JobStatus }>(sql`
    select company_id as "companyId", status from job_postings where id = ${id}`)
  // Another company's draft mustn't even seem to exist.
  if (!known || (known.status === 'draft' && !(await actsFor(ctx, known.companyId))))
    throw notFound(JOB_REFUSALS.notFound)
  // Before the job, because a revocation locks the company, and then closes its jobs.
  await lockRightToActFor(ctx, known.companyId, JOB_REFUSALS.forbidden)
  const [job] = await ctx.db.query<LockedJob>(sql`
    select company_id as "companyId", title, ${statusOf(ctx)} as status,
           valid_through as "validThrough", hidden is not null as "isHidden"
      from job_postings job where id = ${id} for no key update`)
  if (!job) throw notFound(JOB_REFUSALS.notFound)
  return job
}

/** `lockOwnJob`, but refuses a job that moderators hide. @throws Refusal not-found, forbidden, conflict */
export async function lockShownJob(ctx: Ctx, id: string): Promise<LockedJob> {
  const job = await lockOwnJob(ctx, id)
  if (job.isHidden) throw conflict(JOB_REFUSALS.underReview)
  return job
}
