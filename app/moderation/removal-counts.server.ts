/** How many posts moderators removed, by company, month and reason. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Removals } from '#app/community/reports/report.contract.ts'
import type { PostKind } from '#app/community/reports/report.ts'
import { currentCompanyId } from '#app/companies/merging/merged-companies.server.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import type { Counter } from '#app/platform/database/counter.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'

/**
 * A deleted company's removals stay public, among those about no company, so no one can hide removals by
 * deleting what they were about.
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

/** Where we count a removal, even if its thread moves to another company. */
export interface CountedRemoval {
  kind: PostKind
  companyId: string | null
  /** The month's first day. */
  month: string
  reason: Reason
}

/** Adds or subtracts a removal. If the company is deleted, it counts among those about none. */
export function countRemoval(
  db: Database,
  { kind, companyId, month, reason }: CountedRemoval,
  change: 1 | -1,
) {
  const changeOf = (of: PostKind) => (kind === of ? change : 0)
  return db.query(sql`
    insert into removal_counts (company_id, month, reason, threads, comments, notes, jobs, replies)
    select (select id from companies where id = ${companyId === null ? sql`null::uuid` : currentCompanyId(companyId)}), ${month}::date, ${reason}::text,
           ${changeOf('thread')}::integer, ${changeOf('comment')}::integer,
           ${changeOf('note')}::integer, ${changeOf('job')}::integer, ${changeOf('reply')}::integer
    on conflict (company_id, month, reason)
    do update set threads = removal_counts.threads + excluded.threads,
                  comments = removal_counts.comments + excluded.comments,
                  notes = removal_counts.notes + excluded.notes,
                  jobs = removal_counts.jobs + excluded.jobs,
                  replies = removal_counts.replies + excluded.replies`)
}

/**
 * If the company is deleted, its removals count as about none. If it was merged, they count for the company
 * it's part of.
 */
const decided = sql`
  select company.id as company_id, said.month, said.reason,
         coalesce(sum(n) filter (where kind = 'thread'), 0)::integer as threads,
         coalesce(sum(n) filter (where kind = 'comment'), 0)::integer as comments,
         coalesce(sum(n) filter (where kind = 'note'), 0)::integer as notes,
         coalesce(sum(n) filter (where kind = 'job'), 0)::integer as jobs,
         coalesce(sum(n) filter (where kind = 'reply'), 0)::integer as replies
    from (
      select before -> 'counted' ->> 'kind' as kind,
             (before -> 'counted' ->> 'companyId')::uuid as company_id,
             (before -> 'counted' ->> 'month')::date as month,
             before -> 'counted' ->> 'reason' as reason,
             case action when 'remove' then 1 else -1 end as n
        from moderation_log
       where undone_by is null and before ->> 'counted' is not null) said
    left join company_merges merge on merge.id = said.company_id
    left join companies company on company.id = coalesce(merge.company_id, said.company_id)
   group by company.id, said.month, said.reason`

/** Recounts after removals moved from one company to another. */
export async function recountRemovals(db: Database, companies: string[]) {
  await db.query(sql`delete from removal_counts where company_id = any (${companies}::uuid[])`)
  await db.query(sql`
    insert into removal_counts (company_id, month, reason, threads, comments, notes, jobs, replies)
    select company_id, month, reason, threads, comments, notes, jobs, replies
      from (${decided}) decided where company_id = any (${companies}::uuid[])`)
}

/** Stored and actual counts, next to each other. A missing row counts as zeros. */
const compared = sql`
  select company_id, month, reason,
         sum(kept_threads)::integer as kept_threads, sum(kept_comments)::integer as kept_comments,
         sum(kept_notes)::integer as kept_notes, sum(kept_jobs)::integer as kept_jobs,
         sum(kept_replies)::integer as kept_replies, sum(threads)::integer as threads,
         sum(comments)::integer as comments, sum(notes)::integer as notes,
         sum(jobs)::integer as jobs, sum(replies)::integer as replies
    from (
      select company_id, month, reason, threads as kept_threads, comments as kept_comments,
             notes as kept_notes, jobs as kept_jobs, replies as kept_replies,
             0 as threads, 0 as comments, 0 as notes, 0 as jobs, 0 as replies
        from removal_counts
      union all
      select company_id, month, reason, 0, 0, 0, 0, 0, threads, comments, notes, jobs, replies
        from (${decided}) decided
    ) sides
   group by company_id, month, reason`

export const removalCounters: Counter[] = [
  {
    compared: sql`
      select coalesce(company.name, 'About no company'),
             'removals of ' || to_char(month, 'YYYY-MM') || ', ' || reason,
             concat_ws(' ', kept_threads, kept_comments, kept_notes, kept_jobs, kept_replies),
             concat_ws(' ', threads, comments, notes, jobs, replies)
        from (${compared}) compared left join companies company on company.id = compared.company_id`,
    recount: [
      sql`
      insert into removal_counts (company_id, month, reason, threads, comments, notes, jobs, replies)
      select company_id, month, reason, threads, comments, notes, jobs, replies
        from (${compared}) compared
       where (kept_threads, kept_comments, kept_notes, kept_jobs, kept_replies)
             <> (threads, comments, notes, jobs, replies)
      on conflict (company_id, month, reason)
      do update set threads = excluded.threads, comments = excluded.comments, notes = excluded.notes,
                    jobs = excluded.jobs, replies = excluded.replies`,
    ],
    tables: ['companies', 'moderation_log', 'removal_counts'],
  },
]

/** Removals about a company, or about none, newest month first. */
export const removalsAbout = ({ db }: Ctx, companyId: string | undefined) =>
  db.query<Removals>(sql`
    select to_char(month, 'YYYY-MM') as month, reason, threads, comments, notes, jobs, replies
      from removal_counts
     where company_id is not distinct from ${companyId ?? null}::uuid
       and (threads > 0 or comments > 0 or notes > 0 or jobs > 0 or replies > 0)
     order by removal_counts.month desc, reason`)
