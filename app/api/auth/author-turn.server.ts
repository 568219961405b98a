import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/**
 * Serialises one author's transactions, for limits on how much an author may have: each sees what
 * earlier ones wrote. Take it after the command's other locks; it's released with the transaction.
 */
export const takeAuthorTurn = (db: Database, authorKey: string | null) =>
  db.query(sql`select pg_advisory_xact_lock(hashtextextended(${authorKey}, 0))`)
