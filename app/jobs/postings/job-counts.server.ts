/**
 * Counts people who view a job or go on to apply, each person once a day. Only this process knows who, as a hash under
 * the day's key, and forgets it when the day ends. The database has two numbers, written once a minute so nothing pairs
 * them with a request.
 */
import { createHmac, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { createRateLimit } from '#app/platform/http/rate-limits.server.ts'
import { isOpen } from '../job-queries.server.ts'

type JobVisit = 'view' | 'apply'

const WRITE_MS = 60_000
/** Per person or network. No one opens more jobs than this. */
const LIMIT = { uses: 120, seconds: 60 }
/** How many views a day we remember. Beyond that, we don't count. */
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
  // Random and never stored. After a restart we may count someone twice, but we reveal no one.
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
    /**
     * The caller can't tell whether it counted. Only open jobs count, and views by their own company's people don't.
     */
    async count(ctx: Ctx, jobId: string, what: JobVisit) {
      const { actor, network } = ctx
      // Visitors can make up anonymous ids, but not networks.
      const personOrNetwork = actor.account ? actor.account.id : network
      if ((await limit.use(personOrNetwork)) !== undefined) return
      const day = todayOf(base)
      if (today.day !== day) today = { day, key: randomBytes(32), seen: new Set() }
      const [job] = await ctx.db.query<{ id: string }>(sql`
        select id from job_postings job
         where id = ${jobId} and ${isOpen(base)}
           and not exists (select from employer_claims claim
                            where claim.company_id = job.company_id and claim.status = 'approved'
                              and claim.account_id = ${actor.account?.id ?? null})`)
      if (!job) return
      const { id } = job
      const mark = createHmac('sha256', today.key)
        .update(`${what} ${id} ${personOrNetwork}`)
        .digest('base64url')
      // No await between check and add, so concurrent requests count once.
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

/** Locks in id order, so two processes can't deadlock. */
const writeCounts = (db: Database, counted: { id: string; what: JobVisit }[]) =>
  db.query(sql`
    with seen as (
      select id, count(*) filter (where what = 'view') as views,
             count(*) filter (where what = 'apply') as applies
        from json_to_recordset(${JSON.stringify(counted)}::json) as counted(id uuid, what text)
       group by id),
    locked as materialized (
      select id from job_postings where id in (select id from seen) order by id for no key update)
    update job_postings job set views = job.views + seen.views, applies = job.applies + seen.applies
      from seen join locked using (id) where job.id = locked.id`)
