/**
 * For what jobs are reported, as their companies are told: reasons, and nothing of who or how many. Written
 * at night: at once would tell when somebody reported.
 */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

export const tellOfReports = (db: Database) =>
  db.query(sql`
    with reported as (
      select filed.job_id as id, array_agg(distinct report.reason order by report.reason) as reasons
        from moderation_cases filed join reports report on report.case_id = filed.id
       where filed.is_open and filed.job_id is not null and not report.is_settled
       group by filed.job_id)
    update job_postings job set reported_for = coalesce(reported.reasons, '{}')
      from (select id from reported
            union select id from job_postings where reported_for <> '{}') looked
      left join reported using (id)
     where job.id = looked.id
       and job.reported_for is distinct from coalesce(reported.reasons, '{}')`)
