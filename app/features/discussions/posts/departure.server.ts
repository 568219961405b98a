/** What becomes of somebody's posts when the account goes: they lose their author, or they go too. */
import sql from 'sql-template-tag'
import { type ServerContext, transaction } from '../../../server/context.server.ts'
import { removeComment, removeThread } from './removal.server.ts'

/** Shown where a username stood. */
const FORMER_MEMBER = 'Former member'

/**
 * The job that follows the deletion of an account. Done twice it does no harm.
 * @param posts keep: under a key that nobody has, another one in each thread, so that nothing groups
 * them any more; remove: threads with all answers, comments as one deletes them oneself
 */
export async function forgetAuthor(
  ctx: ServerContext,
  { authorKey, posts }: { authorKey: string; posts: 'keep' | 'remove' },
) {
  if (posts === 'remove') await removePosts(ctx, authorKey)
  await ctx.db.transaction(async (db) => {
    await db.query(sql`
      with parted as (
        select thread_id, 'gone ' || gen_random_uuid() as key from (
          select id as thread_id from threads where author_key = ${authorKey}
          union select thread_id from comments where author_key = ${authorKey}) taken_part),
      of_threads as (
        update threads set author_key = parted.key,
               author_name = case when author_name like '% %' then author_name
                                  else ${FORMER_MEMBER} end
          from parted where threads.id = parted.thread_id and threads.author_key = ${authorKey}),
      of_comments as (
        update comments set author_key = parted.key,
               author_name = case when author_name like '% %' or is_deleted then author_name
                                  else ${FORMER_MEMBER} end
          from parted
         where comments.thread_id = parted.thread_id and comments.author_key = ${authorKey})
      update thread_names set author_key = parted.key
        from parted
       where thread_names.thread_id = parted.thread_id and thread_names.author_key = ${authorKey}`)
    // Votes go on counting, each for itself.
    for (const table of [sql`votes`, sql`poll_votes`])
      await db.query(sql`
        update ${table} set author_key = 'gone ' || gen_random_uuid() where author_key = ${authorKey}`)
    await db.query(sql`delete from saved_threads where author_key = ${authorKey}`)
    await db.query(sql`delete from muted_threads where author_key = ${authorKey}`)
    await db.query(sql`delete from author_cred where author_key = ${authorKey}`)
  })
}

async function removePosts(ctx: ServerContext, authorKey: string) {
  const { db } = ctx
  const threads = await db.query<{ id: string }>(
    sql`select id from threads where author_key = ${authorKey}`,
  )
  for (const { id } of threads) await db.transaction((db) => removeThread(db, id))
  const comments = await db.query<{ id: string }>(sql`
    select id from comments where author_key = ${authorKey} and not is_deleted order by place desc`)
  for (const { id } of comments) await transaction(ctx, (ctx) => removeComment(ctx, id))
}
