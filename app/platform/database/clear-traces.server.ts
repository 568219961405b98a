/** The end of the nightly run: what tables and the log held of the day is given back, and written over. */
import { raw } from 'sql-template-tag'
import { isDatabaseError, type OpenDatabase } from './database.server.ts'

const NOT_ALLOWED = '42501'

/**
 * The write-ahead log is switched, so that what holds the day ends, and the checkpoint lets go of it; with
 * `wal_recycle=off` its files are deleted instead of kept for later. PostgreSQL lets only some roles do
 * that: `npm run doctor` says what is missing.
 */
export const clearTraces = (db: OpenDatabase) =>
  db.dedicated(async (db) => {
    for (const statement of ['vacuum (analyze)', 'select pg_switch_wal()', 'checkpoint'])
      await db.query(raw(statement)).catch((error) => {
        if (!isDatabaseError(error, NOT_ALLOWED)) throw error
      })
  })
