/** How many found notes helpful: counted in the night, as a number that moves at once tells when. */
import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/** @param which a condition on `public_ratings` */
export async function countHelpful(db: Database, which: Sql) {
  await db.query(sql`
    with counted as (
      update rating_votes set is_counted = true
       where not is_counted and rating_id in (select id from public_ratings where ${which})
      returning rating_id)
    update public_ratings shown set helpful = votes.n
      from (select id, (select count(*) from rating_votes where rating_id = public_ratings.id) as n
              from public_ratings
             where ${which} and (helpful > 0 or id in (select rating_id from rating_votes))) votes
     where shown.id = votes.id and shown.helpful <> votes.n`)
}

export const countAllHelpful = (db: Database) =>
  db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    await countHelpful(db, sql`true`)
  })
