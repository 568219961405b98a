/** Moves a company's rows to another one, and back. Rows remember their origin; people's keys don't change. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/** Tables whose rows move unchanged. A test checks that no table of a company is missing. */
export const MOVED = [
  'threads',
  'job_postings',
  'deleted_jobs',
  'company_replies',
  'company_requests',
  'company_edits',
  'company_interactions',
  'follows',
  'job_alerts',
  'notifications',
  'employer_claims',
  'seat_invitations',
  'ratings',
] as const

/** Other columns that depend on the company. @param id a uuid */
const ALSO: { [Table in (typeof MOVED)[number]]?: (id: string) => Sql } = {
  job_postings: (id) => sql`, company_name = (select name from companies where id = ${id})`,
  // Such an alert has this key alone, by which new jobs find it.
  job_alerts: (id) => sql`, keys = array[${`j:${id}`}]`,
}

export interface Joining {
  from: string
  into: string
}

/** In a transaction that holds both companies. */
export async function moveRows(db: Database, { from, into }: Joining) {
  await lockThreads(db, sql`company_id = ${from}`)
  await lockStats(db, [from, into])
  // Someone invited by both keeps one invitation.
  await db.query(sql`
    delete from seat_invitations
     where company_id = ${from}
       and address_hash in (select address_hash from seat_invitations where company_id = ${into})`)
  for (const table of MOVED)
    await db.query(sql`
      update ${raw(table)}
         set company_id = ${into}, merged_from = coalesce(merged_from, ${from}::uuid)
             ${ALSO[table]?.(into) ?? empty}
       where company_id = ${from}`)
  await db.query(sql`update public_ratings set company_id = ${into} where company_id = ${from}`)
}

/** @param origins the company, and those merged into it before */
export async function moveRowsBack(db: Database, { from, into }: Joining, origins: string[]) {
  await lockThreads(db, sql`company_id = ${into} and merged_from = any (${origins}::uuid[])`)
  await lockStats(db, [from, into])
  for (const table of MOVED)
    await db.query(sql`
      update ${raw(table)}
         set company_id = ${from}, merged_from = nullif(merged_from, ${from}::uuid)
             ${ALSO[table]?.(from) ?? empty}
       where company_id = ${into} and merged_from = any (${origins}::uuid[])`)
  await db.query(sql`
    update public_ratings set company_id = ${from}
     where company_id = ${into} and id in (select id from ratings where company_id = ${from})`)
}

/** In id order, like all who lock several. */
const lockThreads = (db: Database, which: Sql) =>
  db.query(sql`select from threads where ${which} order by id for update`)

/** Blocks counters, so that a recount is exact. */
const lockStats = (db: Database, companies: string[]) =>
  db.query(sql`
    select from company_stats where company_id = any (${companies}::uuid[])
     order by company_id for no key update`)

/** Clicks per day, for days already counted; the hourly job counts the others. */
export async function recountClicks(db: Database, companies: string[]) {
  const counted = await db.query<{ day: string }>(sql`
    delete from daily_clicks where company_id = any (${companies}::uuid[]) returning day::text`)
  const days = [...new Set(counted.map(({ day }) => day))]
  await db.query(sql`
    insert into daily_clicks (company_id, day, n)
    select company_id, (created_at at time zone 'UTC')::date as day, count(*)
      from company_interactions
     where company_id = any (${companies}::uuid[])
       and (created_at at time zone 'UTC')::date = any (${days}::date[])
     group by 1, 2`)
}
