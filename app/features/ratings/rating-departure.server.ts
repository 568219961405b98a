/** What becomes of somebody's ratings when the account goes. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { authorKeyOfAccount } from '../../auth/author-keys.server.ts'
import type { ServerContext } from '../../server/context.server.ts'
import { type RatingSettings, takeAway } from './rating-commands.server.ts'
import { ratingTag, tagsOf } from './rating-tag.server.ts'

/**
 * Part of the job that follows the deletion of an account. Done twice it does no harm.
 * @param posts keep: ratings stay under a tag that nobody can make, so that not even trying all
 * accounts finds them; remove: they go, and the numbers with them
 */
export async function forgetRater(
  ctx: ServerContext,
  { accountId, posts }: { accountId: string; posts: 'keep' | 'remove' },
  settings: RatingSettings,
) {
  for await (const tags of tagsOf(ctx, accountId)) {
    const mine = await ctx.db.query<{ tag: string; companyId: string }>(sql`
      select tag, company_id as "companyId" from ratings where tag = any(${tags}::text[])`)
    for (const { tag, companyId } of mine)
      if (posts === 'remove') await takeAway(ctx, companyId, tag, settings)
      else {
        // Of an account that never was, and no other than the rest: it does not tell who left.
        const nobodys = ratingTag(ctx, randomUUID(), companyId)
        await ctx.db.query(sql`update ratings set tag = ${nobodys} where tag = ${tag}`)
      }
  }
  // Helpful votes go on counting, each for itself.
  await ctx.db.query(sql`
    update rating_votes set author_key = 'gone ' || gen_random_uuid()
     where author_key = ${authorKeyOfAccount(ctx.secrets, accountId)}`)
}
