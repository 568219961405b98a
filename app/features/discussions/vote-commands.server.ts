/** Votes: one per person and post, up, down, or taken back. Decision 17. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { transaction } from '../../server/context.server.ts'
import { notFound, Refusal } from '../../server/refusal.ts'
import { THREAD_NOT_FOUND, type Vote } from './discussion.ts'
import { demandAuthor } from './posting.server.ts'

/** @throws Refusal not-found, forbidden for an own post */
export const voteThread = (ctx: Ctx, id: string, vote: Vote) =>
  castVote(ctx, { id, vote, table: sql`threads`, condition: sql`true`, missing: THREAD_NOT_FOUND })

export const voteComment = (ctx: Ctx, id: string, vote: Vote) =>
  castVote(ctx, {
    id,
    vote,
    table: sql`comments`,
    condition: sql`not is_deleted`,
    missing: 'This comment does not exist',
  })

interface Ballot {
  id: string
  vote: Vote
  table: Sql
  condition: Sql
  missing: string
}

const castVote = (ctx: Ctx, { id, vote, table, condition, missing }: Ballot) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const voter = demandAuthor(ctx)
    // Taken first, so that two votes of one person come one after the other.
    const [post] = await db.query<{ author: string; score: number }>(sql`
      select author_key as author, score from ${table} where id = ${id} and ${condition} for update`)
    if (!post) throw notFound(missing)
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
