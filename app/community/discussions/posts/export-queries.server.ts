/** Everything that a person wrote, chose or saved in discussions, for export. Hidden posts too (`hidden`): the text is theirs. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { everyOwn, type Numbered } from '#app/api/auth/numbered-rows.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { mutedIds, savedIds } from '../threads/kept-threads.server.ts'
import { isoOf } from '../threads/thread-queries.server.ts'
import { shownScore } from '../votes/score.server.ts'
import { ownVotes } from '../votes/vote-keys.server.ts'
import { OWN_COMMENTS, OWN_THREADS } from './own-posts.server.ts'

export async function postsExport(ctx: Ctx) {
  const { db } = ctx
  const root = rootOf(ctx)
  const posts = async (numbered: Numbered, query: (own: Sql) => Sql) =>
    root ? everyOwn<object>(db, numbered, root, query) : []
  const threads = await posts(
    OWN_THREADS,
    (own) => sql`
      select id, title, body, author_name as "shownAs", topics,
             ${shownScore(sql`threads`)} as score, comments, hidden,
             hidden_reason as "hiddenReason", ${isoOf(sql`posted_minute`)} as "postedAt"
        from ${own} own join threads using (mine) order by number`,
  )
  const comments = await posts(
    OWN_COMMENTS,
    (own) => sql`
      select id, thread_id as "threadId", body, author_name as "shownAs",
             ${shownScore(sql`comments`)} as score, hidden,
             hidden_reason as "hiddenReason", ${isoOf(sql`posted_minute`)} as "postedAt"
        from ${own} own join comments using (mine) where not is_deleted order by number`,
  )
  const saved = await db.query(sql`
    select id as "threadId" from unnest(array${savedIds(ctx)}) id order by id`)
  const muted = await db.query(sql`
    select id as "threadId" from unnest(array${mutedIds(ctx)}) id order by id`)
  return { threads, comments, ...(await ownVotes(ctx)), saved, muted }
}
