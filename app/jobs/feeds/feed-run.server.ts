/** Reads a feed: posts what's new, updates what changed, closes what's gone, and logs it. One run at a time per feed. */
import { randomUUID } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import { retryDeadlocks } from '#app/companies/importing/import-turn.server.ts'
import { RowProblem } from '#app/companies/importing/imported-company.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { HOUR_MS, MINUTE_MS, startOfMinute, todayOf } from '#app/platform/days.server.ts'
import { createPublicFetch, type FetchPublic } from '#app/platform/http/public-fetch.server.ts'
import { conflict, FAILED } from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { fileKeyOf, wasDeleted } from '../import/job-import.server.ts'
import { daysAfter, type ImportedJob } from '../import/read-job.server.ts'
import { JOB_OPEN_DAYS, JOB_REFUSALS, type JobStatus } from '../job.ts'
import { statusOf } from '../job-queries.server.ts'
import { checkedJob } from '../postings/job-check.server.ts'
import { closed, insertJob, isAnyOpen, updateJobRow } from '../postings/job-commands.server.ts'
import { lockHiringCompany, requireJobCapacity } from '../postings/job-rules.server.ts'
import { FeedProblem, fetchFeed, type Version } from './feed-fetch.server.ts'
import {
  companyFinder,
  inOrder,
  type ListedJob,
  type ListedJobs,
  listedJobs,
  omitRow,
  rowProblem,
} from './feed-jobs.server.ts'
import { FEED_PAUSED_TASK } from './feed-mail.server.ts'
import { mayPost } from './feed-rules.server.ts'
import type { FeedRun } from './job-feed.contract.ts'
import {
  FEED_FAILURES_MAX,
  FEED_NOTES,
  FEED_REFUSALS,
  FEED_RUNS_KEPT,
  PAUSES,
  type Pause,
} from './job-feed.ts'

export const READ_FEED_TASK: TaskKind<{ feedId: string }> = 'read-job-feed'

/** Hourly scans come up to an hour later. */
const BETWEEN_MS = 23 * HOUR_MS
/** Renewed with every job that we write, so this is how long others wait after a crash. */
const LEASE_MS = 15 * MINUTE_MS
/** We read the whole feed at least this often, because jobs without a last day are only open for sixty days. */
const WHOLE_EVERY_MS = 7 * 24 * HOUR_MS
/** Open-ended jobs are prolonged once they have fewer days left. */
const PROLONGED_BELOW_DAYS = JOB_OPEN_DAYS / 2
/** We close fewer than this share of a feed's open jobs at once. A larger one is more likely a mistake. */
const MISSING_SHARE = 0.5

/** Runs hourly. */
export async function enqueueDueFeeds({
  db,
  now,
  queue,
}: Pick<ServerContext, 'db' | 'now' | 'queue'>) {
  const due = await db.query<{ id: string }>(
    sql`select id from job_feeds where ${isFree(now)} order by due_at`,
  )
  for (const { id } of due) await queue.enqueue(db, READ_FEED_TASK, { feedId: id })
}

/** A condition for `job_feeds`: it's due, and no one is reading it. */
const isFree = (now: () => Date) => sql`
  paused is null and due_at <= ${now()} and (leased_until is null or leased_until < ${now()})`

interface LeasedFeed extends Version {
  id: string
  leaseId: string
  companyId: string | null
  address: string
  scope: string
  failures: number
  /** Whether we read all of it lately. */
  isFresh: boolean
  mayPost: boolean
}

/** Someone paused or removed the feed, or another process took it over. */
class Stopped extends Error {
  override name = 'Stopped'
}
/** The person who gave the feed lost the right to post its jobs. */
class GiverGone extends Error {
  override name = 'GiverGone'
}

interface RunParts {
  fetchPublic?: FetchPublic
  /** Hears of errors that aren't the feed's fault. */
  onBug?: (error: unknown) => void
}

/** Harmless to repeat. */
export async function readFeed(
  ctx: ServerContext,
  feedId: string,
  { fetchPublic = createPublicFetch(), onBug }: RunParts = {},
) {
  const feed = await takeFeed(ctx, feedId)
  if (!feed) return
  try {
    if (!feed.mayPost) throw new GiverGone()
    const fetched = await fetchFeed(fetchPublic, feed.address, feed.isFresh ? feed : {})
    if (fetched === 'unchanged') return await endRun(ctx, feed, { outcome: 'unchanged' })
    const listed = await listedJobs(ctx, feed.scope, fetched.rows)
    const { missing, ...run } = await takeOver(ctx, feed, listed, fetched.rows.length)
    const { etag = null, lastModified = null } = fetched.version
    const also = sql`
      , read_at = ${startOfMinute(ctx.now())}, etag = ${etag}, last_modified = ${lastModified},
      missing = ${missing}::uuid[]`
    await endRun(ctx, feed, run, also)
  } catch (error) {
    if (error instanceof Stopped) return
    if (error instanceof GiverGone) return await fail(ctx, feed, PAUSES['giver-gone'], 'giver-gone')
    if (error instanceof FeedProblem) return await fail(ctx, feed, error.message)
    onBug?.(error)
    await fail(ctx, feed, FAILED.message)
  }
}

async function takeFeed({ db, now }: ServerContext, id: string) {
  const leaseId = randomUUID()
  const freshSince = new Date(now().getTime() - WHOLE_EVERY_MS)
  const [feed] = await db.query<LeasedFeed>(sql`
    update job_feeds feed set lease_id = ${leaseId}, leased_until = ${leasedUntil(now)}
     where id = ${id} and ${isFree(now)}
    returning id, lease_id as "leaseId", company_id as "companyId", address, scope, failures, etag,
              last_modified as "lastModified", ${mayPost} as "mayPost",
              coalesce(read_at > ${freshSince}, false) as "isFresh"`)
  return feed
}

const leasedUntil = (now: () => Date) => new Date(now().getTime() + LEASE_MS)

/** Decides when something is written, because seats can be revoked while a run goes on. @throws Stopped, GiverGone */
async function requireMayPost({ db, now }: ServerContext, { id, leaseId }: LeasedFeed) {
  const [held] = await db.query<{ mayPost: boolean }>(sql`
    update job_feeds feed set leased_until = ${leasedUntil(now)}
     where id = ${id} and lease_id = ${leaseId} returning ${mayPost} as "mayPost"`)
  if (!held) throw new Stopped()
  if (!held.mayPost) throw new GiverGone()
}

/** What a run's row says. */
type Run = Pick<FeedRun, 'outcome'> & Partial<Omit<FeedRun, 'number' | 'readAt' | 'outcome'>>

/** Posts, updates and closes jobs. @param rows how many the feed has */
async function takeOver(
  ctx: ServerContext,
  feed: LeasedFeed,
  { jobs, listed, unread, omittedRows }: ListedJobs,
  rows: number,
) {
  const open = await openJobsOf(ctx, feed.id)
  const known = await knownJobs(ctx, feed.id)
  const companyOf = companyFinder(ctx, feed)
  const counts = { added: 0, changed: 0 }
  for (const job of jobs) {
    const here = known.get(job.key)
    if (here && isUpToDate(ctx, here, job)) continue
    try {
      // An employer may be reopening the same job.
      const done = await retryDeadlocks(() => writeJob(ctx, feed, job, companyOf))
      if (done) counts[done]++
    } catch (error) {
      omitRow(omittedRows, job.row, rowProblem(error))
    }
  }
  const gone = open.filter(({ key }) => !listed.has(key)).map(({ id }) => id)
  // A guess never closes anything.
  const isSure = rows > 0 && unread === 0 && gone.length < open.length * MISSING_SHARE
  const closed = isSure && gone.length > 0 ? await closeGone(ctx, feed, gone) : 0
  const missing = isSure ? [] : gone
  const why =
    unread > 0
      ? FEED_NOTES.unread(unread, missing.length)
      : FEED_NOTES.missing(missing.length, open.length)
  const notes = [rows === 0 && FEED_NOTES.empty, missing.length > 0 && why].filter(Boolean)
  return {
    outcome: 'read' as const,
    ...counts,
    ...{ closed, missing, listed: rows, omittedCount: omittedRows.count },
    omittedRows: inOrder(omittedRows),
    note: notes.join(' ') || null,
  }
}

/** People can apply, or could before moderators hid it. */
const openJobsOf = ({ db, now }: ServerContext, feedId: string) =>
  db.query<{ id: string; key: string }>(sql`
    select id, idempotency_key as key from job_postings
     where feed_id = ${feedId} and 'open' in (status, status_before)
       and valid_through >= ${todayOf({ now })}::date`)

interface KnownJob {
  status: JobStatus
  isHidden: boolean
  /** Whether it was closed because the feed no longer had it. */
  isGone: boolean
  validThrough: string
  hash: Buffer | null
}

const knownColumns = (ctx: ServerContext) => sql`
  ${statusOf(ctx)} as status, hidden is not null as "isHidden", feed_closed as "isGone",
  valid_through as "validThrough", sent_hash as hash`

async function knownJobs(ctx: ServerContext, feedId: string) {
  const jobs = await ctx.db.query<KnownJob & { key: string }>(sql`
    select idempotency_key as key, ${knownColumns(ctx)} from job_postings job where feed_id = ${feedId}`)
  return new Map(jobs.map(({ key, ...job }) => [key, job]))
}

/** Only then does the run leave it alone. */
function isUpToDate(ctx: ServerContext, here: KnownJob, { hash, job }: ListedJob) {
  if (!hasSaid(here, hash)) return false
  const isOpenUntil = here.status === 'open' && lastDayOf(ctx, here, job) === here.validThrough
  const isClosedByHand = here.status === 'filled' && !here.isGone
  return here.isHidden || isOpenUntil || isClosedByHand
}

const hasSaid = (here: KnownJob, hash: Buffer) => here.hash !== null && hash.equals(here.hash)

const mustReopen = ({ status, isGone }: KnownJob) =>
  status === 'expired' || (status === 'filled' && isGone)

/** A later day only counts once it's needed, so a job without a last day isn't written every day. */
function lastDayOf(ctx: ServerContext, here: KnownJob, { validThrough }: ImportedJob) {
  const isSoon = here.validThrough < daysAfter(todayOf(ctx), PROLONGED_BELOW_DAYS)
  return isSoon || validThrough < here.validThrough ? validThrough : here.validThrough
}

/** @throws RowProblem, Refusal, Stopped, GiverGone */
async function writeJob(
  ctx: ServerContext,
  feed: LeasedFeed,
  { key, hash, job: listed }: ListedJob,
  companyOf: (named: string) => Promise<string>,
): Promise<'added' | 'changed' | undefined> {
  const job = checkedJob(listed.input, false)
  const companyId = await companyOf(listed.company)
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const company = await lockHiringCompany(db, companyId)
    await requireMayPost(ctx, feed)
    // An operator may have imported it from a file before.
    const fileKey = fileKeyOf(ctx, company.id, listed)
    const [here] = await db.query<KnownJob & { id: string }>(sql`
      select id, ${knownColumns(ctx)} from job_postings job
       where idempotency_key in (${key}, ${fileKey}) and coalesce(feed_id, ${feed.id}) = ${feed.id}
       order by idempotency_key = ${key} desc limit 1 for update`)
    if (!here) {
      if (await wasDeleted(db, key, fileKey)) throw new RowProblem(FEED_REFUSALS.deleted)
      await requireJobCapacity(ctx, company.id)
      const { posted, validThrough } = listed
      const open = { posted, validThrough }
      await insertJob(ctx, { company, job, idempotencyKey: key, hash, feedId: feed.id, open })
      return 'added'
    }
    if (here.isHidden) throw conflict(JOB_REFUSALS.underReview)
    const isReopened = mustReopen(here)
    if (isReopened) await requireJobCapacity(ctx, company.id)
    const status = here.status === 'filled' && !isReopened ? 'filled' : 'open'
    await updateJobRow(
      db,
      here.id,
      job,
      sql`, company_id = ${company.id}, company_name = ${company.name}, feed_id = ${feed.id},
           idempotency_key = ${key}, sent_hash = ${hash}, feed_closed = false,
           status = ${status}, valid_through = ${lastDayOf(ctx, here, listed)}`,
    )
    if (isReopened) return 'added'
    return hasSaid(here, hash) ? undefined : 'changed'
  })
}

const closeGone = (ctx: ServerContext, feed: LeasedFeed, gone: string[]) =>
  transaction(ctx, async (ctx) => {
    await requireMayPost(ctx, feed)
    return closeFeedJobs(ctx.db, sql`feed_id = ${feed.id} and id = any (${gone}::uuid[])`)
  })

/** Call it in a transaction that holds the feed. @returns how many */
export async function closeFeedJobs(db: Database, condition: Sql) {
  const gone = await db.query(
    sql`update job_postings set ${closed} where ${isAnyOpen(condition)} returning id`,
  )
  return gone.length
}

/** @param also more columns of the feed. @throws Stopped */
const endRun = (ctx: ServerContext, { id, leaseId }: LeasedFeed, run: Run, also = empty) =>
  transaction(ctx, async ({ db, now }) => {
    const due = new Date(Date.parse(startOfMinute(now())) + BETWEEN_MS)
    const [mine] = await db.query(sql`
      update job_feeds
         set lease_id = null, leased_until = null, due_at = ${due},
             failures = ${run.outcome === 'failed' ? sql`failures + 1` : 0}${also}
       where id = ${id} and lease_id = ${leaseId} returning id`)
    if (!mine) throw new Stopped()
    const { outcome, added = 0, changed = 0, closed = 0, listed = 0, omittedCount = 0 } = run
    await db.query(sql`
      insert into job_feed_runs
        (feed_id, read_at, outcome, added, changed, closed, listed, omitted, note, omitted_rows)
      values (${id}, ${startOfMinute(now())}, ${outcome}, ${added}, ${changed}, ${closed}, ${listed},
              ${omittedCount}, ${run.note ?? null}, ${JSON.stringify(run.omittedRows ?? [])}::text::jsonb)`)
    await db.query(sql`
      delete from job_feed_runs
       where feed_id = ${id} and number <= (select number from job_feed_runs where feed_id = ${id}
                                             order by number desc offset ${FEED_RUNS_KEPT} limit 1)`)
  })

/** Tells the person who gave the feed if it's paused. @param pause pauses it at once, and not only after several failures */
async function fail(ctx: ServerContext, feed: LeasedFeed, note: string, pause?: Pause) {
  const isTooOften = feed.failures + 1 >= FEED_FAILURES_MAX
  const paused = pause ?? (isTooOften ? ('failures' satisfies Pause) : null)
  try {
    await transaction(ctx, async (ctx) => {
      await endRun(ctx, feed, { outcome: 'failed', note }, sql`, paused = ${paused}`)
      if (paused) await ctx.queue.enqueue(ctx.db, FEED_PAUSED_TASK, { feedId: feed.id })
    })
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  }
}
