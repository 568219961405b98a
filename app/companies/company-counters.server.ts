import sql from 'sql-template-tag'
import type { Counter } from '#app/platform/database/counter.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { broadcastAnswerChange } from '#app/platform/http/answer-cache.server.ts'
import { DAYS_SHOWN, daysBefore } from './tracking/day-count.ts'

/** How many visible posts appear or disappear. The hourly count of the week's comments catches up by itself. */
export async function countPosts(
  db: Database,
  companyId: string | null | undefined,
  { threads = 0, comments = 0 }: { threads?: number; comments?: number },
) {
  if (!companyId || (threads === 0 && comments === 0)) return
  await db.query(sql`
    update company_stats set threads = threads + ${threads}, comments = comments + ${comments}
     where company_id = ${companyId}`)
  broadcastAnswerChange(db, companyId)
}

const counted = sql`
  select category as name, count(*)::integer as companies from companies group by category`

const fame = sql`company_fame(threads, comments, ratings)`

export const companyCounters: Counter[] = [
  {
    compared: sql`
      select 'The category “' || name || '”', 'companies', coalesce(stored.companies, 0)::text,
             coalesce(counted.companies, 0)::text
        from categories stored full join (${counted}) counted using (name)`,
    recount: [
      sql`delete from categories where name not in (select category from companies)`,
      sql`
      insert into categories (name, companies) select name, companies from (${counted}) counted
      on conflict (name) do update set companies = excluded.companies
        where categories.companies <> excluded.companies`,
    ],
    tables: ['companies', 'categories'],
  },
  {
    compared: sql`
      select distinct 'The company “' || name || '”', 'class of fame', stored.fame::text,
             ${fame}::text
        from company_keys stored join company_stats using (company_id)
        join companies on companies.id = company_id`,
    recount: [
      sql`
      update company_keys stored set fame = ${fame}
        from company_stats where company_stats.company_id = stored.company_id and fame <> ${fame}`,
    ],
    tables: ['company_keys', 'company_stats'],
  },
]

/**
 * Clicks per company, for past days that are shown. The hourly task recounts today, yesterday, and everything after the last
 * day that it counted, so those are left out.
 */
export function clickCounters(today: string): Counter[] {
  const isOver = sql`
    day >= ${daysBefore(today, DAYS_SHOWN - 1)}::date and day < ${daysBefore(today, 1)}::date
    and day < (select max(day) from daily_counts where name = 'clicks')`
  const counted = sql`
    select company_id, day, n from (
      select company_id, (created_at at time zone 'UTC')::date as day, count(*)::integer as n
        from company_interactions group by 1, 2) clicks
     where ${isOver}`
  return [
    {
      compared: sql`
        select company.name, 'clicks of ' || to_char(day, 'YYYY-MM-DD'), coalesce(stored.n, 0)::text,
               coalesce(counted.n, 0)::text
          from (select * from daily_clicks where ${isOver}) stored
          full join (${counted}) counted using (company_id, day)
          join companies company on company.id = company_id`,
      recount: [
        sql`
        insert into daily_clicks (company_id, day, n)
        select company_id, day, n from (${counted}) counted
        on conflict (company_id, day) do update set n = excluded.n where daily_clicks.n <> excluded.n`,
        sql`
        delete from daily_clicks
         where ${isOver} and (company_id, day) not in (
           select company_id, day from (${counted}) counted)`,
      ],
      tables: ['companies', 'company_interactions', 'daily_clicks'],
    },
  ]
}
