/** Takes all ratings of a company away, when the company goes; who may was asked before. */
import sql from 'sql-template-tag'
import type { Database } from '../../server/database.server.ts'

/**
 * With all that hangs on their notes: nothing may reference the table, so nothing cascades. Run it in a
 * transaction that holds the company; its numbers go with the company. @returns how many went
 */
export async function removeRatingsOf(db: Database, companyId: string): Promise<number> {
  // Whoever finds a note helpful, or reports it, has taken it first: what they write is seen below.
  await db.query(sql`select from ratings where company_id = ${companyId} order by id for update`)
  const notes = sql`select id from ratings where company_id = ${companyId}`
  await db.query(sql`delete from rating_votes where rating_id in (${notes})`)
  await db.query(sql`delete from moderation_cases where note_id in (${notes})`)
  await db.query(sql`delete from company_replies where note_id in (${notes})`)
  const [gone] = await db.query<{ ratings: number }>(sql`
    with gone as (delete from ratings where company_id = ${companyId} returning id)
    select count(*)::integer as ratings from gone`)
  return gone?.ratings ?? 0
}
