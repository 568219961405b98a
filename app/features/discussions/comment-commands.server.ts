/** Writes of comments: permit, check, write. Counters follow in the same transaction. */
import { randomUUID } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { transaction } from '../../server/context.server.ts'
import { badRequest, notFound, Refusal } from '../../server/refusal.ts'
import { type Suspension, suspensionQuery } from '../moderation/suspension-queries.server.ts'
import { depthOf, freshComment, sentComment } from './comment-queries.server.ts'
import type { Comment } from './discussion.contract.ts'
import { minuteOf, type NameChoice, ONLY_OWN_POSTS } from './discussion.ts'
import {
  demandOpen,
  demandShown,
  demandShownThread,
  type Hiding,
  hidingOfComment,
  hidingOfThread,
} from './hidden-posts.server.ts'
import { tellOfChange } from './live.server.ts'
import { renderMarkdown } from './markdown.server.ts'
import {
  demandAuthor,
  demandUnsuspended,
  demandWriter,
  NO_NAME,
  namings,
  sendingMark,
  tellingOfPost,
} from './posting.server.ts'
import { removeComment } from './removal.server.ts'
import { cleanText } from './text.ts'

const COMMENT_NOT_FOUND = 'This comment does not exist'

export interface NewComment {
  body: string
  parentId?: string
  name: NameChoice
  sending: string
}

/**
 * Twice sent is one comment.
 * @throws Refusal not-found, gone, forbidden, conflict for a locked thread, bad-request
 */
export const addComment = (ctx: Ctx, threadId: string, comment: NewComment) =>
  transaction(ctx, async (ctx) => {
    const authorKey = demandAuthor(ctx)
    const body = cleanComment(comment.body)
    const mark = sendingMark(ctx, authorKey, comment.sending)
    const thread = await takeThread(ctx, threadId, authorKey)
    if (thread.isLocked) throw new Refusal('conflict', 'This thread is locked')
    // A reply that was sent before may answer what is gone since.
    const sentReply = comment.parentId && (await sentComment(ctx, mark))
    if (sentReply) return uncounted(ctx, threadId, sentReply)
    const depth = await demandParent(ctx, threadId, comment.parentId)
    const written = {
      id: randomUUID(),
      parentId: comment.parentId ?? null,
      isVisitor: ctx.actor.account === null,
      isOp: thread.isOp,
      html: renderMarkdown(body).html,
    }
    const minute = minuteOf(ctx.now())
    for (const named of namings(ctx, threadId, comment.name)) {
      const authorName = await insertComment(ctx, thread, named, {
        ...written,
        body,
        authorKey,
        minute,
        mark,
      })
      if (authorName !== undefined) {
        tellOfChange(ctx.db, threadId)
        return freshComment({ ...written, authorName }, minute, depth)
      }
      const sent = await sentComment(ctx, mark)
      if (sent) return uncounted(ctx, threadId, sent)
    }
    throw new Error(NO_NAME)
  })

interface TakenThread extends Hiding {
  id: string
  companyId: string | null
  isLocked: boolean
  isOp: boolean
  /** Of the comment that is about to come. */
  place: number
}

/**
 * The thread, with one more comment. Taking it first: whoever deletes or locks it waits, or is waited
 * for. Each statement costs as much as a bare insert, so this one asks about the author, too.
 * @throws Refusal not-found, gone, forbidden
 */
async function takeThread({ db, now }: Ctx, id: string, authorKey: string): Promise<TakenThread> {
  const [found] = await db.query<{
    thread: TakenThread | null
    suspension: Suspension | null
  }>(
    sql`
    with taken as (
      update threads thread
         set comments = comments + 1, last_place = last_place + 1, is_answered = true
       where id = ${id}
      returning id, last_place as place, company_id as "companyId", is_locked as "isLocked",
                author_key = ${authorKey} as "isOp", ${hidingOfThread})
    select (select to_json(taken) from taken) as thread,
           (select to_json(kept) from (${suspensionQuery({ now }, authorKey)}) kept) as suspension`,
    { name: 'take thread' },
  )
  demandUnsuspended(found?.suspension)
  return demandShown(found?.thread ?? undefined)
}

/**
 * Adds the comment and all that comes with it: its author's name, its company's count, its job.
 * Answers the name; undefined where this one was taken, or this sending is a comment already.
 */
async function insertComment(
  ctx: Ctx,
  thread: TakenThread,
  named: Sql,
  comment: {
    id: string
    parentId: string | null
    authorKey: string
    isVisitor: boolean
    body: string
    html: string
    minute: number
    mark: string
  },
): Promise<string | undefined> {
  const { id, parentId, authorKey, isVisitor, body, html, minute, mark } = comment
  const [added] = await ctx.db.query<{ authorName: string }>(
    sql`
    with ${named},
    added as (
      insert into comments (id, thread_id, parent_id, author_key, author_name, is_visitor, body,
                            html, posted_minute, place, sending)
      select ${id}, ${thread.id}, ${parentId}, ${authorKey}, name, ${isVisitor}, ${body},
             ${html}, ${minute}, ${thread.place}, ${mark} from named
      on conflict (sending) do nothing returning author_name),
    counted as (
      update company_stats set comments = comments + 1, recent_comments = recent_comments + 1
       where company_id = ${thread.companyId} and exists (select from added)),
    queued as (${tellingOfPost(ctx, { kind: 'comment', id }, sql`added`)})
    select author_name as "authorName" from added`,
    { name: 'insert comment' },
  )
  return added?.authorName
}

/** A comment that came before: taking its thread counted it once more. */
async function uncounted({ db }: Ctx, threadId: string, sent: Comment) {
  await db.query(sql`update threads set comments = comments - 1 where id = ${threadId}`)
  return sent
}

/** @throws Refusal bad-request for a text in which nothing is left */
function cleanComment(text: string) {
  const body = cleanText(text)
  if (body.trim() === '') throw badRequest('Please write something first')
  return body
}

/** The depth of a comment that answers this one. @throws Refusal conflict */
async function demandParent({ db }: Ctx, threadId: string, parentId: string | undefined) {
  if (parentId === undefined) return 0
  const [parent] = await db.query<{ isDeleted: boolean; isHidden: boolean; depth: number }>(
    sql`
    select is_deleted as "isDeleted", hidden is not null as "isHidden",
           ${depthOf(sql`parent.id`)} as depth
      from comments parent
     where id = ${parentId} and thread_id = ${threadId} for key share`,
    { name: 'parent' },
  )
  if (!parent || parent.isDeleted)
    throw new Refusal('conflict', 'The comment that you answer was deleted')
  if (parent.isHidden) throw new Refusal('conflict', 'The comment that you answer was removed')
  return parent.depth + 1
}

/** @throws Refusal not-found, gone, forbidden, conflict for what is locked or hidden */
export const editComment = (ctx: Ctx, id: string, text: string) =>
  transaction(ctx, async (ctx) => {
    const comment = await lockComment(ctx, id)
    if (!may.edit(ctx.actor, comment))
      throw new Refusal('forbidden', 'Only its author can change a comment')
    await demandWriter(ctx)
    await demandShownThread(ctx.db, comment.threadId)
    demandOpen(comment, 'comment')
    if (comment.isLocked) throw new Refusal('conflict', 'This thread is locked')
    const body = cleanComment(text)
    const { html } = renderMarkdown(body)
    const [changed] = await ctx.db.query<{ isEdited: boolean }>(sql`
      update comments set html = ${html}, is_edited = is_edited or body <> ${body}, body = ${body}
       where id = ${id} returning is_edited as "isEdited"`)
    // Moderators cleared other words than these: reports may hold it again.
    if (body !== comment.body)
      await ctx.db.query(sql`
        update moderation_cases set is_cleared = false where comment_id = ${id} and is_cleared`)
    tellOfChange(ctx.db, comment.threadId)
    return { html, isEdited: changed?.isEdited ?? true }
  })

/** A comment that was answered leaves a stub without words and without name. */
export const deleteComment = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const comment = await lockComment(ctx, id)
    if (!may.deleteComment(ctx.actor, comment)) throw new Refusal('forbidden', ONLY_OWN_POSTS)
    const removed = await removeComment(ctx.db, id)
    tellOfChange(ctx.db, comment.threadId)
    return removed
  })

/** The comment, its thread taken first as every writer does. @throws Refusal not-found */
async function lockComment({ db, actor }: Ctx, id: string) {
  await db.query(sql`
    select from threads where id = (select thread_id from comments where id = ${id}) for update`)
  const [comment] = await db.query<
    Hiding & { threadId: string; body: string; isLocked: boolean; isMine: boolean | null }
  >(sql`
    select thread.id as "threadId", thread.is_locked as "isLocked", comment.body,
           ${hidingOfComment}, comment.author_key = ${actor.authorKey} as "isMine"
      from comments comment join threads thread on thread.id = comment.thread_id
     where comment.id = ${id} and not comment.is_deleted`)
  if (!comment) throw notFound(COMMENT_NOT_FOUND)
  return { ...comment, isMine: comment.isMine === true }
}
