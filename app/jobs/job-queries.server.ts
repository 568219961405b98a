/** Queries for jobs. Only people who act for a company see its drafts. */

import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { HiddenState } from '#app/community/reports/report.ts'
import { actsFor, ownCompanyIds } from '#app/companies/claims/claim-queries.server.ts'
import { requireToActFor } from '#app/companies/claims/claim-rules.server.ts'
import { companyPath } from '#app/companies/company.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { DAY_MS, todayOf } from '#app/platform/days.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import type { Flags } from '#app/platform/operations/flags.ts'
import type { EditableJob, Job, JobRow, OwnJob } from './job.contract.ts'
import { JOB_REFUSALS, type JobStatus, jobPath } from './job.ts'
import { structuredDataOf } from './postings/job-data.server.ts'

/** Smaller counts could single someone out. */
const COUNTED_MIN = 5

/** A condition for queries of `job_postings job` that holds if people can apply. */
export const isOpen = (ctx: Pick<Ctx, 'now'>) =>
  sql`job.status = 'open' and job.valid_through >= ${todayOf(ctx)}::date`

/** An open job after its last day is expired, whether or not its row says so yet. */
export const statusOf = (ctx: Pick<Ctx, 'now'>) => sql`
  case when job.status = 'open' and job.valid_through < ${todayOf(ctx)}::date
       then 'expired' else job.status end`

/**
 * A condition for queries of `job_postings job`: jobs that a demo site starts with. No other idempotency key begins
 * like this.
 */
export const isDemoJob = sql`job.idempotency_key like 'starter %'`

/** Columns of a list row, of `job_postings job`, for `jobRowOf`. A draft without a salary has 0. */
export const jobRowColumns = (ctx: Pick<Ctx, 'now'>): Sql => sql`
  job.id, job.title, job.excerpt, ${isDemoJob} as demo, job.places, job.remote_policy as "remotePolicy",
  job.hybrid_days as "hybridDays", job.remote_regions as "remoteRegions",
  job.employment_type as "employmentType", job.seniority, job.tags,
  json_build_object('minimum', coalesce(job.salary_minimum, 0),
                    'maximum', coalesce(job.salary_maximum, 0), 'currency', job.salary_currency, 'period', job.salary_period) as salary,
  ${statusOf(ctx)} as status, job.posted_date as "postedOn", job.valid_through as "validThrough",
  (select json_build_object('id', company.id, 'name', company.name, 'slug', company.slug,
                            'logoUrl', company.logo_url, 'rating', nullif(stats.score, 0))
     from companies company join company_stats stats on stats.company_id = company.id
    where company.id = job.company_id) as company`

export interface RawJobRow extends Omit<JobRow, 'path' | 'company' | 'postedDaysAgo'> {
  company: Omit<JobRow['company'], 'path'> & { slug: string | null }
}

/** Picks the view's fields from a row of `jobRowColumns`. */
export const jobRowOf = (ctx: Pick<Ctx, 'now'>, row: RawJobRow): JobRow => ({
  id: row.id,
  path: jobPath(row),
  title: row.title,
  excerpt: row.excerpt,
  demo: row.demo,
  company: {
    id: row.company.id,
    name: row.company.name,
    path: companyPath(row.company),
    logoUrl: row.company.logoUrl,
    rating: row.company.rating,
  },
  places: row.places,
  remotePolicy: row.remotePolicy,
  hybridDays: row.hybridDays,
  remoteRegions: row.remoteRegions,
  employmentType: row.employmentType,
  seniority: row.seniority,
  salary: row.salary,
  tags: row.tags,
  status: row.status,
  postedOn: row.postedOn,
  postedDaysAgo: row.postedOn === null ? null : daysSince(ctx, row.postedOn),
  validThrough: row.validThrough,
})

const daysSince = (ctx: Pick<Ctx, 'now'>, day: string) =>
  Math.round((Date.parse(todayOf(ctx)) - Date.parse(day)) / DAY_MS)

/**
 * One job's page. If it's filled or expired, it doesn't say how to apply.
 * @param siteUrl base of the addresses in the structured data
 * @throws Refusal not-found, also for another company's draft
 */
export async function jobById(
  ctx: Ctx,
  id: string,
  siteUrl: string,
  { enableCompanies }: Pick<Flags, 'enableCompanies'> = { enableCompanies: true },
): Promise<Job> {
  type Row = RawJobRow & {
    html: string
    link: string | null
    email: string | null
    website: string
  }
  const [row] = await ctx.db.query<Row>(
    sql`
    select ${jobRowColumns(ctx)}, job.html, job.apply_link as link, job.apply_email as email,
           (select website from companies where id = job.company_id) as website
      from job_postings job where job.id = ${id} and job.hidden is null`,
    PREPARED,
  )
  if (!row || (row.status === 'draft' && !(await actsFor(ctx, row.company.id))))
    throw notFound(JOB_REFUSALS.notFound)
  const { html, link, email } = row
  const job = jobRowOf(ctx, row)
  const website = row.website ?? (enableCompanies ? siteUrl + job.company.path : null)
  // Search engines don't get demo jobs.
  const isIndexed = job.status === 'open' && !job.demo
  return {
    ...job,
    html,
    apply: row.status === 'filled' || row.status === 'expired' ? NO_WAY : { link, email },
    structuredData: isIndexed ? structuredDataOf({ ...job, html, website }, siteUrl) : null,
  }
}

const NO_WAY = { link: null, email: null }

/** All jobs of the companies the caller acts for: drafts first, then newest first. */
export async function myJobs(ctx: Ctx, companyId: string | undefined) {
  const own = await ownCompanyIds(ctx)
  const companies = await ctx.db.query<{ id: string; name: string; slug: string | null }>(sql`
    select id, name, slug from companies where id = any (${own}::uuid[]) order by name_key, id`)
  const shown = companyId === undefined ? own : own.filter((id) => id === companyId)
  const rows = await ctx.db.query<RawJobRow & RawOwnJob>(sql`
    select ${jobRowColumns(ctx)}, job.views, job.applies, job.hidden,
           job.hidden_reason as "hiddenReason", job.reported_for as "reportedFor"
      from job_postings job
     where job.company_id = any (${shown}::uuid[])
     order by job.posted_date desc nulls first, job.id desc limit ${MY_JOBS_MAX}`)
  return {
    companies: companies.map(({ id, name, slug }) => ({
      id,
      name,
      path: companyPath({ id, slug }),
    })),
    jobs: rows.map(
      (row): OwnJob => ({
        ...jobRowOf(ctx, row),
        views: roundedCount(row.views),
        applies: roundedCount(row.applies),
        moderation: moderationOf(row),
      }),
    ),
  }
}

interface RawOwnJob {
  views: number
  applies: number
  hidden: HiddenState | null
  hiddenReason: string | null
  reportedFor: string[]
}

function moderationOf({ hidden, hiddenReason, reportedFor }: RawOwnJob): OwnJob['moderation'] {
  if (hidden)
    return { state: hidden, reasons: hiddenReason === null ? reportedFor : [hiddenReason] }
  return reportedFor.length > 0 ? { state: 'reported', reasons: reportedFor } : null
}

/** The limit of an endpoint without pages. */
const MY_JOBS_MAX = 2_000

/**
 * Rounds to fives, because a number that grows by one would reveal that someone looked, such as a person who was
 * sent the address.
 */
const roundedCount = (people: number) =>
  people < COUNTED_MIN ? null : people - (people % COUNTED_MIN)

/** @throws Refusal not-found, sign-in-required, forbidden */
export async function editableJob(ctx: Ctx, id: string): Promise<EditableJob> {
  const [row] = await ctx.db.query<
    EditableJob & { companyId: string; status: JobStatus; input: EditableJob['input'] }
  >(sql`
    select job.id, job.company_id as "companyId", ${statusOf(ctx)} as status,
           job.valid_through as "validThrough",
           json_build_object(
             'title', job.title, 'description', job.description, 'places', job.places,
             'remotePolicy', job.remote_policy, 'hybridDays', job.hybrid_days,
             'remoteRegions', job.remote_regions, 'employmentType', job.employment_type,
             'seniority', job.seniority, 'tags', job.tags,
             'salary', json_build_object(
               'minimum', job.salary_minimum, 'maximum', job.salary_maximum,
               'currency', job.salary_currency, 'period', job.salary_period),
             'apply', json_build_object('link', job.apply_link, 'email', job.apply_email)) as input
      from job_postings job where job.id = ${id}`)
  // Another company's draft mustn't even seem to exist.
  if (!row || (row.status === 'draft' && !(await actsFor(ctx, row.companyId))))
    throw notFound(JOB_REFUSALS.notFound)
  await requireToActFor(ctx, row.companyId)
  return row
}
