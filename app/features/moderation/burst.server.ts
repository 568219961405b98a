/** Somebody new who posts a lot at once: what is too much waits for a moderator. */
import sql from 'sql-template-tag'
import { type ServerContext, transaction } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import { holdPost } from './hold.server.ts'
import type { Keepers } from './keepers.server.ts'
import { BURST_MINUTES, BURST_POSTS, NEW_AUTHOR_MINUTES, type PostRef } from './moderation.ts'
import { openCase, takeCase } from './moderation-case.server.ts'

/**
 * The job that follows each post. Done twice, or late, it comes to the same: it asks for the moment
 * of the post, and of many posts of one minute just so many stay.
 */
export const holdBurst = (
  base: Pick<ServerContext, 'db' | 'now' | 'jobs'>,
  keepers: Keepers,
  post: PostRef,
) =>
  transaction({ ...base, keepers }, async (ctx) => {
    const kept = await keepers[post.kind].lock(ctx.db, post.id)
    if (!kept || kept.hidden || kept.authorKey === null) return
    if (!(await isTooMuch(ctx.db, post, kept.authorKey))) return
    const itsCase = await takeCase(ctx, post, 'burst')
    if (itsCase.isCleared) return
    await openCase(ctx, itsCase, 'burst')
    await holdPost(ctx, post)
  })

/** What is held already does not count, or a late look would hold the first ones too. */
async function isTooMuch(db: Database, post: PostRef, authorKey: string): Promise<boolean> {
  const [author] = await db.query<{ isNew: boolean; others: number }>(sql`
    with posts as (
      select id, posted_minute, hidden from threads where author_key = ${authorKey}
      union all
      select id, posted_minute, hidden from comments where author_key = ${authorKey}),
    this as (select posted_minute as minute from posts where id = ${post.id})
    select this.minute - (select min(posted_minute) from posts) < ${NEW_AUTHOR_MINUTES} as "isNew",
           (select count(*)::integer from posts
             where id <> ${post.id} and hidden is distinct from 'held'
               and posted_minute > this.minute - ${BURST_MINUTES}::integer
               and posted_minute <= this.minute) as others
      from this`)
  return author?.isNew === true && author.others >= BURST_POSTS
}
