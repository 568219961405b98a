/** The keys under which we store job alerts. D40. */

import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { byNumber, isOwn, type OwnRows } from '#app/api/auth/own-rows.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import type { JobAlert } from '../job.contract.ts'
import type { JobFilters } from '../job.ts'
import { isOpen } from '../job-queries.server.ts'
import { JOB_ALERTS_MAX } from './job-alert.ts'

export const ALERTS: OwnRows = { table: 'job_alerts', kind: 'job-alert', max: JOB_ALERTS_MAX }

export function alertKey(root: Buffer, wishes: JobFilters) {
  const { search, company, place, remote, type, salary, currency } = wishes
  const all = [search, company, place, remote, type, salary, currency]
  return contextKey(root, ALERTS.kind, JSON.stringify(all))
}

/** Every job has this key. */
export const ANY_KEY = 'any'

/** Newest first. Not paged, because there are at most JOB_ALERTS_MAX. */
export async function myAlerts(ctx: Ctx): Promise<{ alerts: JobAlert[] }> {
  const root = rootOf(ctx)
  if (!root) return { alerts: [] }
  const alerts = await ctx.db.query<JobAlert & { filters: JobFilters }>(sql`
    select alert.id, company.name as company,
           json_strip_nulls(json_build_object(
             'search', search, 'company', company_id, 'place', place, 'remote', remote_policy,
             'type', employment_type, 'salary', salary, 'currency', salary_currency)) as filters
      from job_alerts alert left join companies company on company.id = alert.company_id
     where ${isOwn(ALERTS, root, 'alert')} order by ${byNumber(ALERTS, root, 'alert')} desc`)
  return { alerts }
}

/**
 * The alerts that match open ones of these jobs: rows of key, personSealed, job_id and company_id, some of them twice. A
 * job reads only the alerts that share a key with it, because each alert's `keys` name what it can't match without.
 */
export const fittingAlerts = (ctx: Pick<Ctx, 'now'>, jobIds: string[]): Sql => sql`
  with posted as materialized (
    select job.id, job.company_id, job.place_keys, job.remote_policy, job.employment_type,
           job.salary_currency, job.yearly_maximum,
           -- Concatenated, it is detoasted here once, and not again for each alert.
           job.search || ''::tsvector as search,
           job.place_keys
             || array[${ANY_KEY}::text, 'j:' || job.company_id, 'r:' || job.remote_policy,
                      't:' || job.employment_type]
             || array(select 'w:' || word from unnest(tsvector_to_array(job.search)) word) as keys
      from job_postings job where job.id = any (${jobIds}::uuid[]) and ${isOpen(ctx)})
  select alert.key, alert.person_sealed as "personSealed", posted.id as job_id, posted.company_id
    -- Key by key: for all at once the index would compare each alert with hundreds of words.
    -- "offset 0": by their keys before anything else.
    from posted cross join unnest(posted.keys) quality
    cross join lateral (select * from job_alerts where keys @> array[quality] offset 0) alert
   where coalesce(alert.company_id = posted.company_id, true)
     and coalesce(alert.remote_policy = posted.remote_policy, true)
     and coalesce(alert.employment_type = posted.employment_type, true)
     and (alert.place_key is null or alert.place_key = any (posted.place_keys))
     and (alert.salary is null or (alert.salary_currency = posted.salary_currency
                                   and alert.salary <= posted.yearly_maximum))
     and (alert.words is null or posted.search @@ alert.words)`
