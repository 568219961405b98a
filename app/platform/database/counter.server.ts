/** Counters stored next to the rows they count, so no page has to count. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { type Database, isLockTimeout } from './database.server.ts'

export interface Counter {
  /**
   * A query of stored and actual numbers: rows of (subject, counter, stored, counted), all as text. The
   * subject is public, such as a company's name, and never a person.
   */
  compared: Sql
  /** Statements that recount, in order, while no one writes. */
  recount: Sql[]
  /** The tables they read and write. */
  tables: string[]
}

export interface Drift {
  subject: string
  /** Such as "ratings of 2026-03". */
  counter: string
  stored: string
  counted: string
}

/** Counters that don't match their rows. Run it in a transaction. The check changes nothing and blocks no one. */
export const driftOf = (db: Database, counters: Counter[]) =>
  // A single statement sees a single moment, so changes made meanwhile don't look like drift.
  db.query<Drift>(sql`
    with compared(subject, counter, stored, counted) as (
      ${join(
        counters.map(({ compared }) => compared),
        ' union all ',
      )})
    select * from compared where stored <> counted order by subject, counter, stored`)

const TRIES = 20

/**
 * Recounts everything from the rows. Writers wait meanwhile.
 * @throws an Error if the site is too busy to hold the locks
 */
export async function recount(db: Database, counters: Counter[]) {
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction((db) => countAlone(db, counters))
    } catch (error) {
      if (!isLockTimeout(error) || tried === TRIES) throw error
    }
  }
}

async function countAlone(db: Database, counters: Counter[]) {
  const tables = [...new Set(counters.flatMap(({ tables }) => tables))].sort()
  await db.query(sql`set local statement_timeout = 0`)
  // Gives up before PostgreSQL aborts someone else's transaction as a deadlock.
  await db.query(sql`set local lock_timeout = '500ms'`)
  // Exclusive, because a writer that holds a row and wants to update it would deadlock with us.
  await db.query(sql`lock table ${raw(tables.join(', '))} in exclusive mode`)
  for (const { recount } of counters) for (const statement of recount) await db.query(statement)
}
