/**
 * Everything that somebody wrote, chose or saved in discussions, to take away: also posts that are
 * held or removed (`hidden`), for their words stay their author's.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '../../../auth/context.server.ts'
import { isoOf } from '../threads/thread-queries.server.ts'
import { shownScore } from '../votes/score.server.ts'

export async function postsExport({ db, actor }: Ctx) {
  const key = actor.authorKey
  const threads = await db.query(sql`
    select id, title, body, author_name as "shownAs", topics, ${shownScore(sql`threads`)} as score,
           comments, hidden, hidden_reason as "hiddenReason", ${isoOf(sql`posted_minute`)} as "postedAt"
      from threads where author_key = ${key} order by posted_minute, id`)
  const comments = await db.query(sql`
    select id, thread_id as "threadId", body, author_name as "shownAs",
           ${shownScore(sql`comments`)} as score, hidden,
           hidden_reason as "hiddenReason", ${isoOf(sql`posted_minute`)} as "postedAt"
      from comments where author_key = ${key} and not is_deleted order by posted_minute, id`)
  const votes = await db.query(sql`
    select subject_id as "postId", value from votes where author_key = ${key} order by subject_id`)
  const pollVotes = await db.query(sql`
    select thread_id as "threadId", place from poll_votes
     where author_key = ${key} order by thread_id`)
  const saved = await db.query(sql`
    select thread_id as "threadId" from saved_threads where author_key = ${key} order by thread_id`)
  const muted = await db.query(sql`
    select thread_id as "threadId" from muted_threads where author_key = ${key} order by thread_id`)
  return { threads, comments, votes, pollVotes, saved, muted }
}
