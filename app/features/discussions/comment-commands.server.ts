/** Writes of comments: permit, check, write. Counters follow in the same transaction. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { transaction } from '../../server/context.server.ts'
import { badRequest, notFound, Refusal } from '../../server/refusal.ts'
import { freshComment } from './comment-queries.server.ts'
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
import { demandWriter, nameInThread, sendingMark, tellOfPost } from './posting.server.ts'
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
    const { db } = ctx
    const authorKey = await demandWriter(ctx)
    const body = cleanComment(comment.body)
    const mark = sendingMark(ctx, authorKey, comment.sending)
    // Taking the thread first: whoever deletes or locks it waits, or is waited for.
    const [taken] = await db.query<
      Hiding & { place: number; companyId: string | null; isLocked: boolean }
    >(sql`
      update threads thread
         set comments = comments + 1, last_place = last_place + 1, is_answered = true
       where id = ${threadId}
      returning last_place as place, company_id as "companyId", is_locked as "isLocked",
                ${hidingOfThread}`)
    const thread = demandShown(taken)
    if (thread.isLocked) throw new Refusal('conflict', 'This thread is locked')
    const [sent] = await db.query<{ id: string }>(
      sql`select id from comments where sending = ${mark}`,
    )
    if (sent) {
      await db.query(sql`update threads set comments = comments - 1 where id = ${threadId}`)
      return freshComment(ctx, sent.id)
    }
    await demandParent(ctx, threadId, comment.parentId)
    const id = randomUUID()
    const name = await nameInThread(ctx, threadId, comment.name)
    await db.query(sql`
      insert into comments (id, thread_id, parent_id, author_key, author_name, is_visitor, body,
                            html, posted_minute, place, sending)
      values (${id}, ${threadId}, ${comment.parentId ?? null}, ${authorKey}, ${name},
              ${ctx.actor.account === null}, ${body}, ${renderMarkdown(body).html},
              ${minuteOf(ctx.now())}, ${thread.place}, ${mark})`)
    if (thread.companyId)
      await db.query(sql`
        update company_stats set comments = comments + 1, recent_comments = recent_comments + 1
         where company_id = ${thread.companyId}`)
    await tellOfPost(ctx, { kind: 'comment', id })
    await tellOfChange(db, threadId)
    return freshComment(ctx, id)
  })

/** @throws Refusal bad-request for a text in which nothing is left */
function cleanComment(text: string) {
  const body = cleanText(text)
  if (body.trim() === '') throw badRequest('Please write something first')
  return body
}

async function demandParent({ db }: Ctx, threadId: string, parentId: string | undefined) {
  if (parentId === undefined) return
  const [parent] = await db.query<{ isDeleted: boolean; isHidden: boolean }>(sql`
    select is_deleted as "isDeleted", hidden is not null as "isHidden" from comments
     where id = ${parentId} and thread_id = ${threadId} for key share`)
  if (!parent || parent.isDeleted)
    throw new Refusal('conflict', 'The comment that you answer was deleted')
  if (parent.isHidden) throw new Refusal('conflict', 'The comment that you answer was removed')
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
    await tellOfChange(ctx.db, comment.threadId)
    return { html, isEdited: changed?.isEdited ?? true }
  })

/** A comment that was answered leaves a stub without words and without name. */
export const deleteComment = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const comment = await lockComment(ctx, id)
    if (!may.deleteComment(ctx.actor, comment)) throw new Refusal('forbidden', ONLY_OWN_POSTS)
    const removed = await removeComment(ctx.db, id)
    await tellOfChange(ctx.db, comment.threadId)
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
