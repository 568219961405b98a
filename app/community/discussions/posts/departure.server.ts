/** What happens to posts when their author's account is deleted: they lose the username, or they go too. */
import sql, { type Sql } from 'sql-template-tag'
import { everyOwn, type Numbered } from '#app/api/auth/numbered-rows.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { forgetKeptThreads } from '../threads/kept-threads.server.ts'
import { departedKey, OWN_COMMENTS, OWN_THREADS } from './own-posts.server.ts'
import { removeComment, removeThread } from './removal.server.ts'

/** Replaces the username. */
const FORMER_MEMBER = 'Former member'

/**
 * The job that follows the deletion of an account. Idempotent.
 * @param posts keep: as they are, since no key in them leads to another; only the username goes.
 * remove: threads with all comments, comments as their author would delete them
 */
export async function forgetAuthor(
  ctx: ServerContext,
  { root, posts }: { root: Buffer; posts: 'keep' | 'remove' },
) {
  if (posts === 'remove') await removePosts(ctx, root)
  else {
    await takeUsernames(ctx.db, OWN_THREADS, root)
    await takeUsernames(ctx.db, OWN_COMMENTS, root)
  }
  await ctx.db.query(sql`
    insert into deleted_accounts (key) values (${departedKey(root)}) on conflict do nothing`)
  // Votes still count, under keys that no one can make again.
  await ctx.db.transaction((db) => forgetKeptThreads(db, root))
}

const idsOf = async (db: Database, numbered: Numbered, root: Buffer, posts: Sql) => {
  const rows = await everyOwn<{ id: string }>(
    db,
    numbered,
    root,
    (own) => sql`
      select id from ${own} own join (select id, mine from ${posts}) post using (mine)
       order by number desc`,
  )
  return rows.map(({ id }) => id)
}

/** One by one: a shared transaction would show that they are one person's. */
async function takeUsernames(db: Database, numbered: Numbered, root: Buffer) {
  const table = numbered === OWN_THREADS ? sql`threads` : sql`comments`
  const named = sql`${table} where author_name not like '% %' and author_name <> ''`
  for (const id of await idsOf(db, numbered, root, named))
    await db.query(sql`update ${table} set author_name = ${FORMER_MEMBER} where id = ${id}`)
}

async function removePosts(ctx: ServerContext, root: Buffer) {
  for (const id of await idsOf(ctx.db, OWN_THREADS, root, sql`threads`))
    await ctx.db.transaction((db) => removeThread(db, id))
  for (const id of await idsOf(ctx.db, OWN_COMMENTS, root, sql`comments where not is_deleted`))
    await transaction(ctx, (ctx) => removeComment(ctx, id))
}
