/** How many posts moderators removed, by company, month and reason. */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/**
 * What moderators removed stays told to everybody, from now on among what was about no company: nobody
 * makes removals uncounted by deleting what they were about.
 */
export const keepRemovalCounts = (db: Database, id: string) =>
  db.query(sql`
    insert into removal_counts (company_id, month, reason, threads, comments, notes, jobs, replies)
    select null, month, reason, threads, comments, notes, jobs, replies
      from removal_counts where company_id = ${id} order by month, reason
    on conflict (company_id, month, reason)
    do update set threads = removal_counts.threads + excluded.threads,
                  comments = removal_counts.comments + excluded.comments,
                  notes = removal_counts.notes + excluded.notes,
                  jobs = removal_counts.jobs + excluded.jobs,
                  replies = removal_counts.replies + excluded.replies`)
