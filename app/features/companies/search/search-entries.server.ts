/**
 * How the search's index takes in thousands of companies. One by one each of a company's few hundred
 * grams finds its place by itself (2 ms a company); gathered they are put in together (0.3 ms). But
 * every search reads what is gathered, so it is for an import only. See db/migrations/0002.
 */
import sql, { raw } from 'sql-template-tag'
import { type Database, isDatabaseError } from '../../../server/database.server.ts'

const LOCK_NOT_AVAILABLE = '55P03'

/** From now on entries are gathered, 4 MB at a time. Where others keep the index busy, they are not. */
export const gatherSearchEntries = (db: Database) => setGathering(db, 'on')

/** Puts in what was gathered, and gathers no more. Done twice it does no harm. */
export async function settleSearchEntries(db: Database) {
  await setGathering(db, 'off')
  await db.query(sql`select gin_clean_pending_list('companies_by_gram')`)
}

/** For an import whose process died: to be done now and then. */
export async function settleLeftSearchEntries(db: Database) {
  const [left] = await db.query(sql`
    select from pg_class
     where oid = 'companies_by_gram'::regclass and 'fastupdate=on' = any (reloptions)`)
  if (left) await settleSearchEntries(db)
}

/** For a moment nobody may search: who cannot have that moment soon lets the searches go first. */
async function setGathering(db: Database, on: 'on' | 'off') {
  await db
    .transaction(async (db) => {
      await db.query(sql`set local lock_timeout = '2s'`)
      await db.query(sql`alter index companies_by_gram set (fastupdate = ${raw(on)})`)
    })
    .catch((error) => {
      if (!isDatabaseError(error, LOCK_NOT_AVAILABLE)) throw error
    })
}
