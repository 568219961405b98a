/** What is said about companies, counted anew where threads went from one to another. */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/** As each change counts along: see `postCounters`. Run it in a transaction that holds the counters. */
export const countPostsAbout = (db: Database, companies: string[], recentSince: number) =>
  db.query(sql`
    update company_stats stats
       set threads = said.threads, comments = said.comments, recent_comments = said.recent
      from unnest(${companies}::uuid[]) as asked(id)
     cross join lateral (
       select count(*)::integer as threads, coalesce(sum(comments), 0)::integer as comments,
              coalesce(sum((
                select count(*) from comments comment
                 where comment.thread_id = thread.id and comment.posted_minute >= ${recentSince}
                   and not comment.is_deleted and comment.hidden is null)), 0)::integer as recent
         from threads thread where company_id = asked.id and hidden is null) said
     where stats.company_id = asked.id`)
