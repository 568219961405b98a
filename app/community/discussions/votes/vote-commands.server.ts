/** One vote per person and post. S17 and D37. */

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { isUnproven } from '#app/api/auth/proof.server.ts'
import { requireAuthor, requireOwner } from '#app/api/auth/require.server.ts'
import { publish, transaction } from '#app/platform/database/context.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { createNetworkLimit, createRateLimit } from '#app/platform/http/rate-limits.server.ts'
import { badRequest, notFound, Refusal } from '#app/platform/http/refusal.ts'
import { DAY_MS } from '#app/platform/jobs/days.server.ts'
import { VOTES_HELD } from '../../reports/moderated-post.server.ts'
import { COMMENT_NOT_FOUND, type PostRef } from '../../reports/report.ts'
import { SURGE, VOTERS_PER_NETWORK, type Vote } from '../discussion.ts'
import { publishThreadChange } from '../live/live.server.ts'
import {
  type Hiding,
  hidingOfComment,
  hidingOfThread,
  keepThreadShown,
  requireOpen,
  requireShown,
} from '../posts/hidden-posts.server.ts'
import { isSameKey, threadKey } from '../posts/own-posts.server.ts'
import { isPollClosed } from '../threads/thread-queries.server.ts'
import { countingOf, pollKey, shownScore, voteKey } from './vote-queries.server.ts'

/** @throws Refusal not-found, gone, forbidden for your own post, too-many for a visitor */
export const voteThread = (ctx: Ctx, id: string, vote: Vote, limits: VisitorLimits) =>
  castVote(ctx, { kind: 'thread', vote, limits }, async (db) => {
    const [thread] = await db.query<Hiding & Subject>(
      sql`
      select id, ${hidingOfThread}, id as "threadId", key, ${shownScore(sql`thread`)} as score
        from threads thread where id = ${id} for no key update`,
      PREPARED,
    )
    return requireShown(thread)
  })

/** @throws Refusal as for a thread, and conflict for a hidden one */
export const voteComment = (ctx: Ctx, id: string, vote: Vote, limits: VisitorLimits) =>
  castVote(ctx, { kind: 'comment', vote, limits }, async (db) => {
    const [known] = await db.query<{ threadId: string }>(
      sql`select thread_id as "threadId" from comments where id = ${id}`,
      PREPARED,
    )
    if (!known) throw notFound(COMMENT_NOT_FOUND)
    await keepThreadShown(db, known.threadId)
    const [comment] = await db.query<Hiding & Subject>(
      sql`
      select id, ${hidingOfComment}, thread_id as "threadId", key, ${shownScore(sql`comment`)} as score
        from comments comment where id = ${id} and not is_deleted for no key update`,
      PREPARED,
    )
    if (!comment) throw notFound(COMMENT_NOT_FOUND)
    requireOpen(comment, 'comment')
    return comment
  })

interface Ballot {
  kind: 'thread' | 'comment'
  vote: Vote
  limits: VisitorLimits
}

/** As its row spells it: keys and limits depend on that. */
interface Subject {
  id: string
  threadId: string
  key: Uint8Array
  score: number
}

/** proven: a member's. unproven: a visitor's. held: a visitor's, not counted. */
type VoteState = 'proven' | 'unproven' | 'held'

/** @param lock locks the post, so that a person's votes come one after the other */
const castVote = (
  ctx: Ctx,
  { kind, vote, limits }: Ballot,
  lock: (db: Database) => Promise<Subject>,
) =>
  transaction(ctx, async (ctx) => {
    const { db, actor } = ctx
    requireAuthor(ctx)
    const post = await lock(db)
    const { root } = requireOwner(ctx)
    if (isSameKey(post.key, threadKey(root, post.threadId)))
      throw new Refusal('forbidden', 'You cannot vote on your own post')
    const key = voteKey(root, post.threadId)
    const ref = { kind, id: post.id }
    const isHeld =
      vote !== 0 && isUnproven(actor) && (await isVoteHeld(ctx, limits, { ref, key, vote }))
    const state = isUnproven(actor) ? (isHeld ? 'held' : 'unproven') : 'proven'
    const cast = await writeVote(db, ref, { key, vote, state })
    if (cast.isNew && cast.state === 'held') await publish(ctx, VOTES_HELD, ref)
    return {
      vote,
      score: cast.score ?? post.score,
      ...heldMark(cast.state === 'held'),
    }
  })

const heldMark = (isHeld: boolean) => (isHeld ? { isHeld } : {})

/** The same vote again changes nothing and counts for no limit. */
async function isVoteHeld(
  ctx: Ctx,
  limits: VisitorLimits,
  { ref: { id }, key, vote }: { ref: PostRef; key: Buffer; vote: Vote },
): Promise<boolean> {
  const [before] = await ctx.db.query<{ value: number; state: VoteState }>(
    sql`select value, state from votes where subject_id = ${id} and key = ${key}`,
    PREPARED,
  )
  if (before?.value === vote) return before.state === 'held'
  return holds(ctx, limits, {
    subject: id,
    isNew: before === undefined,
    held: sql`votes where subject_id = ${id} and state = 'held'`,
  })
}

interface Written {
  state: VoteState | null
  isNew: boolean
  score: number | null
}

/**
 * Replaces the earlier vote and counts it, in one statement; the post is locked. The same vote again changes nothing, except
 * that a member's earlier vote as a visitor now counts as a member's.
 */
async function writeVote(
  db: Database,
  { kind, id }: PostRef,
  { key, vote, state }: { key: Buffer; vote: Vote; state: VoteState },
): Promise<Written> {
  const ofState = (row: Sql, state: Sql) =>
    sql`case when ${row}.state = ${state} then ${row}.value else 0 end`
  const changeOf = (state: Sql) =>
    sql`${ofState(sql`after`, state)} - ${ofState(sql`before`, state)}`
  const [written] = await db.query<Written>(
    sql`
    with before as materialized (
      select coalesce(max(value), 0) as value, max(state) as state
        from votes where subject_id = ${id} and key = ${key}),
    after as materialized (
      select ${vote}::integer as value,
             case when ${vote}::integer = 0 then null
                  when value = ${vote}::integer and (state = 'proven' or ${state}::text <> 'proven') then state
                  else ${state}::text end as state
        from before),
    changed as materialized (
      select after.*, ${changeOf(sql`'proven'`)} as proven, ${changeOf(sql`'unproven'`)} as visitors
        from before, after
       where (before.value, before.state) is distinct from (after.value, after.state)),
    cast_now as (
      insert into votes (subject_id, key, value, state)
      select ${id}, ${key}, value, state from changed where state is not null
      on conflict (subject_id, key) do update set value = excluded.value, state = excluded.state),
    taken_back as (
      delete from votes using changed
       where changed.state is null and subject_id = ${id} and key = ${key}),
    counted as (${countingOf(kind, id, sql`changed`)})
    select after.state, exists (select from changed) as "isNew", (select score from counted) as score
      from after`,
    PREPARED,
  )
  return written as Written
}

/**
 * Whether this vote awaits a moderator: a visitor's, while others on the post do or when unusually many come.
 * @param held where those are that wait @throws Refusal too-many for a network's voters
 */
async function holds(
  { db, actor, network }: Ctx,
  limits: VisitorLimits,
  { subject, isNew, held }: { subject: string; isNew: boolean; held: Sql },
): Promise<boolean> {
  if (!isUnproven(actor)) return false
  if (isNew) await limits.requireCapacity(network, subject)
  const isSurge = await limits.isSurge(subject)
  const [waiting] = await db.query(sql`select from ${held} limit 1`, PREPARED)
  return isSurge || waiting !== undefined
}

/** Once per person. @throws Refusal not-found, gone, conflict, too-many for a visitor */
export const votePoll = (ctx: Ctx, asked: string, place: number, limits: VisitorLimits) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    requireAuthor(ctx)
    const { root } = requireOwner(ctx)
    const threadId = await keepThreadShown(db, asked)
    const key = pollKey(root, threadId)
    const [poll] = await db.query<{ isClosed: boolean }>(sql`
      select ${isPollClosed(ctx)} as "isClosed"
        from polls poll join threads thread on thread.id = poll.thread_id
       where poll.thread_id = ${threadId} for update of poll`)
    if (!poll) throw notFound('This poll does not exist')
    if (poll.isClosed) throw new Refusal('conflict', 'This poll is closed')
    const [option] = await db.query(
      sql`select from poll_options where thread_id = ${threadId} and place = ${place}`,
    )
    if (!option) throw badRequest('This poll has no such option')
    const [voted] = await db.query(sql`select from poll_votes where key = ${key}`)
    if (voted) throw new Refusal('conflict', 'You’ve already voted in this poll')
    const isHeld = await holds(ctx, limits, {
      subject: `poll ${threadId}`,
      isNew: true,
      held: sql`poll_votes where thread_id = ${threadId} and is_held`,
    })
    await db.query(sql`
      insert into poll_votes (thread_id, key, place, is_held)
      values (${threadId}, ${key}, ${place}, ${isHeld})`)
    if (isHeld) await publish(ctx, VOTES_HELD, { kind: 'thread', id: threadId })
    else
      await db.query(sql`
        update poll_options set votes = votes + 1
         where thread_id = ${threadId} and place = ${place}`)
    const results = await db.query<{ votes: number }>(
      sql`select votes from poll_options where thread_id = ${threadId} order by place`,
    )
    return { results: results.map(({ votes }) => votes), place, ...heldMark(isHeld) }
  })

/** Of visitors' votes, as another anonymous id costs nothing. Members with an unconfirmed email count as visitors. D37. */
export interface VisitorLimits {
  /** @throws Refusal too-many for one voter too many from a network */
  requireCapacity(network: string, subject: string): Promise<void>
  isSurge(subject: string): Promise<boolean>
}

/** In memory, as all limits are: neither a network nor the time of a vote is stored. */
export function createVisitorLimits(isOn: boolean): VisitorLimits {
  const voters = createNetworkLimit({
    name: 'visitors-of-subject',
    uses: VOTERS_PER_NETWORK,
    seconds: DAY_MS / 1_000,
    isOn,
  })
  const votes = createRateLimit({
    name: 'votes-of-visitors',
    uses: SURGE.votes,
    seconds: SURGE.minutes * 60,
    isOn,
  })
  return {
    async requireCapacity(network, subject) {
      const retryAfter = await voters.use(`${network} ${subject}`)
      if (retryAfter !== undefined) throw new Refusal('too-many', ENOUGH_VOTERS, { retryAfter })
    },
    isSurge: async (subject) => (await votes.use(subject)) !== undefined,
  }
}

const ENOUGH_VOTERS =
  'Enough visitors from your network have voted here today. Log in with a confirmed email and your vote counts.'

/** Visitors' votes that came too many at once: stored, and counted once a moderator agrees. */
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
