/** Deletes posts with all that depends on them. Callers check permissions. */
import sql, { type Sql } from 'sql-template-tag'
import { allOwnRows, type OwnRowTable } from '#app/api/auth/numbered-rows.server.ts'
import { countPosts } from '#app/companies/company-counters.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import {
  emit,
  type ServerContext,
  transaction,
} from '#app/platform/database/server-context.server.ts'
import { POSTS_REMOVED } from '../../reports/post-moderation.server.ts'
import { broadcastThreadChange, postRemovals } from '../live/live.server.ts'
import { forgetSavedThreads } from '../threads/saved-threads.server.ts'
import { departedKey, OWN_COMMENTS, OWN_THREADS } from './own-posts.server.ts'

/** Removes the comments first. Spec §4. Call it in a transaction. */
export async function removeThread(db: Database, id: string) {
  const [thread] = await db.query<{
    companyId: string | null
    comments: number
    isShown: boolean
  }>(sql`
    select company_id as "companyId", comments, hidden is null as "isShown"
      from threads where id = ${id} for update`)
  if (!thread) return
  await db.query(sql`
    delete from votes where subject_id = ${id}
        or subject_id in (select id from comments where thread_id = ${id})`)
  await db.query(sql`delete from comments where thread_id = ${id}`)
  await db.query(sql`delete from threads where id = ${id}`)
  await postRemovals.broadcast(db, [id])
  // A hidden comment has already left the counters.
  if (thread.isShown)
    await countPosts(db, thread.companyId, { threads: -1, comments: -thread.comments })
}

/** A comment with replies leaves a stub. Call it in a transaction. */
export async function removeComment(ctx: ServerContext, id: string) {
  const { db } = ctx
  // Locks the thread first, as every writer does, which avoids deadlocks.
  await db.query(sql`
    select from threads where id = (select thread_id from comments where id = ${id}) for update`)
  const [comment] = await db.query<{ threadId: string; isShown: boolean }>(sql`
    select thread_id as "threadId", hidden is null as "isShown" from comments
     where id = ${id} and not is_deleted for update`)
  if (!comment) return { isStub: false }
  await db.query(sql`delete from votes where subject_id = ${id}`)
  const [answer] = await db.query(sql`select from comments where parent_id = ${id} limit 1`)
  if (answer) {
    await db.query(sql`
      update comments
         set is_deleted = true, body = '', html = '', author_name = '', score = 0,
             untrusted_score = 0, hidden = null, hidden_reason = null,
             badge_domain = null, badge_company_id = null
       where id = ${id}`)
    await emit(ctx, POSTS_REMOVED, { kind: 'comment', ids: [id] })
  } else await removeWithEmptyStubs(db, id)
  if (comment.isShown) await uncountComment(db, comment.threadId)
  await postRemovals.broadcast(db, [comment.threadId])
  return { isStub: answer !== undefined }
}

async function uncountComment(db: Database, threadId: string) {
  const [thread] = await db.query<{ companyId: string | null; isShown: boolean }>(sql`
    update threads set comments = comments - 1 where id = ${threadId}
    returning company_id as "companyId", hidden is null as "isShown"`)
  if (thread?.isShown) await countPosts(db, thread.companyId, { comments: -1 })
}

/** A stub without replies has no reason to stay. */
async function removeWithEmptyStubs(db: Database, id: string) {
  let at: string | null = id
  while (at !== null) {
    const [removed]: { parentId: string | null }[] = await db.query<{ parentId: string | null }>(
      sql`delete from comments where id = ${at} returning parent_id as "parentId"`,
    )
    const parentId: string | null = removed?.parentId ?? null
    const [emptyStub]: object[] = await db.query(sql`
      select from comments stub where id = ${parentId} and is_deleted
        and not exists (select from comments where parent_id = stub.id)`)
    at = emptyStub ? parentId : null
  }
}

/** Recounts each company's comments of the last week. */
export async function countRecentComments(db: Database, sinceMinute: number) {
  await db.query(sql`
    update company_stats stats set recent_comments = coalesce(recent.n, 0)
      from company_stats before
      left join (
        select thread.company_id as id, count(*)::integer as n
          from comments comment join threads thread on thread.id = comment.thread_id
         where comment.posted_minute >= ${sinceMinute} and not comment.is_deleted
           and comment.hidden is null and thread.hidden is null and thread.company_id is not null
         group by thread.company_id) recent on recent.id = before.company_id
     where stats.company_id = before.company_id
       and before.recent_comments <> coalesce(recent.n, 0)`)
}

/** Counts posts as each change does: see `postCounters`. Call it in a transaction that holds the counters. */
export const countPostsAbout = (db: Database, companies: string[], recentSince: number) =>
  db.query(sql`
    update company_stats stats
       set threads = said.threads, comments = said.comments, recent_comments = said.recent
      from unnest(${companies}::uuid[]) as company(id)
     cross join lateral (
       select count(*)::integer as threads, coalesce(sum(comments), 0)::integer as comments,
              coalesce(sum((
                select count(*) from comments comment
                 where comment.thread_id = thread.id and comment.posted_minute >= ${recentSince}
                   and not comment.is_deleted and comment.hidden is null)), 0)::integer as recent
         from threads thread where company_id = company.id and hidden is null) said
     where stats.company_id = company.id`)

/**
 * Spec §4. Call it in a transaction that holds the company. The company's own counters go with the company.
 * @returns how many threads and comments were deleted, without stubs
 */
export async function removeThreadsAbout(db: Database, companyId: string) {
  // Locks all of them first, in one order, because a writer already holds its thread.
  const threads = await db.query<{ id: string }>(
    sql`select id from threads where company_id = ${companyId} order by id for update`,
  )
  const ids = threads.map(({ id }) => id)
  if (ids.length === 0) return { threads: 0, comments: 0 }
  await db.query(sql`
    delete from votes where subject_id = any (${ids}::uuid[])
        or subject_id in (select id from comments where thread_id = any (${ids}::uuid[]))`)
  const [gone] = await db.query<{ comments: number }>(sql`
    with gone as (
      delete from comments where thread_id = any (${ids}::uuid[]) returning is_deleted)
    select count(*) filter (where not is_deleted)::integer as comments from gone`)
  await db.query(sql`delete from threads where id = any (${ids}::uuid[])`)
  await postRemovals.broadcast(db, ids)
  for (const id of ids) broadcastThreadChange(db, id)
  return { threads: ids.length, comments: gone?.comments ?? 0 }
}

/** Replaces the username. */
const FORMER_MEMBER = 'Former member'

/**
 * The task that follows the deletion of an account. Idempotent.
 * @param posts `keep` leaves them as they are, because no key in them leads to another, and only replaces the username.
 * `remove` deletes threads with all comments, and comments as their author would
 */
export async function forgetAuthor(
  ctx: ServerContext,
  { root, posts }: { root: Buffer; posts: 'keep' | 'remove' },
) {
  if (posts === 'remove') await removePosts(ctx, root)
  else {
    await anonymizeNames(ctx.db, OWN_THREADS, root)
    await anonymizeNames(ctx.db, OWN_COMMENTS, root)
  }
  await ctx.db.query(sql`
    insert into deleted_accounts (key) values (${departedKey(root)}) on conflict do nothing`)
  // Votes still count, under keys that no one can make again.
  await ctx.db.transaction((db) => forgetSavedThreads(db, root))
}

const idsOf = async (db: Database, ownTable: OwnRowTable, root: Buffer, posts: Sql) => {
  const rows = await allOwnRows<{ id: string }>(
    db,
    ownTable,
    root,
    (own) => sql`
      select id from ${own} own join (select id, own_row_key from ${posts}) post using (own_row_key)
       order by number desc`,
  )
  return rows.map(({ id }) => id)
}

/** One by one, because a shared transaction would show that they belong to one person. */
async function anonymizeNames(db: Database, ownTable: OwnRowTable, root: Buffer) {
  const table = ownTable === OWN_THREADS ? sql`threads` : sql`comments`
  const named = sql`${table} where author_name not like '% %' and author_name <> ''`
  for (const id of await idsOf(db, ownTable, root, named))
    await db.query(sql`update ${table} set author_name = ${FORMER_MEMBER} where id = ${id}`)
}

async function removePosts(ctx: ServerContext, root: Buffer) {
  for (const id of await idsOf(ctx.db, OWN_THREADS, root, sql`threads`))
    await ctx.db.transaction((db) => removeThread(db, id))
  for (const id of await idsOf(ctx.db, OWN_COMMENTS, root, sql`comments where not is_deleted`))
    await transaction(ctx, (ctx) => removeComment(ctx, id))
}
