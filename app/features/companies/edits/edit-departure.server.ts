/** What becomes of somebody's suggestions when the account goes. */
import sql from 'sql-template-tag'
import type { ServerContext } from '../../../server/context.server.ts'

/** Those that wait go; the others stay in the history, each under a key that nobody has. */
export const forgetEditor = (
  { db }: Pick<ServerContext, 'db'>,
  { authorKey }: { authorKey: string },
) =>
  db.transaction(async (db) => {
    await db.query(sql`
      delete from company_edits where author_key = ${authorKey} and status = 'suggested'`)
    await db.query(sql`
      update company_edits set author_key = 'gone ' || gen_random_uuid()
       where author_key = ${authorKey}`)
  })
