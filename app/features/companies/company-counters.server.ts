/** How many companies each category has. */
import sql from 'sql-template-tag'
import type { Counter } from '../../server/counter.server.ts'

const counted = sql`
  select category as name, count(*)::integer as companies from companies group by category`

export const companyCounters: Counter[] = [
  {
    compared: sql`
      select 'The category “' || name || '”', 'companies', coalesce(kept.companies, 0)::text,
             coalesce(counted.companies, 0)::text
        from categories kept full join (${counted}) counted using (name)`,
    anew: [
      sql`delete from categories where name not in (select category from companies)`,
      sql`
      insert into categories (name, companies) select name, companies from (${counted}) counted
      on conflict (name) do update set companies = excluded.companies
        where categories.companies <> excluded.companies`,
    ],
    tables: ['companies', 'categories'],
  },
]
