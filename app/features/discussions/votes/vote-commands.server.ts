/** Votes: one per person and post, up, down, or taken back. Decision 17. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '../../../auth/context.server.ts'
import { requireAuthor } from '../../../auth/require.server.ts'
import { transaction } from '../../../server/context.server.ts'
import type { Database } from '../../../server/database.server.ts'
import { notFound, Refusal } from '../../../server/refusal.ts'
import type { Vote } from '../discussion.ts'
import {
  type Hiding,
  hidingOfComment,
  hidingOfThread,
  keepThreadShown,
  requireOpen,
  requireShown,
} from '../posts/hidden-posts.server.ts'

const COMMENT_NOT_FOUND = 'This comment does not exist'

/** @throws Refusal not-found, gone, forbidden for an own post */
export const voteThread = (ctx: Ctx, id: string, vote: Vote) =>
  castVote(ctx, { id, vote, table: sql`threads` }, async (db) => {
    const [thread] = await db.query<Hiding & Subject>(sql`
      select ${hidingOfThread}, author_key as author, score
        from threads thread where id = ${id} for update`)
    return requireShown(thread)
  })

/** @throws Refusal not-found, gone, forbidden for an own post, conflict for a hidden one */
export const voteComment = (ctx: Ctx, id: string, vote: Vote) =>
  castVote(ctx, { id, vote, table: sql`comments` }, async (db) => {
    const [known] = await db.query<{ threadId: string }>(
      sql`select thread_id as "threadId" from comments where id = ${id}`,
    )
    if (!known) throw notFound(COMMENT_NOT_FOUND)
    await keepThreadShown(db, known.threadId)
    const [comment] = await db.query<Hiding & Subject>(sql`
      select ${hidingOfComment}, author_key as author, score
        from comments comment where id = ${id} and not is_deleted for update`)
    if (!comment) throw notFound(COMMENT_NOT_FOUND)
    requireOpen(comment, 'comment')
    return comment
  })

interface Ballot {
  id: string
  vote: Vote
  table: Sql
}

interface Subject {
  author: string
  score: number
}

/** @param lock takes the post, so that two votes of one person come one after the other */
const castVote = (
  ctx: Ctx,
  { id, vote, table }: Ballot,
  lock: (db: Database) => Promise<Subject>,
) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const voter = requireAuthor(ctx)
    const post = await lock(db)
    if (post.author === voter) throw new Refusal('forbidden', 'You cannot vote on your own post')
    const [before] = await db.query<{ value: number }>(
      sql`select value from votes where subject_id = ${id} and author_key = ${voter}`,
    )
    const change = vote - (before?.value ?? 0)
    if (change === 0) return { score: post.score, vote }
    await db.query(
      vote === 0
        ? sql`delete from votes where subject_id = ${id} and author_key = ${voter}`
        : sql`insert into votes (subject_id, author_key, value) values (${id}, ${voter}, ${vote})
              on conflict (subject_id, author_key) do update set value = excluded.value`,
    )
    await db.query(sql`update ${table} set score = score + ${change} where id = ${id}`)
    await db.query(sql`
      insert into author_cred (author_key, cred) values (${post.author}, ${change})
      on conflict (author_key) do update set cred = author_cred.cred + excluded.cred`)
    return { score: post.score + change, vote }
  })
