/** Votes: one per person and post, up, down, or taken back. Decisions 17 and 37. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '../../../auth/context.server.ts'
import { isUnproven } from '../../../auth/proof.server.ts'
import { requireAuthor, requireOwner } from '../../../auth/require.server.ts'
import { transaction } from '../../../server/context.server.ts'
import { type Database, PREPARED } from '../../../server/database.server.ts'
import { publish } from '../../../server/events.server.ts'
import { badRequest, notFound, Refusal } from '../../../server/refusal.ts'
import { VOTES_HELD } from '../../reports/post-events.server.ts'
import type { PostRef } from '../../reports/report.ts'
import type { Vote } from '../discussion.ts'
import {
  type Hiding,
  hidingOfComment,
  hidingOfThread,
  keepThreadShown,
  requireOpen,
  requireShown,
} from '../posts/hidden-posts.server.ts'
import { isSameKey, threadKey } from '../posts/own-posts.server.ts'
import { isClosed } from '../threads/thread-queries.server.ts'
import { changeScore, shownScore } from './score.server.ts'
import { type VisitorLimits, withoutLimits } from './visitor-limits.server.ts'
import { pollKey, voteKey } from './vote-keys.server.ts'

const COMMENT_NOT_FOUND = 'This comment does not exist'

/** @throws Refusal not-found, gone, forbidden for an own post, too-many for a visitor */
export const voteThread = (ctx: Ctx, id: string, vote: Vote, limits?: VisitorLimits) =>
  castVote(ctx, { post: { kind: 'thread', id }, vote, table: sql`threads`, limits }, async (db) => {
    const [thread] = await db.query<Hiding & Subject>(
      sql`
      select ${hidingOfThread}, id as "threadId", key, ${shownScore(sql`thread`)} as score
        from threads thread where id = ${id} for update`,
      PREPARED,
    )
    return requireShown(thread)
  })

/** @throws Refusal as of a thread, and conflict for a hidden one */
export const voteComment = (ctx: Ctx, id: string, vote: Vote, limits?: VisitorLimits) =>
  castVote(
    ctx,
    { post: { kind: 'comment', id }, vote, table: sql`comments`, limits },
    async (db) => {
      const [known] = await db.query<{ threadId: string }>(
        sql`select thread_id as "threadId" from comments where id = ${id}`,
        PREPARED,
      )
      if (!known) throw notFound(COMMENT_NOT_FOUND)
      await keepThreadShown(db, known.threadId)
      const [comment] = await db.query<Hiding & Subject>(
        sql`
        select ${hidingOfComment}, thread_id as "threadId", key, ${shownScore(sql`comment`)} as score
          from comments comment where id = ${id} and not is_deleted for update`,
        PREPARED,
      )
      if (!comment) throw notFound(COMMENT_NOT_FOUND)
      requireOpen(comment, 'comment')
      return comment
    },
  )

interface Ballot {
  post: PostRef
  vote: Vote
  table: Sql
  limits?: VisitorLimits
}

interface Subject {
  threadId: string
  /** Its author's in this thread. */
  key: Uint8Array
  score: number
}

/** proven: of a member. unproven: of a visitor. held: of one, and not counted. */
type VoteState = 'proven' | 'unproven' | 'held'

interface CastVote {
  value: number
  state: VoteState
}

/** @param lock takes the post, so that two votes of one person come one after the other */
const castVote = (
  ctx: Ctx,
  { post: ref, vote, table, limits = withoutLimits }: Ballot,
  lock: (db: Database) => Promise<Subject>,
) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { id } = ref
    requireAuthor(ctx)
    const post = await lock(db)
    const { root } = requireOwner(ctx)
    if (isSameKey(post.key, threadKey(root, post.threadId)))
      throw new Refusal('forbidden', 'You cannot vote on your own post')
    const key = voteKey(root, post.threadId)
    const [before] = await db.query<CastVote>(
      sql`select value, state from votes where subject_id = ${id} and key = ${key}`,
      PREPARED,
    )
    const isPromoted = before && before.state !== 'proven' && !isUnproven(ctx.actor)
    if (vote === (before?.value ?? 0) && !isPromoted)
      return { vote, score: post.score, ...heldMark(before?.state === 'held') }
    if (vote === 0) {
      await db.query(sql`delete from votes where subject_id = ${id} and key = ${key}`)
      return { vote, score: await recount(db, table, { id, before }) }
    }
    const isHeld = await holds(ctx, limits, {
      subject: id,
      isNew: before === undefined,
      held: sql`votes where subject_id = ${id} and state = 'held'`,
    })
    const state = isUnproven(ctx.actor) ? (isHeld ? 'held' : 'unproven') : 'proven'
    await db.query(
      sql`
      insert into votes (subject_id, key, value, state)
      values (${id}, ${key}, ${vote}, ${state})
      on conflict (subject_id, key)
      do update set value = excluded.value, state = excluded.state`,
      PREPARED,
    )
    if (isHeld) await publish(ctx, VOTES_HELD, ref)
    const after = { value: vote, state } as const
    const score = await recount(db, table, { id, before, after })
    return { vote, score, ...heldMark(isHeld) }
  })

const heldMark = (isHeld: boolean) => (isHeld ? { isHeld } : {})

/** Counts `after` instead of `before`. Answers the score as it is shown. */
function recount(
  db: Database,
  table: Sql,
  { id, before, after }: { id: string; before?: CastVote; after?: CastVote },
) {
  const changeOf = (state: VoteState) =>
    (after?.state === state ? after.value : 0) - (before?.state === state ? before.value : 0)
  const change = { proven: changeOf('proven'), visitors: changeOf('unproven') }
  return changeScore(db, table, id, change)
}

/**
 * Whether this vote waits for a moderator: a visitor's does while others on the subject wait, and when
 * more come than usually do. Members' never do.
 * @param held where those are that wait. @throws Refusal too-many for a network's voters
 */
async function holds(
  { db, actor, network }: Ctx,
  limits: VisitorLimits,
  { subject, isNew, held }: { subject: string; isNew: boolean; held: Sql },
): Promise<boolean> {
  if (!isUnproven(actor)) return false
  if (isNew) await limits.requireRoom(network, subject)
  const isSurge = await limits.isSurge(subject)
  const [waiting] = await db.query(sql`select from ${held} limit 1`, PREPARED)
  return isSurge || waiting !== undefined
}

/** Once per person. @throws Refusal not-found, gone, conflict, too-many for a visitor */
export const votePoll = (
  ctx: Ctx,
  threadId: string,
  place: number,
  limits: VisitorLimits = withoutLimits,
) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    requireAuthor(ctx)
    const key = pollKey(requireOwner(ctx).root, threadId)
    await keepThreadShown(db, threadId)
    const [poll] = await db.query<{ closesOn: string }>(sql`
      select closes_on as "closesOn" from polls where thread_id = ${threadId} for update`)
    if (!poll) throw notFound('This poll does not exist')
    if (isClosed(ctx, poll.closesOn)) throw new Refusal('conflict', 'This poll is closed')
    const [option] = await db.query(
      sql`select from poll_options where thread_id = ${threadId} and place = ${place}`,
    )
    if (!option) throw badRequest('This poll has no such option')
    const [voted] = await db.query(sql`select from poll_votes where key = ${key}`)
    if (voted) throw new Refusal('conflict', 'You have voted in this poll already')
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
