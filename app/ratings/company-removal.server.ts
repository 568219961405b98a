/** Takes all ratings of a company away, when the company goes; who may was asked before. */
import sql from 'sql-template-tag'
import { removeRepliesTo } from '#app/community/replies/reply-commands.server.ts'
import { POSTS_REMOVED } from '#app/community/reports/post-events.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { publish } from '#app/platform/database/events.server.ts'

/**
 * With all that hangs on their notes: nothing may reference the table, so nothing cascades. Run it in a
 * transaction that holds the company; its numbers go with the company.
 * @returns how many went, of those that were public
 */
export async function removeRatingsOf(ctx: ServerContext, companyId: string): Promise<number> {
  const { db } = ctx
  // Whoever finds a note helpful, or reports it, has taken it first: what they write is seen below.
  const ratings = await db.query<{ id: string }>(
    sql`select id from public_ratings where company_id = ${companyId} order by id for update`,
  )
  const ids = ratings.map(({ id }) => id)
  await db.query(sql`delete from rating_votes where rating_id = any (${ids}::uuid[])`)
  await publish(ctx, POSTS_REMOVED, { kind: 'note', ids })
  await removeRepliesTo(db, ids)
  await db.query(sql`delete from public_ratings where company_id = ${companyId}`)
  await db.query(sql`delete from ratings where company_id = ${companyId}`)
  return ids.length
}
