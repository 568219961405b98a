/** Reads comments: first a thread's order, then the texts of one page. */

import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { badgeOfPost, type RawBadge, shownBadge } from '#app/companies/badges/post-badges.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { isSameAs, requireSameText } from '#app/platform/database/idempotency.server.ts'
import { foreignCursor } from '#app/platform/database/keyset.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import type { Comment } from '../discussion.contract.ts'
import { type CommentSort, POST_REFUSALS, threadPath } from '../discussion.ts'
import { isSameKey, OWN_COMMENTS, ownPage, ownThreadKey } from '../posts/own-posts.server.ts'
import { type Hiding, hidingOfComment } from '../posts/post-rules.server.ts'
import { isoOf } from '../threads/thread-queries.server.ts'
import { shownScore } from '../votes/vote-counts.server.ts'
import { branchIn, type CommentOrders, createCommentOrders } from './comment-orders.server.ts'

const PAGE = 100

/**
 * A page of comments in reading order. @throws Refusal not-found, held, gone; bad-request for another thread's page
 * marker
 */
export async function commentsPage(
  ctx: Ctx,
  threadId: string,
  { sort, below, after }: { sort: CommentSort; below?: string; after?: string },
  orders: CommentOrders = createCommentOrders(),
) {
  const whole = await orders.of(ctx.db, threadId, sort)
  const ordered = below === undefined ? whole : branchIn(whole, below)
  if (!ordered) throw notFound(POST_REFUSALS.noComment)
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && from === 0) throw foreignCursor()
  const page = ordered.slice(from, from + PAGE)
  return {
    comments: await withText(ctx, threadId, page),
    next: from + PAGE < ordered.length ? (page.at(-1)?.id ?? null) : null,
  }
}

interface CommentText extends Hiding {
  id: string
  parentId: string | null
  authorName: string
  isVisitor: boolean
  badge: RawBadge | null
  isOp: boolean
  html: string
  postedAt: string
  isEdited: boolean
  isDeleted: boolean
  score: number
}

const commentColumns = sql`
  comment.id, comment.parent_id as "parentId", comment.author_name as "authorName",
  comment.is_visitor as "isVisitor", comment.key = thread.key as "isOp",
  comment.html, ${isoOf(sql`comment.posted_minute`)} as "postedAt", comment.is_edited as "isEdited",
  comment.is_deleted as "isDeleted", ${shownScore(sql`comment`)} as score, ${hidingOfComment},
  ${badgeOfPost(sql`comment`)}`

async function withText(
  ctx: Ctx,
  threadId: string,
  page: { id: string; depth: number; replies: number }[],
): Promise<Comment[]> {
  const rows = await ctx.db.query<CommentText>(
    sql`
    select ${commentColumns}
      from comments comment cross join (select key from threads where id = ${threadId}) thread
     where comment.id = any (${page.map(({ id }) => id)}::uuid[])`,
    PREPARED,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return page.flatMap(({ id, depth, replies }) => {
    const row = byId.get(id)
    return row ? [viewOf(row, depth, replies)] : []
  })
}

/** What a deleted or hidden comment shows: nothing about its author. */
const STUB = { author: null, badge: null, isOp: false, isEdited: false, html: '', score: 0 }

function viewOf(
  { authorName, isVisitor, badge, hidden, hiddenReason, ...comment }: CommentText,
  depth: number,
  replies: number,
): Comment {
  const isStub = comment.isDeleted || hidden !== null
  return {
    ...comment,
    author: { name: authorName, isVisitor },
    badge: shownBadge(badge),
    ...(isStub ? STUB : {}),
    removal: hidden && { state: hidden, reason: hiddenReason },
    depth,
    replies,
  }
}

/** 0 at the top. */
export const depthOf = (id: Sql) => sql`(
  with recursive line as (
    select parent_id as id from comments where id = ${id}
    union all
    select above.parent_id from comments above join line on above.id = line.id)
  select count(id)::integer from line)`

type Written = Pick<
  CommentText,
  'id' | 'parentId' | 'authorName' | 'isVisitor' | 'badge' | 'isOp' | 'html'
>

/** A comment that's just being written, so nothing about it can have changed yet. */
export const freshComment = (written: Written, minute: number, depth: number): Comment =>
  viewOf(
    {
      ...written,
      postedAt: new Date(minute * 60_000).toISOString().replace(':00.000Z', 'Z'),
      isEdited: false,
      isDeleted: false,
      score: 0,
      hidden: null,
      hiddenReason: null,
    },
    depth,
    0,
  )

/** What was sent under this key before. @throws Refusal idempotency-key-used if that was another text */
export async function sentComment(
  { db }: Ctx,
  { idempotencyKey, hash }: { idempotencyKey: string; hash: Buffer },
): Promise<Comment | undefined> {
  const [row] = await db.query<CommentText & { depth: number; isSame: boolean }>(
    sql`
    select ${commentColumns}, ${depthOf(sql`comment.id`)} as depth,
           ${isSameAs(hash, sql`comment.sent_hash`)}
      from comments comment join threads thread on thread.id = comment.thread_id
     where comment.idempotency_key = ${idempotencyKey}`,
    PREPARED,
  )
  if (!row) return undefined
  const { depth, isSame, ...comment } = row
  requireSameText({ isSame })
  return viewOf(comment, depth, 0)
}

/** A comment's source, for its author. @throws Refusal not-found, also for anyone else's */
export async function commentSource(ctx: Ctx, id: string) {
  const [comment] = await ctx.db.query<{ body: string; threadId: string; key: Uint8Array }>(sql`
    select body, thread_id as "threadId", key from comments where id = ${id} and not is_deleted`)
  if (!comment || !isSameKey(comment.key, ownThreadKey(ctx, comment.threadId)))
    throw notFound(POST_REFUSALS.noComment)
  return { body: comment.body }
}

/** The caller's comments, newest first, without hidden ones. */
export async function myComments(ctx: Ctx, after?: string) {
  const { rows, next } = await ownPage<{
    id: string
    html: string
    postedAt: string
    score: number
    threadId: string
    title: string
    number: number
  }>(
    ctx,
    OWN_COMMENTS,
    after,
    (own, newest) => sql`
      select comment.id, comment.html, ${isoOf(sql`comment.posted_minute`)} as "postedAt",
             ${shownScore(sql`comment`)} as score, thread.id as "threadId", thread.title, own.number
        from ${own} own join comments comment using (own_row_key)
        join threads thread on thread.id = comment.thread_id
       where not comment.is_deleted and comment.hidden is null and thread.hidden is null ${newest}`,
  )
  return {
    comments: rows.map(({ threadId, title, ...comment }) => ({
      ...comment,
      thread: { id: threadId, title, path: threadPath({ id: threadId, title }) },
    })),
    next,
  }
}
