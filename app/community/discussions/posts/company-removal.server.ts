/** Takes all threads about a company away, when the company goes; who may was asked before. */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import { publishThreadChange } from '../live/live.server.ts'
import { postRemovals } from '../live/removal-events.server.ts'

/**
 * Their comments first, then the threads, as one by one. Spec §4. Run it in a transaction that holds the
 * company, so that none comes to it meanwhile; the company's own counters go with the company.
 * @returns how many threads and comments went, stubs not counted
 */
export async function removeThreadsAbout(db: Database, companyId: string) {
  // All of them before anything else, and in one order: whoever writes to one has it already.
  const threads = await db.query<{ id: string }>(
    sql`select id from threads where company_id = ${companyId} order by id for update`,
  )
  const ids = threads.map(({ id }) => id)
  if (ids.length === 0) return { threads: 0, comments: 0 }
  await db.query(sql`
    delete from votes where subject_id = any (${ids}::uuid[])
        or subject_id in (select id from comments where thread_id = any (${ids}::uuid[]))`)
  const [gone] = await db.query<{ comments: number }>(sql`
    with gone as (
      delete from comments where thread_id = any (${ids}::uuid[]) returning is_deleted)
    select count(*) filter (where not is_deleted)::integer as comments from gone`)
  await db.query(sql`delete from threads where id = any (${ids}::uuid[])`)
  await postRemovals.publish(db, ids)
  for (const id of ids) publishThreadChange(db, id)
  return { threads: ids.length, comments: gone?.comments ?? 0 }
}
