/**
 * The moment as the database sees it, for whatever must be due, late or over: all processes agree on
 * it, and a machine with a wrong clock harms nobody else.
 */
import sql, { type Sql } from 'sql-template-tag'

export type DatabaseClock = () => Sql

/** @param now a clock that tests move by hand, in the place of the database's */
export const databaseClock =
  (now?: () => Date): DatabaseClock =>
  () =>
    // Stable within a statement, so that an index serves: clock_timestamp() would not be.
    now ? sql`${now().toISOString()}::timestamptz` : sql`statement_timestamp()`

/** So many milliseconds after the moment; before it when negative. */
export const after = (moment: Sql, ms: number) =>
  sql`(${moment} + make_interval(secs => ${Math.round(ms) / 1000}::float8))`
