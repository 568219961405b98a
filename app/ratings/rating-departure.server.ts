/** What becomes of somebody's ratings when the account goes. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { removeRepliesTo } from '#app/community/replies/reply-commands.server.ts'
import { POSTS_REMOVED } from '#app/community/reports/post-events.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { publish } from '#app/platform/database/events.server.ts'
import type { RatingSettings } from './publication.server.ts'
import { takeBack } from './rating-commands.server.ts'
import { ratingTag, tagsOf } from './rating-tag.server.ts'

/**
 * Part of the job that follows the deletion of an account. Done twice it does no harm.
 * @param posts keep: ratings stay under a tag that nobody can make, so that not even trying all
 * accounts finds them; remove: they are emptied, and the numbers follow with the next publication, so that
 * none tells of somebody who has just left
 */
export async function forgetRater(
  ctx: ServerContext,
  { accountId, posts }: { accountId: string; posts: 'keep' | 'remove' },
  settings: RatingSettings,
) {
  for await (const tags of tagsOf(ctx, accountId)) {
    const mine = await ctx.db.query<{ tag: string; companyId: string }>(sql`
      select tag, company_id as "companyId" from ratings where tag = any(${tags}::text[])`)
    for (const { tag, companyId } of mine) {
      // Of an account that never was, and no other than the rest: it does not tell who left.
      const nobodys = ratingTag(ctx, randomUUID(), companyId)
      if (posts === 'remove') await takeBack(ctx, companyId, { tag, emptyTag: nobodys }, settings)
      // What is kept, and what was taken back before and is still public.
      await ctx.db.query(sql`update ratings set tag = ${nobodys} where tag = ${tag}`)
    }
  }
  // Helpful votes go on counting: under keys that nobody can make any more.
}

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
