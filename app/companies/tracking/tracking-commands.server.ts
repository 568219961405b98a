/** Writes of views and clicks, many at a time. Decision 18. */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/** Adds one view for each time that an id stands in `companyIds`. */
export async function writeViews(db: Database, companyIds: string[]) {
  const counts = new Map<string, number>()
  for (const id of companyIds) counts.set(id, (counts.get(id) ?? 0) + 1)
  // Always in the same order, so that two processes that write wait for each other only one way.
  await db.query(sql`
    with seen as (
      select * from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::integer[])
               as seen(company_id, n)),
    held as materialized (
      select company_id from company_stats where company_id in (select company_id from seen)
       order by company_id for no key update)
    update company_stats set views = views + seen.n
      from seen join held using (company_id)
     where company_stats.company_id = held.company_id`)
}

export interface Click {
  companyId: string
  /** A pseudonym of the day. */
  userId: string
  /** The minute, as ISO text. */
  at: string
}

/** Those of companies that are gone are left out. Their order within a batch tells nothing. */
export const writeClicks = (db: Database, clicks: Click[]) =>
  db.query(sql`
    insert into company_interactions (company_id, company_name, user_id, created_at)
    select company.id, company.name, click."userId", click.at
      from json_to_recordset(${JSON.stringify(clicks)}::json)
             as click("companyId" uuid, "userId" text, at timestamptz)
      join companies company on company.id = click."companyId"
     order by random()`)
