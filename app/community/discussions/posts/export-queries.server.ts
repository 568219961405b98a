/**
 * Everything that a person wrote, chose or saved in discussions, for export. Includes hidden posts
 * (`hidden`), because the text is theirs.
 */

import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { allOwnRows, type OwnRowTable } from '#app/api/auth/numbered-rows.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { NIL_UUID } from '#app/platform/uuid.ts'
import { mutedIds, savedIds } from '../threads/saved-threads.server.ts'
import { isoOf } from '../threads/thread-queries.server.ts'
import { pollKey, shownScore, voteKey } from '../votes/vote-counts.server.ts'
import { OWN_COMMENTS, OWN_THREADS } from './own-posts.server.ts'

export async function postsExport(ctx: Ctx) {
  const { db } = ctx
  const root = rootOf(ctx)
  const posts = async (ownTable: OwnRowTable, query: (own: Sql) => Sql) =>
    root ? allOwnRows<object>(db, ownTable, root, query) : []
  const threads = await posts(
    OWN_THREADS,
    (own) => sql`
      select id, title, body, author_name as "shownAs", topics,
             ${shownScore(sql`threads`)} as score, comments, hidden,
             hidden_reason as "hiddenReason", ${isoOf(sql`posted_minute`)} as "postedAt"
        from ${own} own join threads using (own_row_key) order by number`,
  )
  const comments = await posts(
    OWN_COMMENTS,
    (own) => sql`
      select id, thread_id as "threadId", body, author_name as "shownAs",
             ${shownScore(sql`comments`)} as score, hidden,
             hidden_reason as "hiddenReason", ${isoOf(sql`posted_minute`)} as "postedAt"
        from ${own} own join comments using (own_row_key) where not is_deleted order by number`,
  )
  const saved = await db.query(sql`
    select id as "threadId" from unnest(array${savedIds(ctx)}) id order by id`)
  const muted = await db.query(sql`
    select id as "threadId" from unnest(array${mutedIds(ctx)}) id order by id`)
  return { threads, comments, ...(await ownVotes(ctx)), saved, muted }
}

/** How many keys we derive before we let other requests run. */
const THREADS_AT_ONCE = 1_000

/** No row says in which threads a person voted, so we try each one. */
async function ownVotes(ctx: Ctx) {
  const votes: { postId: string; value: number }[] = []
  const pollVotes: { threadId: string; optionIndex: number }[] = []
  const root = rootOf(ctx)
  let after = NIL_UUID
  while (root) {
    const threads = await ctx.db.query<{ id: string; hasPoll: boolean }>(sql`
      select id, exists (select from polls where thread_id = id) as "hasPoll" from threads
       where id > ${after}::uuid order by id limit ${THREADS_AT_ONCE}`)
    const last = threads.at(-1)
    if (!last) break
    after = last.id
    votes.push(
      ...(await ctx.db.query<(typeof votes)[number]>(sql`
        select subject_id as "postId", value from votes
         where key = any (${threads.map(({ id }) => voteKey(root, id))}::bytea[])
         order by subject_id`)),
    )
    const polls = threads.filter(({ hasPoll }) => hasPoll)
    if (polls.length === 0) continue
    pollVotes.push(
      ...(await ctx.db.query<(typeof pollVotes)[number]>(sql`
        select thread_id as "threadId", place as "optionIndex" from poll_votes
         where key = any (${polls.map(({ id }) => pollKey(root, id))}::bytea[])
         order by thread_id`)),
    )
  }
  return { votes, pollVotes }
}
