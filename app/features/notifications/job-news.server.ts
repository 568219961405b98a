/**
 * News of jobs: for whoever follows their company, and for whoever waits for jobs like them. One row
 * per company and person, which counts on until it is read, as alerts of threads do.
 */
import sql from 'sql-template-tag'
import { type DataContext, transaction } from '../../server/context.server.ts'
import { fittingAlerts } from '../jobs/alerts/job-alert-queries.server.ts'
import { isOpen } from '../jobs/job-queries.server.ts'
import { minuteOf } from '../reports/report.ts'
import { ALERT_JOBS_MAX } from './notification.ts'

/** Jobs of one statement: each may reach thousands of people, who are written to together. */
const TOGETHER = 10

/**
 * The job after jobs were opened, oldest first. Who follows the company and has an alert that fits
 * hears of each once. Which ones were told of stands in the row, so it may run twice.
 */
export async function alertOfJobs(base: DataContext, opened: { id: string }[]) {
  const ids = [...new Set(opened.map(({ id }) => id))]
  for (let from = 0; from < ids.length; from += TOGETHER)
    await tell(base, ids.slice(from, from + TOGETHER))
}

const tell = (base: DataContext, ids: string[]) =>
  transaction(base, async ({ db, now }) => {
    // In the order of the author keys, as all alerts: two of them never wait for each other.
    await db.query(sql`
      insert into notifications as known
        (author_key, kind, company_id, event, job_ids, count, minute)
      select told.author_key, 'alert', told.company_id, 'job',
             (array_agg(told.job_id order by opened.place desc))[:${ALERT_JOBS_MAX}::integer],
             least(count(*), ${ALERT_JOBS_MAX}::integer), ${minuteOf(now())}
        from (
          select follow.author_key, job.id as job_id, job.company_id
            from job_postings job join follows follow on follow.company_id = job.company_id
           where job.id = any (${ids}::uuid[]) and ${isOpen({ now })}
             and follow.jobs and not follow.is_paused
          union (${fittingAlerts({ now }, ids)})) told
        join unnest(${ids}::uuid[]) with ordinality as opened (id, place)
          on opened.id = told.job_id
       group by told.author_key, told.company_id
       order by told.author_key, told.company_id
      on conflict (author_key, company_id, event) where kind = 'alert' do update
         set (count, job_ids) = (
               select least(count(*) + case when known.is_read then 0 else known.count end,
                            ${ALERT_JOBS_MAX}::integer),
                      (array_agg(fresh.id order by fresh.place)
                        || known.job_ids)[:${ALERT_JOBS_MAX}::integer]
                 from unnest(excluded.job_ids) with ordinality as fresh (id, place)
                where fresh.id <> all (known.job_ids)),
             is_mailed = known.is_mailed and not known.is_read, is_read = false,
             minute = excluded.minute
       where not known.job_ids @> excluded.job_ids`)
  })
