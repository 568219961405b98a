/** When too many untrusted votes come at once, we store them and count them once a moderator agrees. D37. */

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { isUntrusted } from '#app/api/auth/spam-checks.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import type { PostRef } from '../../reports/report.ts'
import { broadcastThreadChange } from '../live/live.server.ts'
import type { Vote } from './vote.ts'
import { countingOf, isHeldVote, VOTE_STATES, type VoteState } from './vote-counts.server.ts'
import type { UntrustedLimits } from './vote-rules.server.ts'

/**
 * Whether an untrusted vote must wait. Repeating a vote changes nothing and doesn't count toward a limit.
 * @throws Refusal too-many for a network's voters
 */
export async function isVoteHeld(
  ctx: Ctx,
  limits: UntrustedLimits,
  { id, key, vote }: { id: string; key: Buffer; vote: Vote },
): Promise<boolean> {
  if (!isUntrusted(ctx.actor)) return false
  const [before] = await ctx.db.query<{ value: number; state: VoteState }>(
    sql`select value, state from votes where subject_id = ${id} and key = ${key}`,
    PREPARED,
  )
  if (before?.value === vote) return before.state === VOTE_STATES.held
  return isHeldNow(ctx, limits, {
    subject: id,
    isNew: before === undefined,
    held: sql`votes where subject_id = ${id} and ${isHeldVote}`,
  })
}

/**
 * Whether an untrusted vote in a poll must wait. It's always their first there. @throws Refusal too-many for a
 * network's voters
 */
export async function isPollVoteHeld(ctx: Ctx, limits: UntrustedLimits, threadId: string) {
  if (!isUntrusted(ctx.actor)) return false
  return isHeldNow(ctx, limits, {
    subject: `poll ${threadId}`,
    isNew: true,
    held: sql`poll_votes where thread_id = ${threadId} and is_held`,
  })
}

/** A vote waits while other votes on the post do, or if unusually many come in. @param held the waiting votes */
async function isHeldNow(
  { db, network }: Ctx,
  limits: UntrustedLimits,
  { subject, isNew, held }: { subject: string; isNew: boolean; held: Sql },
): Promise<boolean> {
  if (isNew) await limits.requireCapacity(network, subject)
  const isSurge = await limits.isSurge(subject)
  const [waiting] = await db.query(sql`select from ${held} limit 1`, PREPARED)
  return isSurge || waiting !== undefined
}

/** A post's votes that are pending review. */
interface HeldVotes {
  up: number
  down: number
  poll: number
}

/** Held votes by post. Posts without any are left out. */
export async function heldVotes(db: Database, ids: string[]): Promise<Map<string, HeldVotes>> {
  const rows = await db.query<HeldVotes & { id: string }>(sql`
    select id, sum(up)::integer as up, sum(down)::integer as down, sum(poll)::integer as poll from (
      select subject_id as id, count(*) filter (where value = 1) as up,
             count(*) filter (where value = -1) as down, 0 as poll
        from votes where ${isHeldVote} and subject_id = any (${ids}::uuid[]) group by subject_id
      union all
      select thread_id, 0, 0, count(*) from poll_votes
       where is_held and thread_id = any (${ids}::uuid[]) group by thread_id) held group by id`)
  return new Map(rows.map(({ id, ...held }) => [id, held]))
}

/** Call both in a transaction that has locked the post. */
export async function countHeldVotes(db: Database, { kind, id }: PostRef, threadId: string) {
  await db.query(sql`
    with counted as (
      update votes set state = ${VOTE_STATES.untrusted}
       where subject_id = ${id} and ${isHeldVote}
      returning value),
    summed as (
      select 0 as trusted, coalesce(sum(value), 0)::integer as untrusted from counted)
    ${countingOf(kind, id, sql`summed`)}`)
  // Locks the poll, as a vote in it does.
  await db.query(sql`select from polls where thread_id = ${id} for update`)
  await db.query(sql`
    with counted as (
      update poll_votes set is_held = false where thread_id = ${id} and is_held returning place)
    update poll_options option set votes = option.votes + added.votes
      from (select place, count(*)::integer as votes from counted group by place) added
     where option.thread_id = ${id} and option.place = added.place`)
  broadcastThreadChange(db, threadId)
}

export async function dropHeldVotes(db: Database, { id }: PostRef) {
  await db.query(sql`delete from votes where subject_id = ${id} and ${isHeldVote}`)
  await db.query(sql`delete from poll_votes where thread_id = ${id} and is_held`)
}
