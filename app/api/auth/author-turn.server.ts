/** What one author asks for at the same moment, done in turn. */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/**
 * For rules about how many of something an author has: of many requests at once each counts what those
 * before it wrote. Run it in the command's transaction, after its other locks; the turn ends with that.
 */
export const takeAuthorTurn = (db: Database, authorKey: string | null) =>
  db.query(sql`select pg_advisory_xact_lock(hashtextextended(${authorKey}, 0))`)
