/** For development: an employer account acts for the first demo company. */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

export const settleDemoClaim = (db: Database, accountId: string) =>
  db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select ${accountId}, id, 'approved' from companies where demo order by name_key limit 1`)
