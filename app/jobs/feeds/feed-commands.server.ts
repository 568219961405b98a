/** What people do with feeds. Administrators' acts are logged. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { isAdministrator } from '#app/api/auth/permissions.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { startOfMinute } from '#app/platform/days.server.ts'
import type { FetchPublic } from '#app/platform/http/public-fetch.server.ts'
import { badRequest, conflict, requireValid } from '#app/platform/http/refusal.ts'
import type { Salary } from '../job.ts'
import { arrangementText, locationsText, salaryText } from '../job-text.ts'
import { checkedJob } from '../postings/job-check.server.ts'
import { lockHiringCompany } from '../postings/job-rules.server.ts'
import { FeedProblem, fetchFeed } from './feed-fetch.server.ts'
import { companyFinder, inOrder, listedJobs, omitRow, rowProblem } from './feed-jobs.server.ts'
import { lockOwnFeed, requireFeedAccess } from './feed-rules.server.ts'
import { closeFeedJobs, READ_FEED_TASK } from './feed-run.server.ts'
import type { FeedTrial, NewFeed } from './job-feed.contract.ts'
import {
  FEED_REFUSALS,
  FEEDS_PER_COMPANY_MAX,
  feedAddressProblem,
  type Pause,
  TRIED_JOBS_SHOWN,
  tidyFeedAddress,
} from './job-feed.ts'

function checkedAddress(typed: string) {
  const address = tidyFeedAddress(typed)
  requireValid(feedAddressProblem(address))
  return address
}

/** @throws Refusal bad-request, forbidden, not-found, conflict */
export async function addFeed(ctx: Ctx, input: NewFeed) {
  const address = checkedAddress(input.address)
  const companyId = input.company ?? null
  return transaction(ctx, async (ctx) => {
    const { db, secrets } = ctx
    await requireFeedAccess(ctx, companyId)
    if (companyId !== null) await requireFeedCapacity(ctx, companyId)
    const scope = secrets.hash('job feed scope', address, companyId ?? '')
    const [added] = await db.query<{ id: string }>(sql`
      insert into job_feeds (company_id, account_id, address, scope, due_at)
      values (${companyId}, ${requireAccount(ctx).id}, ${address}, ${scope}, ${startOfMinute(ctx.now())})
      on conflict (scope) do nothing returning id`)
    if (!added) throw conflict(FEED_REFUSALS.known)
    await enqueueReading(ctx, added.id)
    await log(ctx, 'add-job-feed', { address, companyId })
    return added
  })
}

async function requireFeedCapacity({ db }: Ctx, companyId: string) {
  await lockHiringCompany(db, companyId)
  const [full] = await db.query(sql`
    select from job_feeds where company_id = ${companyId} offset ${FEEDS_PER_COMPANY_MAX - 1} limit 1`)
  if (full) throw conflict(FEED_REFUSALS.full)
}

const enqueueReading = ({ db, queue }: Ctx, feedId: string) =>
  queue.enqueue(db, READ_FEED_TASK, { feedId })

async function log(
  ctx: Ctx,
  action: 'add-job-feed' | 'remove-job-feed',
  { address, companyId }: { address: string; companyId: string | null },
) {
  if (!isAdministrator(ctx.actor)) return
  await logAdminAct(ctx, { action, subject: address, ...(companyId && { companyId }) })
}

/** Reads all of it. @throws Refusal not-found, forbidden, conflict if it's paused */
export const readNow = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { isPaused } = await lockOwnFeed(ctx, id)
    if (isPaused) throw conflict(FEED_REFUSALS.isPaused)
    await ctx.db.query(sql`
      update job_feeds set due_at = ${startOfMinute(ctx.now())}, etag = null, last_modified = null
       where id = ${id}`)
    await enqueueReading(ctx, id)
    return { isReading: true as const }
  })

/** Pausing stops a run that's going on. Resuming makes the feed this person's. @throws Refusal not-found, forbidden */
export const setPaused = (ctx: Ctx, id: string, isPaused: boolean) =>
  transaction(ctx, async (ctx) => {
    const feed = await lockOwnFeed(ctx, id)
    if (feed.isPaused === isPaused) return { isPaused }
    if (isPaused)
      await ctx.db.query(sql`
        update job_feeds set paused = ${'by-hand' satisfies Pause}, lease_id = null, leased_until = null
         where id = ${id}`)
    else {
      await ctx.db.query(sql`
        update job_feeds
           set paused = null, failures = 0, account_id = ${requireAccount(ctx).id},
               due_at = ${startOfMinute(ctx.now())}
         where id = ${id}`)
      await enqueueReading(ctx, id)
    }
    return { isPaused }
  })

/** Only those that a person has seen counted, not what has vanished since. @throws Refusal not-found, forbidden */
export const closeMissing = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { missing } = await lockOwnFeed(ctx, id)
    const closed = await closeFeedJobs(
      ctx.db,
      sql`feed_id = ${id} and id = any (${missing}::uuid[])`,
    )
    await ctx.db.query(sql`update job_feeds set missing = '{}' where id = ${id}`)
    return { closed }
  })

/** Closes its jobs. If it's added again, it finds them. @throws Refusal not-found, forbidden */
export const removeFeed = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const feed = await lockOwnFeed(ctx, id)
    const closed = await closeFeedJobs(ctx.db, sql`feed_id = ${id}`)
    await ctx.db.query(sql`delete from job_feeds where id = ${id}`)
    await log(ctx, 'remove-job-feed', feed)
    return { closed }
  })

/** Writes nothing. @throws Refusal bad-request if we can't read it; forbidden */
export async function tryFeed(
  ctx: Ctx,
  input: NewFeed,
  fetchPublic: FetchPublic,
): Promise<FeedTrial> {
  const companyId = input.company ?? null
  await requireFeedAccess(ctx, companyId)
  const address = checkedAddress(input.address)
  const fetched = await fetchFeed(fetchPublic, address).catch((error) => {
    throw error instanceof FeedProblem ? badRequest(error.message) : error
  })
  const rows = fetched === 'unchanged' ? [] : fetched.rows
  const { jobs, omittedRows } = await listedJobs(ctx, address, rows)
  const companyOf = companyFinder(ctx, { companyId })
  const first: FeedTrial['jobs'] = []
  let fine = 0
  for (const { row, job } of jobs)
    try {
      const { title, ...checked } = checkedJob(job.input, false)
      const id = await companyOf(job.company)
      fine++
      if (first.length >= TRIED_JOBS_SHOWN) continue
      const [company] = await ctx.db.query<{ name: string }>(
        sql`select name from companies where id = ${id}`,
      )
      const location = locationsText(checked.places) || arrangementText(checked)
      const salary = salaryText(checked.salary as Salary)
      first.push({ title, company: company?.name ?? '', location, salary })
    } catch (error) {
      omitRow(omittedRows, row, rowProblem(error))
    }
  return { listed: rows.length, fine, jobs: first, omittedRows: inOrder(omittedRows) }
}
