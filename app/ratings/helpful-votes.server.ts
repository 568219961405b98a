/** We count helpful votes at night, because a number that changed immediately would reveal when someone voted. */

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { NOTE_TABLES } from './publication.server.ts'
import { ratedCompanies } from './rating-tag.server.ts'

/** @param which a condition on the notes */
export async function countHelpful(db: Database, which: Sql) {
  for (const { shown } of NOTE_TABLES)
    await db.query(sql`
      with counted as (
        update rating_votes set is_counted = true
         where not is_counted and rating_id in (select id from ${shown} where ${which})
        returning rating_id)
      update ${shown} shown set helpful = votes.n
        from (select id, (select count(*) from rating_votes where rating_id = note.id) as n
                from ${shown} note
               where ${which} and (helpful > 0 or id in (select rating_id from rating_votes))) votes
       where shown.id = votes.id and shown.helpful <> votes.n`)
}

export const countAllHelpful = (db: Database) =>
  db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    await countHelpful(db, sql`true`)
  })

/** A person's key within one company. It means nothing elsewhere. D40. */
export const helpfulKey = (root: Buffer, companyId: string) =>
  contextKey(root, 'helpful', companyId)

/** Nothing says which companies' notes someone found helpful, so we try each company. */
export async function ownHelpfulNotes(ctx: Ctx): Promise<string[]> {
  const root = rootOf(ctx)
  const notes: string[] = []
  if (!root) return notes
  for await (const companies of ratedCompanies(ctx)) {
    const keys = companies.map((id) => helpfulKey(root, id))
    const rows = await ctx.db.query<{ id: string }>(sql`
      select rating_id as id from rating_votes where key = any (${keys}::bytea[]) order by 1`)
    notes.push(...rows.map(({ id }) => id))
  }
  return notes
}
