/**
 * Moves what belongs to one company to another, and back. Rows say whose they were, so that they are found
 * again whatever is written meanwhile. Nobody's keys change.
 */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/** Tables whose rows move as they are. Whoever adds a table of a company puts it here: a test looks. */
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

/** What else these rows say of their company. @param id a uuid */
const ALSO: { [Table in (typeof MOVED)[number]]?: (id: string) => Sql } = {
  job_postings: (id) => sql`, company_name = (select name from companies where id = ${id})`,
  // How a new job finds its alerts: such an alert has this key alone.
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
  // Whoever is asked by both is asked once.
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

/** @param origins the company, and those that had become part of it before */
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

/** In the order of their ids, as whoever else holds several at a time. */
const lockThreads = (db: Database, which: Sql) =>
  db.query(sql`select from threads where ${which} order by id for update`)

/** Whoever counts waits: what is counted anew is what stands there. */
const lockStats = (db: Database, companies: string[]) =>
  db.query(sql`
    select from company_stats where company_id = any (${companies}::uuid[])
     order by company_id for no key update`)

/**
 * Clicks per day, of the days that are counted already. The hourly job counts the others.
 * @param companies whose rows moved
 */
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
