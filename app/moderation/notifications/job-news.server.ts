/**
 * News of jobs: for whoever follows their company, and for whoever waits for jobs like them. One row
 * per company and person, which counts on until it is read, as alerts of threads do.
 */
import sql from 'sql-template-tag'
import { type OwnedRow, openOwners } from '#app/api/auth/sealed-owners.server.ts'
import { minuteOf } from '#app/community/reports/report.ts'
import { followersOf } from '#app/companies/following/follow-keys.server.ts'
import { fittingAlerts } from '#app/jobs/alerts/job-alert-queries.server.ts'
import { isOpen } from '#app/jobs/job-queries.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import type { NewsContext } from './news-keys.server.ts'
import { inNewsTurn, toldTable, writeNews } from './news-keys.server.ts'
import { ALERT_JOBS_MAX } from './notification.ts'

/** Jobs of one statement: each may reach thousands of people, who are written to together. */
const TOGETHER = 10

/**
 * The job after jobs were opened, oldest first. Who follows the company and has an alert that fits
 * hears of each once. Which ones were told of stands in the row, so it may run twice.
 */
export async function alertOfJobs(base: NewsContext, opened: { id: string }[]) {
  const ids = [...new Set(opened.map(({ id }) => id))]
  for (let from = 0; from < ids.length; from += TOGETHER)
    await inNewsTurn(() => tell(base, ids.slice(from, from + TOGETHER)))
}

const tell = (base: NewsContext, ids: string[]) =>
  transaction(base, async ({ db, now, secrets }) => {
    const companies = await db.query<{ id: string }>(sql`
      select distinct company_id as id from job_postings where id = any (${ids}::uuid[])`)
    const readers = await followersOf(
      { db, secrets },
      companies.map(({ id }) => id),
      'jobs',
    )
    const fitting = await db.query<OwnedRow & { job_id: string; company_id: string }>(
      fittingAlerts({ now }, ids),
    )
    const waiting = openOwners(secrets, fitting)
    const open = await db.query<{ id: string; companyId: string }>(sql`
      select job.id, job.company_id as "companyId" from job_postings job
       where job.id = any (${ids}::uuid[]) and ${isOpen({ now })}`)
    // What each person is told of each company: its jobs that are new to them, the newest first.
    const told = new Map<string, { root: Buffer; companyId: string; jobIds: Set<string> }>()
    const add = (root: Buffer, companyId: string, jobId: string) => {
      const name = `${root.toString('hex')} ${companyId}`
      const known = told.get(name) ?? { root, companyId, jobIds: new Set() }
      told.set(name, known)
      known.jobIds.add(jobId)
    }
    for (const { id, companyId } of open)
      for (const reader of readers)
        if (reader.companyId === companyId) add(reader.root, companyId, id)
    for (const [i, { root }] of waiting.entries())
      add(root, fitting[i]?.company_id as string, fitting[i]?.job_id as string)
    const pieces = [...told.values()].map(({ jobIds, ...piece }) => ({
      ...piece,
      subject: { kind: 'alert' as const, companyId: piece.companyId, event: 'job' as const },
      jobIds: ids.filter((id) => jobIds.has(id)).reverse(),
    }))
    await writeNews(
      { db, now },
      pieces,
      (pieces) => sql`
      insert into notifications as known
        (key, mine, kind, company_id, event, job_ids, count, minute)
      select told.key, told.mine, 'alert', told.company_id, 'job',
             array(select json_array_elements_text(jobs.ids)::uuid),
             json_array_length(jobs.ids), ${minuteOf(now())}
        from ${toldTable(pieces)}
        join json_array_elements(${JSON.stringify(pieces.map(({ jobIds }) => jobIds.slice(0, ALERT_JOBS_MAX)))}::json)
             with ordinality as jobs (ids, nth) on jobs.nth = told.nth
       order by told.nth
      on conflict (key) do update
         set (count, job_ids) = (
               select least(count(*) + case when known.is_read then 0 else known.count end,
                            ${ALERT_JOBS_MAX}::integer),
                      (array_agg(fresh.id order by fresh.place)
                        || known.job_ids)[:${ALERT_JOBS_MAX}::integer]
                 from unnest(excluded.job_ids) with ordinality as fresh (id, place)
                where fresh.id <> all (known.job_ids)),
             is_mailed = known.is_mailed and not known.is_read, is_read = false,
             minute = excluded.minute, mine = excluded.mine
       where not known.job_ids @> excluded.job_ids`,
    )
  })
