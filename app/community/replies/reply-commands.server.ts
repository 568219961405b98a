/** We don't store who at the company wrote a reply, and nothing here knows who wrote the post or note. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { ACCESS_REFUSALS, forbiddenFor, may } from '#app/api/auth/permissions.ts'
import { actsFor } from '#app/companies/claims/claim-queries.server.ts'
import { lockRightToActFor } from '#app/companies/claims/claim-rules.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { tidyText } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { type Event, emit, transaction } from '#app/platform/database/server-context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { changedMeanwhile, conflict, notFound } from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { POST_REFUSALS } from '../discussions/discussion.ts'
import {
  type Hiding,
  hidingOfThread,
  requireStillVisible,
  requireUnlocked,
} from '../discussions/posts/post-rules.server.ts'
import { checkedMarkdown } from '../discussions/posts/posting.server.ts'
import type { CompanyReply } from './reply.contract.ts'
import { COMPANY_REPLY_REFUSALS, replyProblem } from './reply.ts'
import { replyById } from './reply-queries.server.ts'

/** A task: tells a thread's author of a company's first reply, after the commit. */
export const COMPANY_REPLIED_TASK: TaskKind<CompanyReplied> = 'company-replied'
/** Notes have none, because nothing leads from a note to its author. */
export interface CompanyReplied {
  threadId: string
  replyId: string
}

/** A reply below a thread or a company's ratings changed. */
export const COMPANY_REPLY_CHANGED: Event<{ companyId: string; threadId: string | null }> = {
  name: 'reply-changed',
}

interface Answered {
  companyId: string
  threadId: string | null
  noteId: string | null
}

/**
 * If the same text is sent again, returns the reply that exists.
 * @throws Refusal sign-in-required, forbidden, not-found, bad-request; conflict if the thread is locked, hidden or
 * about no company, or the company has already replied
 */
export async function replyToThread(ctx: Ctx, threadId: string, sent: string) {
  const text = checkedReply(sent)
  return transaction(ctx, async (ctx) => {
    const [thread] = await ctx.db.query<{ companyId: string | null }>(
      sql`select company_id as "companyId" from threads where id = ${threadId}`,
    )
    if (!thread) throw notFound(POST_REFUSALS.noThread)
    const { companyId } = thread
    if (companyId === null) throw conflict(COMPANY_REPLY_REFUSALS.ofNoCompany)
    return reply(ctx, { companyId, threadId, noteId: null }, text)
  })
}

/** @throws Refusal as `replyToThread`; conflict for a note that is hidden */
export async function replyToNote(ctx: Ctx, noteId: string, sent: string) {
  const text = checkedReply(sent)
  return transaction(ctx, async (ctx) => {
    const [note] = await ctx.db.query<{ companyId: string }>(
      sql`
      select company_id as "companyId" from public_ratings where id = ${noteId} and note <> ''
      union all
      select company_id from public_interviews where id = ${noteId} and note <> ''`,
    )
    if (!note) throw notFound(COMPANY_REPLY_REFUSALS.noNote)
    return reply(ctx, { companyId: note.companyId, threadId: null, noteId }, text)
  })
}

async function reply(
  ctx: Ctx,
  about: Answered,
  { body, html }: ReturnType<typeof checkedReply>,
): Promise<CompanyReply> {
  const { db } = ctx
  const companyId = await lockRightToActFor(ctx, about.companyId)
  const answered = { ...about, companyId }
  const { threadId, noteId } = answered
  await lockAnswered(db, answered)
  const minute = minuteFor(ctx, answered)
  const [added] = await db.query<{ id: string }>(sql`
    insert into company_replies
      (company_id, thread_id, note_id, body, html, first_minute, written_minute)
    values (${companyId}, ${threadId}, ${noteId}, ${body}, ${html}, ${minute},
            ${minute})
    on conflict do nothing returning id`)
  if (!added) return sentBefore(ctx, answered, body)
  await emit(ctx, COMPANY_REPLY_CHANGED, answered)
  if (threadId !== null)
    await ctx.queue.enqueue(db, COMPANY_REPLIED_TASK, {
      threadId,
      replyId: added.id,
    })
  return replyById(ctx, added.id)
}

/** @throws Refusal conflict if the company already said something else */
async function sentBefore(ctx: Ctx, { companyId, threadId, noteId }: Answered, body: string) {
  const [sent] = await ctx.db.query<{ id: string }>(sql`
    select id from company_replies
     where company_id = ${companyId} and body = ${body}
       and (thread_id = ${threadId} or note_id = ${noteId})`)
  if (!sent) throw conflict(COMPANY_REPLY_REFUSALS.replied)
  return replyById(ctx, sent.id)
}

/**
 * The earlier text moves to the history. @param change with the version it edits, so nothing newer is overwritten
 * @throws Refusal sign-in-required, forbidden, not-found, bad-request, conflict
 */
export async function changeCompanyReply(
  ctx: Ctx,
  id: string,
  change: { text: string; version: number },
) {
  const { body, html } = checkedReply(change.text)
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const about = await answeredBy(db, id)
    const answered = { ...about, companyId: await lockRightToActFor(ctx, about.companyId) }
    await lockAnswered(db, answered)
    const [before] = await db.query<{ body: string; version: number; isHidden: boolean }>(sql`
      select body, version, hidden is not null as "isHidden"
        from company_replies where id = ${id} for update`)
    if (!before) throw notFound(COMPANY_REPLY_REFUSALS.notFound)
    if (before.isHidden) throw conflict(COMPANY_REPLY_REFUSALS.underReview)
    if (before.body !== body) {
      if (before.version !== change.version) throw changedMeanwhile(COMPANY_REPLY_REFUSALS.changed)
      await db.query(sql`
        insert into company_reply_versions (reply_id, version, body, html, written_minute)
        select id, version, body, html, written_minute from company_replies where id = ${id}`)
      await db.query(sql`
        update company_replies
           set body = ${body}, html = ${html}, version = version + 1,
               written_minute = ${minuteFor(ctx, answered)}
         where id = ${id}`)
      await emit(ctx, COMPANY_REPLY_CHANGED, answered)
    }
    return replyById(ctx, id)
  })
}

/**
 * Works in locked and hidden threads, too, because a company may always remove its own text. An administrator's removal
 * is logged.
 * @throws Refusal sign-in-required, forbidden, not-found
 */
export const removeCompanyReply = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const answered = await answeredBy(db, id)
    if (!may.removeReplies(ctx.actor) && !(await actsFor(ctx, answered.companyId)))
      throw forbiddenFor(ctx.actor, ACCESS_REFUSALS.employer)
    const removed = await db.query(
      sql`delete from company_replies where id = ${id} returning company_id`,
    )
    if (removed.length === 0) throw notFound(COMPANY_REPLY_REFUSALS.notFound)
    if (may.removeReplies(ctx.actor))
      await logAdminAct(ctx, {
        action: 'remove-company-reply',
        subject: answered.companyName,
        companyId: answered.companyId,
      })
    await emit(ctx, COMPANY_REPLY_CHANGED, answered)
    return { isRemoved: true as const }
  })

/** A note's reply goes with the note's text. The caller publishes the change. */
export const removeCompanyRepliesTo = (db: Database, noteIds: string[]) =>
  db.query(sql`delete from company_replies where note_id = any (${noteIds}::uuid[])`)

/** @throws Refusal bad-request */
function checkedReply(text: string) {
  const body = tidyText(text)
  return checkedMarkdown(body, replyProblem(body), COMPANY_REPLY_REFUSALS.noWords)
}

/** @throws Refusal not-found */
async function answeredBy(db: Database, id: string): Promise<Answered & { companyName: string }> {
  const [reply] = await db.query<Answered & { companyName: string }>(sql`
    select reply.company_id as "companyId", thread_id as "threadId", note_id as "noteId",
           company.name as "companyName"
      from company_replies reply join companies company on company.id = reply.company_id
     where reply.id = ${id}`)
  if (!reply) throw notFound(COMPANY_REPLY_REFUSALS.notFound)
  return reply
}

/** A note only has a month, so its reply doesn't have a finer time either. S16. */
function minuteFor({ now }: Pick<Ctx, 'now'>, { noteId }: Answered) {
  if (noteId === null) return minuteOf(now())
  return minuteOf(new Date(`${now().toISOString().slice(0, 7)}-01T00:00Z`))
}

/**
 * Until the transaction ends, no one can lock, hide, move or delete the thread or note it replies to.
 * @throws Refusal not-found, conflict
 */
const lockAnswered = (db: Database, { companyId, threadId, noteId }: Answered) =>
  threadId === null ? lockOpenNote(db, noteId) : lockOpenThread(db, threadId, companyId)

async function lockOpenThread(db: Database, threadId: string, companyId: string) {
  const [thread] = await db.query<Hiding & { companyId: string | null; isLocked: boolean }>(sql`
    select company_id as "companyId", is_locked as "isLocked", ${hidingOfThread}
      from threads thread where id = ${threadId} for share`)
  if (!thread) throw notFound(POST_REFUSALS.noThread)
  requireStillVisible(thread, 'thread')
  if (thread.companyId !== companyId) throw conflict(COMPANY_REPLY_REFUSALS.moved)
  requireUnlocked(thread)
}

async function lockOpenNote(db: Database, noteId: string | null) {
  const [note] = await db.query<Pick<Hiding, 'hidden'>>(sql`
    select note_hidden as hidden from (
      select note_hidden from public_ratings where id = ${noteId} and note <> '' for share) rated
    union all
    select note_hidden from (
      select note_hidden from public_interviews where id = ${noteId} and note <> '' for share) told`)
  if (!note) throw notFound(COMPANY_REPLY_REFUSALS.noNote)
  requireStillVisible(note, 'note')
}
