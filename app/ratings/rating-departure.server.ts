/** What happens to someone's ratings when the account is deleted. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { removeRepliesTo } from '#app/community/replies/reply-commands.server.ts'
import { POSTS_REMOVED } from '#app/community/reports/post-events.server.ts'
import { publish, type ServerContext } from '#app/platform/database/context.server.ts'
import type { RatingSettings } from './publication.server.ts'
import { takeBack } from './rating-commands.server.ts'
import { ratingTag, tagsOf } from './rating-tag.server.ts'

/**
 * Part of the job that follows an account's deletion; safe to repeat.
 * @param posts keep: ratings stay under a tag that no one can make, so not even trying all accounts finds them;
 * remove: they are emptied, and the numbers follow with the next publication, so no number reveals that someone just left
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
      // The tag of an account that never existed: it looks like any other and doesn't tell who left.
      const nobodys = ratingTag(ctx, randomUUID(), companyId)
      if (posts === 'remove') await takeBack(ctx, companyId, { tag, emptyTag: nobodys }, settings)
      // Kept ratings, and those taken back before that are still public.
      await ctx.db.query(sql`update ratings set tag = ${nobodys} where tag = ${tag}`)
    }
  }
  // Helpful votes go on counting, under keys that no one can make.
}

/**
 * Removes what depends on the notes too: nothing may reference the table, so nothing cascades. Run it in a transaction
 * that holds the company, whose numbers are deleted with it.
 * @returns how many public ones went
 */
export async function removeRatingsOf(ctx: ServerContext, companyId: string): Promise<number> {
  const { db } = ctx
  // Votes and reports lock the note first, so theirs are visible to the statements below.
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
