/** One vote per person and post. S17 and D37. */

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import { isUntrusted } from '#app/api/auth/spam-checks.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { emit, transaction } from '#app/platform/database/server-context.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { VOTES_HELD } from '../../reports/post-moderation.server.ts'
import type { PostRef } from '../../reports/report.ts'
import { POST_REFUSALS } from '../discussion.ts'
import {
  type Hiding,
  hidingOfComment,
  hidingOfThread,
  lockVisibleThread,
  requireStillVisible,
  requireVisible,
} from '../posts/post-rules.server.ts'
import { isPollVoteHeld, isVoteHeld } from './held-votes.server.ts'
import type { Vote } from './vote.ts'
import {
  countingOf,
  pollKey,
  shownScore,
  VOTE_STATES,
  type VoteState,
  voteKey,
} from './vote-counts.server.ts'
import { requireNotOwn, requirePollVote, type UntrustedLimits } from './vote-rules.server.ts'

/** @throws Refusal not-found, held, gone, forbidden for your own post, too-many for a visitor */
export const voteThread = (ctx: Ctx, id: string, vote: Vote, limits: UntrustedLimits) =>
  castVote(ctx, { kind: 'thread', vote, limits }, async (db) => {
    const [thread] = await db.query<Hiding & Subject>(
      sql`
      select id, ${hidingOfThread}, id as "threadId", key, ${shownScore(sql`thread`)} as score
        from threads thread where id = ${id} for no key update`,
      PREPARED,
    )
    return requireVisible(thread)
  })

/** @throws Refusal not-found, held, gone, conflict while hidden, forbidden for your own comment, too-many for a visitor */
export const voteComment = (ctx: Ctx, id: string, vote: Vote, limits: UntrustedLimits) =>
  castVote(ctx, { kind: 'comment', vote, limits }, async (db) => {
    const [known] = await db.query<{ threadId: string }>(
      sql`select thread_id as "threadId" from comments where id = ${id}`,
      PREPARED,
    )
    if (!known) throw notFound(POST_REFUSALS.noComment)
    await lockVisibleThread(db, known.threadId)
    const [comment] = await db.query<Hiding & Subject>(
      sql`
      select id, ${hidingOfComment}, thread_id as "threadId", key, ${shownScore(sql`comment`)} as score
        from comments comment where id = ${id} and not is_deleted for no key update`,
      PREPARED,
    )
    if (!comment) throw notFound(POST_REFUSALS.noComment)
    requireStillVisible(comment, 'comment')
    return comment
  })

interface CastVote {
  kind: 'thread' | 'comment'
  vote: Vote
  limits: UntrustedLimits
}

/** The id is spelled as stored, because keys and limits depend on it. */
interface Subject {
  id: string
  threadId: string
  key: Uint8Array
  score: number
}

/** @param lock locks the post, so a person's votes are handled one by one */
const castVote = (
  ctx: Ctx,
  { kind, vote, limits }: CastVote,
  lock: (db: Database) => Promise<Subject>,
) =>
  transaction(ctx, async (ctx) => {
    const { db, actor } = ctx
    const post = await lock(db)
    const { root } = requirePersonRoot(ctx)
    requireNotOwn(root, post)
    const key = voteKey(root, post.threadId)
    const ref = { kind, id: post.id }
    const isHeld = vote !== 0 && (await isVoteHeld(ctx, limits, { id: post.id, key, vote }))
    const { trusted, untrusted, held } = VOTE_STATES
    const state = isHeld ? held : isUntrusted(actor) ? untrusted : trusted
    const cast = await writeVote(db, ref, { key, vote, state })
    if (cast.isNew && cast.state === held) await emit(ctx, VOTES_HELD, ref)
    return {
      vote,
      score: cast.score ?? post.score,
      ...heldMark(cast.state === held),
    }
  })

const heldMark = (isHeld: boolean) => (isHeld ? { isHeld } : {})

interface Written {
  state: VoteState | null
  isNew: boolean
  score: number | null
}

/**
 * Replaces the earlier vote and counts this one, in one statement, while the post is locked. Repeating a vote changes
 * nothing, except that a member's earlier vote as a visitor now counts as a member's.
 */
async function writeVote(
  db: Database,
  { kind, id }: PostRef,
  { key, vote, state }: { key: Buffer; vote: Vote; state: VoteState },
): Promise<Written> {
  const ofState = (row: Sql, state: VoteState) =>
    sql`case when ${row}.state = ${state} then ${row}.value else 0 end`
  const changeOf = (state: VoteState) =>
    sql`${ofState(sql`after`, state)} - ${ofState(sql`before`, state)}`
  const [written] = await db.query<Written>(
    sql`
    with before as materialized (
      select coalesce(max(value), 0) as value, max(state) as state
        from votes where subject_id = ${id} and key = ${key}),
    after as materialized (
      select ${vote}::integer as value,
             case when ${vote}::integer = 0 then null
                  when value = ${vote}::integer and (state = ${VOTE_STATES.trusted} or ${state}::text <> ${VOTE_STATES.trusted}) then state
                  else ${state}::text end as state
        from before),
    changed as materialized (
      select after.*, ${changeOf(VOTE_STATES.trusted)} as trusted,
             ${changeOf(VOTE_STATES.untrusted)} as untrusted
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

/** Once per person. @throws Refusal not-found, held, gone, bad-request, conflict, too-many: see `requirePollVote` */
export const votePoll = (
  ctx: Ctx,
  requestedId: string,
  optionIndex: number,
  limits: UntrustedLimits,
) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { root } = requirePersonRoot(ctx)
    const threadId = await lockVisibleThread(db, requestedId)
    const key = pollKey(root, threadId)
    await requirePollVote(ctx, { threadId, optionIndex, key })
    const isHeld = await isPollVoteHeld(ctx, limits, threadId)
    await db.query(sql`
      insert into poll_votes (thread_id, key, place, is_held)
      values (${threadId}, ${key}, ${optionIndex}, ${isHeld})`)
    if (isHeld) await emit(ctx, VOTES_HELD, { kind: 'thread', id: threadId })
    else
      await db.query(sql`
        update poll_options set votes = votes + 1
         where thread_id = ${threadId} and place = ${optionIndex}`)
    const results = await db.query<{ votes: number }>(
      sql`select votes from poll_options where thread_id = ${threadId} order by place`,
    )
    return { results: results.map(({ votes }) => votes), optionIndex, ...heldMark(isHeld) }
  })
