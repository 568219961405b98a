/**
 * Counts who looks at a job, and who goes on to apply: each person once a day. Who it was is known to
 * this process alone, as a hash under a key of the day, and forgotten with the day; the database
 * keeps two numbers. They are written each minute, so that nothing pairs them with a request.
 */
import { createHmac, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { createRateLimit } from '#app/platform/http/rate-limits.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import { isOpen } from '../job-queries.server.ts'

export type JobVisit = 'view' | 'apply'

const WRITE_MS = 60_000
/** Per person or network: nobody opens more jobs than this. */
const LIMIT = { uses: 120, seconds: 60 }
/** Of a day, in memory; beyond that nothing more is counted. */
const SEEN_MAX = 500_000

export type JobCounts = ReturnType<typeof createJobCounts>

export function createJobCounts(
  base: Pick<Ctx, 'db' | 'now'>,
  {
    hasRateLimits,
    onFailure = () => {},
  }: { hasRateLimits: boolean; onFailure?: (error: unknown) => void },
) {
  const limit = createRateLimit({ name: 'job-views', ...LIMIT, isOn: hasRateLimits })
  // Random and never written down: a restart may count somebody a second time, and tells nobody.
  let today = { day: '', key: randomBytes(32), seen: new Set<string>() }
  let waiting: { id: string; what: JobVisit }[] = []
  let timer: NodeJS.Timeout | undefined

  async function flush() {
    const counted = waiting
    waiting = []
    if (counted.length === 0) return
    try {
      await writeCounts(base.db, counted)
    } catch (error) {
      onFailure(error)
      waiting = [...counted, ...waiting].slice(0, SEEN_MAX)
    }
  }

  return {
    /** Counts it, or not; nobody learns which. Only open jobs count, and not for their own people. */
    async count(ctx: Ctx, asked: string, what: JobVisit) {
      const { actor, network } = ctx
      // A visitor makes up new anonymous ids at will, but no networks.
      const who = actor.account ? actor.account.id : network
      if ((await limit.use(who)) !== undefined) return
      const day = todayOf(base)
      if (today.day !== day) today = { day, key: randomBytes(32), seen: new Set() }
      const [job] = await ctx.db.query<{ id: string }>(sql`
        select id from job_postings job
         where id = ${asked} and ${isOpen(base)}
           and not exists (select from employer_claims claim
                            where claim.company_id = job.company_id and claim.status = 'approved'
                              and claim.account_id = ${actor.account?.id ?? null})`)
      if (!job) return
      const { id } = job
      const mark = createHmac('sha256', today.key)
        .update(`${what} ${id} ${who}`)
        .digest('base64url')
      // Nothing is waited for between the look and the mark: of many at once the first one counts.
      if (today.seen.has(mark) || today.seen.size >= SEEN_MAX) return
      today.seen.add(mark)
      waiting.push({ id, what })
    },
    flush,
    start() {
      timer ??= setInterval(flush, WRITE_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Always in the same order, so that two processes that write wait for each other only one way. */
const writeCounts = (db: Database, counted: { id: string; what: JobVisit }[]) =>
  db.query(sql`
    with seen as (
      select id, count(*) filter (where what = 'view') as views,
             count(*) filter (where what = 'apply') as applies
        from json_to_recordset(${JSON.stringify(counted)}::json) as counted(id uuid, what text)
       group by id),
    held as materialized (
      select id from job_postings where id in (select id from seen) order by id for no key update)
    update job_postings job set views = job.views + seen.views, applies = job.applies + seen.applies
      from seen join held using (id) where job.id = held.id`)
