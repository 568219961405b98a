/**
 * Posts for moderation, which has already checked permissions. A visible thread counts for its company, a visible comment
 * for its thread, whatever happened to the thread. Cred stays, because it's about what readers thought.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { allOwnRows, type OwnRowTable } from '#app/api/auth/numbered-rows.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { companyPath } from '#app/companies/company.ts'
import { lockCompany } from '#app/companies/company-commands.server.ts'
import { countPosts } from '#app/companies/company-counters.server.ts'
import { companyIds } from '#app/companies/merging/merged-companies.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { HideAs, LockedPost, PostView } from '../../reports/post-moderation.server.ts'
import { threadPath } from '../discussion.ts'
import { broadcastThreadChange, postRemovals } from '../live/live.server.ts'
import { isoOf } from '../threads/thread-queries.server.ts'
import { OWN_COMMENTS, OWN_THREADS } from './own-posts.server.ts'

export const moderatedThreads = {
  lock: lockModeratedThread,
  views: (db: Database, ids: string[]) => viewThreads(db, sql`thread.id = any (${ids}::uuid[])`),
  hiddenOf: hiddenThreadsOf,
  hide: hideThread,
  rules: rulesOf,
  /** @param note why, for readers */
  lockWith: (db: Database, id: string, note: string | null) =>
    setFlag(db, id, sql`is_locked = true, lock_note = ${note}`),
  unlock: (db: Database, id: string) => setFlag(db, id, sql`is_locked = false, lock_note = null`),
  /** @param minutes null ends it */
  setSlow: (db: Database, id: string, minutes: number | null) =>
    setFlag(db, id, sql`slow_minutes = ${minutes}`),
  setPinned: (db: Database, id: string, isPinned: boolean) =>
    setFlag(db, id, sql`is_pinned = ${isPinned}`),
  move: moveThread,
}

export const moderatedComments = {
  lock: lockComment,
  views: (db: Database, ids: string[]) => viewComments(db, sql`comment.id = any (${ids}::uuid[])`),
  hiddenOf: hiddenCommentsOf,
  hide: hideComment,
}

const authorOf = (post: Sql) =>
  sql`${post}.key as "authorKey", ${post}.person_sealed as "personSealed"`

type LockedThread = LockedPost & { threadId: string; comments: number }
type LockedComment = LockedPost & { threadId: string; isThreadShown: boolean }

async function lockModeratedThread(db: Database, id: string) {
  const [thread] = await db.query<LockedThread>(sql`
    select ${authorOf(sql`threads`)}, id as "threadId", company_id as "companyId", hidden,
           hidden_reason as "hiddenReason", is_locked as "isLocked", is_pinned as "isPinned",
           comments
      from threads where id = ${id} for update`)
  return thread
}

/** A stub counts as deleted, because there's nothing left to decide. */
async function lockComment(db: Database, id: string) {
  // Locks the thread first, as every writer does, which avoids deadlocks.
  await db.query(sql`
    select from threads where id = (select thread_id from comments where id = ${id}) for update`)
  const [comment] = await db.query<LockedComment>(sql`
    select ${authorOf(sql`comment`)}, thread.id as "threadId",
           thread.company_id as "companyId", comment.hidden,
           comment.hidden_reason as "hiddenReason", thread.is_locked as "isLocked",
           thread.is_pinned as "isPinned", thread.hidden is null as "isThreadShown"
      from comments comment join threads thread on thread.id = comment.thread_id
     where comment.id = ${id} and not comment.is_deleted for update of comment`)
  return comment
}

async function hideThread(db: Database, id: string, as: HideAs) {
  const thread = await lockModeratedThread(db, id)
  if (!thread) return
  await db.query(sql`
    update threads set hidden = ${as?.state ?? null}, hidden_reason = ${as?.reason ?? null}
     where id = ${id}`)
  const change = changeOfCount(thread, as)
  await countPosts(db, thread.companyId, { threads: change, comments: change * thread.comments })
  if (as) await postRemovals.broadcast(db, [id])
  broadcastThreadChange(db, id)
}

async function hideComment(db: Database, id: string, as: HideAs) {
  const comment = await lockComment(db, id)
  if (!comment) return
  await db.query(sql`
    update comments set hidden = ${as?.state ?? null}, hidden_reason = ${as?.reason ?? null}
     where id = ${id}`)
  const change = changeOfCount(comment, as)
  if (change !== 0)
    await db.query(sql`
      update threads set comments = comments + ${change} where id = ${comment.threadId}`)
  if (comment.isThreadShown) await countPosts(db, comment.companyId, { comments: change })
  if (as) await postRemovals.broadcast(db, [comment.threadId])
  broadcastThreadChange(db, comment.threadId)
}

/** 1 if the post appears, -1 if it disappears, 0 if neither. */
const changeOfCount = ({ hidden }: LockedPost, as: HideAs) =>
  Number(as === null) - Number(hidden === null)

/** Lock the thread first. */
async function rulesOf(db: Database, id: string) {
  const [rules] = await db.query<{ lockNote: string | null; slowMinutes: number | null }>(sql`
    select lock_note as "lockNote", slow_minutes as "slowMinutes" from threads where id = ${id}`)
  return rules ?? { lockNote: null, slowMinutes: null }
}

async function setFlag(db: Database, id: string, flag: Sql) {
  await db.query(sql`update threads set ${flag} where id = ${id}`)
  broadcastThreadChange(db, id)
}

/** @throws Refusal bad-request for a company that doesn't exist */
async function moveThread(db: Database, id: string, into: string | null) {
  const companyId = into && (await companyIds(db, into)).id
  const thread = await lockModeratedThread(db, id)
  if (!thread || thread.companyId === companyId) return
  if (companyId) await lockCompany(db, companyId, 'bad-request')
  await db.query(
    sql`update threads set company_id = ${companyId}, merged_from = null where id = ${id}`,
  )
  if (thread.hidden === null) {
    const moved = [
      { to: thread.companyId, by: -1 },
      { to: companyId, by: 1 },
    ]
    // Everyone locks in the same order, so two moves in opposite directions can't deadlock.
    moved.sort((a, b) => (a.to ?? '').localeCompare(b.to ?? ''))
    for (const { to, by } of moved)
      await countPosts(db, to, { threads: by, comments: by * thread.comments })
  }
  broadcastThreadChange(db, id)
}

/** The caller's own hidden threads. */
async function hiddenThreadsOf(ctx: Ctx) {
  const ids = await hiddenIds(ctx, OWN_THREADS, sql`threads where hidden is not null`)
  return viewThreads(ctx.db, sql`thread.id = any (${ids}::uuid[])`)
}

async function hiddenCommentsOf(ctx: Ctx) {
  const ids = await hiddenIds(ctx, OWN_COMMENTS, sql`comments where hidden is not null`)
  return viewComments(ctx.db, sql`comment.id = any (${ids}::uuid[])`)
}

async function hiddenIds(ctx: Ctx, ownTable: OwnRowTable, hidden: Sql) {
  const root = rootOf(ctx)
  if (!root) return []
  const rows = await allOwnRows<{ id: string }>(
    ctx.db,
    ownTable,
    root,
    (own) =>
      sql`select id from ${own} own join (select id, own_row_key from ${hidden}) post using (own_row_key)`,
  )
  return rows.map(({ id }) => id)
}

interface RawPost extends Omit<PostView, 'thread' | 'href' | 'company' | 'author'> {
  threadId: string
  title: string
  authorName: string
  isVisitor: boolean
  company: { id: string; name: string; slug: string | null } | null
}

const ofThread = sql`
  thread.id as "threadId", thread.title, thread.is_locked as "isLocked",
  thread.is_pinned as "isPinned",
  (select json_build_object('id', company.id, 'name', company.name, 'slug', company.slug)
     from companies company where company.id = thread.company_id) as company`

const ofPost = (post: Sql) => sql`
  ${post}.id, ${post}.author_name as "authorName", ${post}.is_visitor as "isVisitor", ${post}.html,
  ${isoOf(sql`${post}.posted_minute`)} as "postedAt", ${post}.hidden,
  ${post}.hidden_reason as "hiddenReason"`

async function viewThreads(db: Database, condition: Sql) {
  const rows = await db.query<RawPost>(sql`
    select ${ofPost(sql`thread`)}, ${ofThread} from threads thread
     where ${condition} order by thread.posted_minute desc, thread.id desc`)
  return rows.map((row) => viewOf(row, ''))
}

async function viewComments(db: Database, condition: Sql) {
  const rows = await db.query<RawPost>(sql`
    select ${ofPost(sql`comment`)}, ${ofThread}
      from comments comment join threads thread on thread.id = comment.thread_id
     where ${condition} and not comment.is_deleted
     order by comment.posted_minute desc, comment.id desc`)
  return rows.map((row) => viewOf(row, `#comment-${row.id}`))
}

function viewOf(row: RawPost, hash: string): PostView {
  const { threadId, title, authorName, isVisitor, company, ...post } = row
  const path = threadPath({ id: threadId, title })
  return {
    ...post,
    thread: { id: threadId, title, path },
    href: path + hash,
    company: company && { id: company.id, name: company.name, path: companyPath(company) },
    author: { name: authorName, isVisitor },
  }
}
