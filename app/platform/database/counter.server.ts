/** Numbers that are kept beside the rows that they count, so that nobody counts them for a page. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { type Database, isDatabaseError } from './database.server.ts'

export interface Counter {
  /**
   * A query of it and of what it should be: rows of (subject, counter, kept, counted), all texts. The
   * subject is what everybody may read, such as a company's name; never whose it is.
   */
  compared: Sql
  /** Statements that count again, in order, while no one writes. */
  recount: Sql[]
  /** The tables that are read and written for that. */
  tables: string[]
}

export interface Drift {
  subject: string
  /** Such as "ratings of 2026-03". */
  counter: string
  kept: string
  counted: string
}

/** Where counters and rows differ. Run it in a transaction; changes nothing, and hinders nobody. */
export const driftOf = (db: Database, counters: Counter[]) =>
  // One statement, so one moment: what people do meanwhile is no drift.
  db.query<Drift>(sql`
    with compared(subject, counter, kept, counted) as (
      ${join(
        counters.map(({ compared }) => compared),
        ' union all ',
      )})
    select * from compared where kept <> counted order by subject, counter, kept`)

const LOCK_NOT_AVAILABLE = '55P03'
const TRIES = 20

/**
 * Makes counters anew from the rows. Whoever wants to write waits meanwhile.
 * @throws an Error when the site is too busy to be stopped for that
 */
export async function recount(db: Database, counters: Counter[]) {
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction((db) => countAlone(db, counters))
    } catch (error) {
      if (!isDatabaseError(error, LOCK_NOT_AVAILABLE) || tried === TRIES) throw error
    }
  }
}

async function countAlone(db: Database, counters: Counter[]) {
  const tables = [...new Set(counters.flatMap(({ tables }) => tables))].sort()
  await db.query(sql`set local statement_timeout = 0`)
  // Gives up before the database would have to end somebody else's transaction for it.
  await db.query(sql`set local lock_timeout = '500ms'`)
  // Also against whoever has taken a row to change it next: one would wait for the other.
  await db.query(sql`lock table ${raw(tables.join(', '))} in exclusive mode`)
  for (const { recount } of counters) for (const statement of recount) await db.query(statement)
}

/**
 * One account more in the week of `today`, in the transaction that makes it. The week and not the
 * day: see the migration. Others who sign up wait for the commit, so it comes late in there.
 */
export const countSignUp = (db: Database, today: string) =>
  db.query(sql`
    insert into daily_counts (name, day, n)
    values ('sign-ups', date_trunc('week', ${today}::date::timestamp)::date, 1)
    on conflict (name, day) do update set n = daily_counts.n + 1`)
