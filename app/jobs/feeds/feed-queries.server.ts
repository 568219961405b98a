import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { companyPath } from '#app/companies/company.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { isOpen } from '../job-queries.server.ts'
import { requireFeedAccess } from './feed-rules.server.ts'
import type { FeedRun, JobFeed } from './job-feed.contract.ts'
import { FEED_REFUSALS, FEED_RUNS_KEPT, type Pause, pauseText } from './job-feed.ts'

/** No endpoint needs more. */
const FEEDS_SHOWN = 500

interface RawFeed extends Omit<JobFeed, 'company' | 'paused'> {
  paused: Pause | null
  company: { id: string; name: string; slug: string | null } | null
}

/** Newest first. Those of all companies, and of the site, are for administrators. @throws Refusal forbidden */
export async function jobFeeds(ctx: Ctx, companyId: string | null) {
  await requireFeedAccess(ctx, companyId)
  const condition: Sql = companyId === null ? sql`true` : sql`feed.company_id = ${companyId}`
  const feeds = await ctx.db.query<RawFeed>(sql`
    select feed.id, address, paused, cardinality(missing) as missing,
           paused is null and due_at <= ${ctx.now()} as "isReading",
           (select count(*) from job_postings job
             where feed_id = feed.id and ${isOpen(ctx)})::integer as "openJobs",
           (select json_build_object('id', id, 'name', name, 'slug', slug) from companies
             where id = feed.company_id) as company,
           (select json_build_object(${runColumns}) from job_feed_runs run
             where feed_id = feed.id order by number desc limit 1) as "lastRun"
      from job_feeds feed where ${condition} order by feed.number desc limit ${FEEDS_SHOWN}`)
  return {
    feeds: feeds.map(({ company, paused, ...feed }) => ({
      ...feed,
      paused: paused && pauseText(paused, feed.lastRun?.note),
      company: company && { name: company.name, path: companyPath(company) },
    })),
  }
}

const runColumns = sql`
  'number', run.number, 'readAt', to_char(run.read_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  'outcome', outcome, 'added', added, 'changed', changed, 'closed', closed, 'listed', listed,
  'omittedCount', omitted, 'note', note, 'omittedRows', omitted_rows`

/** The feeds that the account gave or resumed, as its data export shows them. */
export const feedsExport = async ({ db, actor }: Ctx) => ({
  jobFeeds: await db.query<{ address: string; company: string | null }>(sql`
    select address, (select name from companies where id = feed.company_id) as company
      from job_feeds feed where account_id = ${actor.account?.id ?? null} order by number`),
})

/** Last first. @throws Refusal not-found, forbidden */
export async function feedRuns(ctx: Ctx, id: string) {
  const [feed] = await ctx.db.query<{ companyId: string | null }>(
    sql`select company_id as "companyId" from job_feeds where id = ${id}`,
  )
  if (!feed) throw notFound(FEED_REFUSALS.notFound)
  await requireFeedAccess(ctx, feed.companyId)
  const runs = await ctx.db.query<{ run: FeedRun }>(sql`
    select json_build_object(${runColumns}) as run from job_feed_runs run
     where feed_id = ${id} order by number desc limit ${FEED_RUNS_KEPT}`)
  return { runs: runs.map(({ run }) => run) }
}
