/** Writes jobs. Nothing says which person wrote one. */

import { randomUUID } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { lockRightToActFor } from '#app/companies/claims/claim-rules.server.ts'
import { requireUnchanged } from '#app/kit/writing/edit-conflict.server.ts'
import { excerptOf } from '#app/kit/writing/excerpt.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import {
  isSameAs,
  requireSameText,
  SENT_HASH_BYTES,
} from '#app/platform/database/idempotency.server.ts'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, dayOf, todayOf } from '#app/platform/days.server.ts'
import { conflict } from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { JOB_OPEN_DAYS, JOB_REFUSALS, type JobInput, type JobStatus, jobPath } from '../job.ts'
import { statusOf } from '../job-queries.server.ts'
import { type CheckedJob, checkedJob } from './job-check.server.ts'
import {
  lockHiringCompany,
  lockOwnJob,
  lockShownJob,
  requireJobCapacity,
} from './job-rules.server.ts'

/** A task that runs after a posting first opens. It tells followers, and people with matching alerts. */
export const JOB_POSTED_TASK: TaskKind<JobPosted> = 'job-posted'
export interface JobPosted {
  id: string
}

/** @param days from today */
const dayIn = (ctx: Pick<Ctx, 'now'>, days: number) =>
  dayOf(new Date(Date.parse(todayOf(ctx)) + days * DAY_MS))

export interface NewJob {
  companyId: string
  job: JobInput
  isDraft: boolean
  idempotencyKey: string
}

/** @throws Refusal forbidden, bad-request; conflict for too many; idempotency-key-used for another job under the same key */
export async function postJob(
  ctx: Ctx,
  { companyId, job: input, isDraft, idempotencyKey }: NewJob,
) {
  const job = checkedJob(input, isDraft)
  return transaction(ctx, async (ctx) => {
    const current = await lockRightToActFor(ctx, companyId, JOB_REFUSALS.forbidden)
    const company = await lockHiringCompany(ctx.db, current)
    // Hashed with the company, so no one can block another company's key by knowing it.
    const storedKey = ctx.secrets.hash('job sending', company.id, idempotencyKey)
    const hash = Buffer.from(
      ctx.secrets.hash('job sent', company.id, idempotencyKey, JSON.stringify([job, isDraft])),
      'base64url',
    ).subarray(0, SENT_HASH_BYTES)
    const [sent] = await ctx.db.query<{
      id: string
      title: string
      status: JobStatus
      isSame: boolean
    }>(sql`
      select id, title, ${statusOf(ctx)} as status,
             ${isSameAs(hash)}
        from job_postings job where idempotency_key = ${storedKey}`)
    if (sent) {
      requireSameText(sent)
      return { id: sent.id, path: jobPath(sent), status: sent.status }
    }
    await requireJobCapacity(ctx, company.id)
    const id = await insertJob(ctx, {
      company,
      job,
      idempotencyKey: storedKey,
      hash,
      open: isDraft ? null : { posted: todayOf(ctx), validThrough: dayIn(ctx, JOB_OPEN_DAYS) },
    })
    return {
      id,
      path: jobPath({ id, title: job.title }),
      status: isDraft ? ('draft' as const) : ('open' as const),
    }
  })
}

interface JobToInsert {
  company: { id: string; name: string }
  job: CheckedJob
  /** Unique. */
  idempotencyKey: string
  /** Hash of the form's or feed's content, in 16 bytes. A file's row has none. */
  hash?: Buffer
  /** The feed that keeps it up to date. */
  feedId?: string
  /** Days; null for a draft. */
  open: { posted: string; validThrough: string } | null
}

/** Notifies people if the job is open. @returns its id */
export async function insertJob(ctx: Pick<Ctx, 'db' | 'queue'>, job: JobToInsert) {
  const id = await insertJobRow(ctx.db, job)
  if (job.open) await enqueueJobPosted(ctx, id)
  return id
}

/** Notifies no one. @returns its id */
export async function insertJobRow(
  db: Database,
  { company, job, idempotencyKey, hash, feedId, open }: JobToInsert,
) {
  const id = randomUUID()
  await db.query(sql`
    insert into job_postings
      (id, company_id, company_name, title, description, html, excerpt, places, place_keys,
       remote_policy, hybrid_days, remote_regions, employment_type, seniority, salary_minimum,
       salary_maximum, salary_currency, salary_period, yearly_minimum, yearly_maximum, salary_worth,
       tags, apply_link, apply_email, status, posted_date, valid_through, idempotency_key,
       sent_hash, feed_id)
    values
      (${id}, ${company.id}, ${company.name}, ${job.title}, ${job.description},
       ${job.html}, ${excerptOf(job.description)},
       ${JSON.stringify(job.places)}::text::jsonb, ${job.locationKeys}, ${job.remotePolicy}, ${job.hybridDays}, ${job.remoteRegions},
       ${job.employmentType}, ${job.seniority}, ${job.salary.minimum}, ${job.salary.maximum},
       ${job.salary.currency}, ${job.salary.period}, ${job.yearly.minimum}, ${job.yearly.maximum},
       ${job.worth}, ${job.tags}, ${job.apply.link}, ${job.apply.email},
       ${open ? 'open' : 'draft'}, ${open?.posted ?? null}, ${open?.validThrough ?? null}, ${idempotencyKey},
       ${hash ?? null}, ${feedId ?? null})`)
  return id
}

/** Call it in the transaction that opens the job. */
const enqueueJobPosted = ({ db, queue }: Pick<Ctx, 'db' | 'queue'>, id: string) =>
  queue.enqueue(db, JOB_POSTED_TASK, { id })

/**
 * The job's status stays. @param before see `requireUnchanged` @throws Refusal not-found, forbidden, bad-request,
 * conflict
 */
export const editJob = (ctx: Ctx, id: string, input: JobInput, before?: JobInput) =>
  transaction(ctx, async (ctx) => {
    const { status } = await lockShownJob(ctx, id)
    const job = checkedJob(input, status === 'draft')
    if (before) requireUnchanged(await inputOf(ctx.db, id), before, input)
    await updateJobRow(ctx.db, id, job)
    return { path: jobPath({ id, title: job.title }), status }
  })

/** @param more other columns to set, beginning with a comma */
export const updateJobRow = (db: Database, id: string, job: CheckedJob, more = empty) =>
  db.query(sql`
    update job_postings
       set title = ${job.title}, description = ${job.description}, html = ${job.html},
           excerpt = ${excerptOf(job.description)},
           places = ${JSON.stringify(job.places)}::text::jsonb, place_keys = ${job.locationKeys},
           remote_policy = ${job.remotePolicy}, hybrid_days = ${job.hybridDays},
           remote_regions = ${job.remoteRegions}, employment_type = ${job.employmentType},
           seniority = ${job.seniority}, salary_minimum = ${job.salary.minimum},
           salary_maximum = ${job.salary.maximum}, salary_currency = ${job.salary.currency},
           salary_period = ${job.salary.period}, yearly_minimum = ${job.yearly.minimum},
           yearly_maximum = ${job.yearly.maximum}, salary_worth = ${job.worth},
           tags = ${job.tags}, apply_link = ${job.apply.link}, apply_email = ${job.apply.email}${more}
     where id = ${id}`)

/**
 * Opens a draft, renews a job for sixty days, or reopens a filled one. Only the first opening sets its date and
 * notifies people, so closing and reopening doesn't move it to the top.
 * @throws Refusal not-found, forbidden; bad-request for an incomplete draft; conflict
 */
export const openJob = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { companyId, status } = await lockShownJob(ctx, id)
    if (status === 'draft') checkedJob(await inputOf(ctx.db, id), false)
    if (status === 'filled' || status === 'expired') {
      await lockHiringCompany(ctx.db, companyId)
      await requireJobCapacity(ctx, companyId)
    }
    const validThrough = dayIn(ctx, JOB_OPEN_DAYS)
    await ctx.db.query(sql`
      update job_postings
         set status = 'open', posted_date = coalesce(posted_date, ${todayOf(ctx)}::date),
             valid_through = ${validThrough}
       where id = ${id}`)
    if (status === 'draft') await enqueueJobPosted(ctx, id)
    return { status: 'open' as const, validThrough }
  })

async function inputOf(db: Database, id: string): Promise<JobInput> {
  const [input] = await db.query<JobInput>(sql`
    select title, description, places, remote_policy as "remotePolicy", hybrid_days as "hybridDays",
           remote_regions as "remoteRegions", employment_type as "employmentType", seniority, tags,
           json_build_object('minimum', salary_minimum, 'maximum', salary_maximum,
                             'currency', salary_currency, 'period', salary_period) as salary,
           json_build_object('link', apply_link, 'email', apply_email) as apply
      from job_postings where id = ${id}`)
  return input as JobInput
}

/** @throws Refusal not-found, forbidden, conflict for a draft */
export const fillJob = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { status, validThrough } = await lockShownJob(ctx, id)
    if (status === 'draft') throw conflict(JOB_REFUSALS.neverOpen)
    await ctx.db.query(sql`update job_postings set status = 'filled' where id = ${id}`)
    return { status: 'filled' as const, validThrough }
  })

/**
 * Closes all of a company's jobs, because we don't store authors. Others who act for the company can reopen theirs, and a
 * feed reopens its own.
 */
export async function closeJobsOf(db: Database, companyId: string) {
  await lockHiringCompany(db, companyId)
  await db.query(sql`
    update job_postings
       set ${closed} where ${isAnyOpen(sql`company_id = ${companyId}`)}`)
}

/** Columns of `job_postings` as its company's other people, or its feed, can reopen it. */
export const closed = sql`
  status = 'filled', feed_closed = feed_id is not null,
  status_before = case when status_before = 'open' then 'filled' else status_before end`

/** Locks these jobs if they're open, or were before they were hidden. */
export const isAnyOpen = (condition: Sql) => sql`
  id in (select id from job_postings
          where ${condition} and 'open' in (status, status_before) order by id for update)`

/** Remembers the job's idempotency key, so no feed adds it again. @throws Refusal not-found, forbidden */
export const deleteJob = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    await lockOwnJob(ctx, id)
    await ctx.db.query(sql`
      with gone as (delete from job_postings where id = ${id} returning idempotency_key, company_id)
      insert into deleted_jobs (idempotency_key, company_id) select idempotency_key, company_id from gone
      on conflict (idempotency_key) do nothing`)
    return { isDeleted: true as const }
  })

/** Limited, because each job also changes its rows in the indexes of lists. */
const EXPIRED_BATCH = 1_000

/** Runs hourly, so lists can skip expired rows by status. Until then, every query compares the day. */
export async function expireJobs({ db, now }: DataContext) {
  const today = todayOf({ now })
  for (;;) {
    const expired = await db.query(sql`
      update job_postings set status = 'expired'
       where id in (select id from job_postings
                     where status = 'open' and valid_through < ${today}::date
                     order by valid_through limit ${EXPIRED_BATCH} for update skip locked)
      returning id`)
    if (expired.length < EXPIRED_BATCH) return
  }
}
