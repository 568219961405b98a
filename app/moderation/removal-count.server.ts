/** How many posts were removed: per company, month and reason, for everybody to see. */
import sql from 'sql-template-tag'
import type { PostKind, Reason } from '#app/community/reports/report.ts'
import { livingCompany } from '#app/companies/merging/merged-companies.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'

/** Where a removal counts. It counts there also when its thread moves on. */
export interface CountedRemoval {
  kind: PostKind
  companyId: string | null
  /** Its first day. */
  month: string
  reason: Reason
}

/** Counts one removal more, or one less; of a company that is gone, among what was about none. */
export function countRemoval(
  db: Database,
  { kind, companyId, month, reason }: CountedRemoval,
  change: 1 | -1,
) {
  const changeOf = (of: PostKind) => (kind === of ? change : 0)
  return db.query(sql`
    insert into removal_counts (company_id, month, reason, threads, comments, notes, jobs, replies)
    select (select id from companies where id = ${companyId === null ? sql`null::uuid` : livingCompany(companyId)}), ${month}::date, ${reason}::text,
           ${changeOf('thread')}::integer, ${changeOf('comment')}::integer,
           ${changeOf('note')}::integer, ${changeOf('job')}::integer, ${changeOf('reply')}::integer
    on conflict (company_id, month, reason)
    do update set threads = removal_counts.threads + excluded.threads,
                  comments = removal_counts.comments + excluded.comments,
                  notes = removal_counts.notes + excluded.notes,
                  jobs = removal_counts.jobs + excluded.jobs,
                  replies = removal_counts.replies + excluded.replies`)
}
