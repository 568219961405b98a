import sql from 'sql-template-tag'
import type { Counter } from '#app/platform/database/counter.server.ts'

const counted = sql`
  select category as name, count(*)::integer as companies from companies group by category`

const fame = sql`company_fame(threads, comments, ratings)`

export const companyCounters: Counter[] = [
  {
    compared: sql`
      select 'The category “' || name || '”', 'companies', coalesce(kept.companies, 0)::text,
             coalesce(counted.companies, 0)::text
        from categories kept full join (${counted}) counted using (name)`,
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
      select distinct 'The company “' || name || '”', 'class of fame', kept.fame::text,
             ${fame}::text
        from company_keys kept join company_stats using (company_id)
        join companies on companies.id = company_id`,
    recount: [
      sql`
      update company_keys kept set fame = ${fame}
        from company_stats where company_stats.company_id = kept.company_id and fame <> ${fame}`,
    ],
    tables: ['company_keys', 'company_stats'],
  },
]
