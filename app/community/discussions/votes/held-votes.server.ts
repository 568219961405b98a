/** Visitors' votes that came too many at once: stored, and counted once a moderator agrees. */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import type { PostRef } from '../../reports/report.ts'
import { publishThreadChange } from '../live/live.server.ts'
import { countingOf } from './score.server.ts'

export interface HeldVotes {
  up: number
  down: number
  poll: number
}

/** By post, without those that have none. */
export async function heldVotes(db: Database, ids: string[]): Promise<Map<string, HeldVotes>> {
  const rows = await db.query<HeldVotes & { id: string }>(sql`
    select id, sum(up)::integer as up, sum(down)::integer as down, sum(poll)::integer as poll from (
      select subject_id as id, count(*) filter (where value = 1) as up,
             count(*) filter (where value = -1) as down, 0 as poll
        from votes where state = 'held' and subject_id = any (${ids}::uuid[]) group by subject_id
      union all
      select thread_id, 0, 0, count(*) from poll_votes
       where is_held and thread_id = any (${ids}::uuid[]) group by thread_id) held group by id`)
  return new Map(rows.map(({ id, ...held }) => [id, held]))
}

/** Call both in a transaction that has locked the post. */
export async function countHeldVotes(db: Database, { kind, id }: PostRef, threadId: string) {
  await db.query(sql`
    with counted as (
      update votes set state = 'unproven' where subject_id = ${id} and state = 'held'
      returning value),
    summed as (
      select 0 as proven, coalesce(sum(value), 0)::integer as visitors from counted)
    ${countingOf(kind, id, sql`summed`)}`)
  // As votes in it do.
  await db.query(sql`select from polls where thread_id = ${id} for update`)
  await db.query(sql`
    with counted as (
      update poll_votes set is_held = false where thread_id = ${id} and is_held returning place)
    update poll_options option set votes = option.votes + added.votes
      from (select place, count(*)::integer as votes from counted group by place) added
     where option.thread_id = ${id} and option.place = added.place`)
  publishThreadChange(db, threadId)
}

export async function dropHeldVotes(db: Database, { id }: PostRef) {
  await db.query(sql`delete from votes where subject_id = ${id} and state = 'held'`)
  await db.query(sql`delete from poll_votes where thread_id = ${id} and is_held`)
}
