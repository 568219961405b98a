import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  type PredictedRowKey,
  predictedRowKey,
  retryTakenNumbers,
} from '#app/api/auth/numbered-rows.server.ts'
import { forbiddenFor, may } from '#app/api/auth/permissions.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import type { PersonRoot } from '#app/api/auth/roots.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { PostBadge } from '#app/companies/badges/badge.contract.ts'
import { checkedBadge, type PostedBadge } from '#app/companies/badges/badge-rules.server.ts'
import { badgeOfPost, type RawBadge } from '#app/companies/badges/post-badges.server.ts'
import { requireUnchanged } from '#app/kit/writing/edit-conflict.server.ts'
import { cleanText } from '#app/kit/writing/text.ts'
import {
  type Database,
  isForeignKeyViolation,
  isUniqueViolation,
  PREPARED,
} from '#app/platform/database/database.server.ts'
import { emit, transaction } from '#app/platform/database/server-context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { broadcastAnswerChange } from '#app/platform/http/answer-cache.server.ts'
import { forbidden, notFound } from '#app/platform/http/refusal.ts'
import { isOutcomeUnknown } from '#app/platform/http/unavailable.ts'
import { POST_REWORDED } from '../../reports/post-moderation.server.ts'
import type { Comment } from '../discussion.contract.ts'
import { commentProblem, type NameChoice, POST_REFUSALS, TEXT_PROBLEMS } from '../discussion.ts'
import { broadcastThreadChange } from '../live/live.server.ts'
import {
  isSameKey,
  OWN_COMMENTS,
  ownThreadKey,
  sealAuthor,
  sealNamed,
  threadKey,
} from '../posts/own-posts.server.ts'
import {
  type Hiding,
  hidingOfComment,
  requireStillVisible,
  requireUnlocked,
  requireVisibleThread,
  requireWriter,
} from '../posts/post-rules.server.ts'
import {
  checkedMarkdown,
  namingIn,
  ownIdempotencyKey,
  queuingPostAdded,
  sentHash,
} from '../posts/posting.server.ts'
import { removeComment } from '../posts/removal.server.ts'
import { depthOf, freshComment, sentComment } from './comment-queries.server.ts'
import {
  allHold,
  newCommentRules,
  parentDeleted,
  requireRules,
  threadRules,
} from './comment-rules.server.ts'

export interface NewComment {
  body: string
  parentId?: string
  name: NameChoice
  idempotencyKey: string
  badge?: PostBadge | undefined
}

/** How many pseudonyms we try at a time, because a thread of thousands has taken some. */
const PSEUDONYMS_MAX = 1_000
const PSEUDONYMS_AT_ONCE = 10

/**
 * Adds a comment, only once if it's sent twice. One statement checks, writes and commits. The thread's row lock
 * orders it with deletes and locks.
 * @throws Refusal suspended, not-found, held, gone, bad-request (also for an
 * unproven badge); conflict for a locked thread, a parent that's gone or a badge of another domain; too-many in slow mode;
 * idempotency-key-used for another text under the same key
 * @throws Unavailable when too many badges wait to be verified
 */
export async function addComment(
  ctx: Ctx,
  threadId: string,
  comment: NewComment,
  issuer: Pick<Issuer, 'verify'>,
): Promise<Comment> {
  const { body, html } = checkedComment(comment.body)
  const person = requirePersonRoot(ctx)
  const key = threadKey(person.root, threadId)
  const { username, pseudonym } = namingIn(ctx, threadId, person, comment.name)
  const id = randomUUID()
  const badge = await checkedBadge(ctx, { ...comment, title: '' }, issuer)
  const written = {
    id,
    threadId,
    parentId: comment.parentId ?? null,
    person,
    key,
    personSealed: sealAuthor(ctx.secrets, id, person),
    sealedNamed: sealNamed(ctx.secrets, key, person),
    username,
    isVisitor: ctx.actor.account === null,
    body,
    html,
    minute: minuteOf(ctx.now()),
    idempotencyKey: ownIdempotencyKey(person, comment.idempotencyKey),
    hash: sentHash(person, comment.idempotencyKey, [
      threadId,
      comment.parentId ?? null,
      body,
      comment.name,
      badge,
    ]),
    badge,
  }
  try {
    return await retryTakenNumbers(OWN_COMMENTS, () => addOnce(ctx, written, pseudonym))
  } catch (error) {
    if (isOutcomeUnknown(error)) broadcastThreadChange(ctx.db, threadId)
    if (isForeignKeyViolation(error) && error.constraint === 'comments_parent_id_fkey')
      throw parentDeleted()
    // If it's sent twice at the same moment, the first one wins.
    const sent = isUniqueViolation(error) ? await sentComment(ctx, written) : undefined
    if (!sent) throw error
    return sent
  }
}

async function addOnce(
  ctx: Ctx,
  written: Omit<WrittenComment, 'pseudonyms' | 'number'>,
  pseudonym: (attempt: number) => string,
): Promise<Comment> {
  for (let first = 0; first < PSEUDONYMS_MAX; ) {
    const number = await predictedRowKey(ctx.db, OWN_COMMENTS, written.person.root)
    const pseudonyms = Array.from({ length: PSEUDONYMS_AT_ONCE }, (_, n) => pseudonym(first + n))
    // Repeated until the comment is written or refused, no matter what happens in between.
    number.invalidate()
    const added = await insertComment(ctx, { ...written, number, pseudonyms })
    if (added) {
      number.markTaken()
      return added
    }
    // The comment was refused, sent before or cached wrongly, or all these names are taken.
    await requireRules(ctx.db, written.threadId, threadRules(ctx, written.person))
    // If this reply was sent before, its parent may be gone by now.
    const sent = await sentComment(ctx, written)
    if (sent) return sent
    await requireRules(ctx.db, written.threadId, newCommentRules(written))
    if (number.isFreshlyCounted) first += PSEUDONYMS_AT_ONCE
  }
  throw new Error('Found no free pseudonym')
}

interface WrittenComment {
  id: string
  threadId: string
  parentId: string | null
  person: PersonRoot
  /** Derived from the author, the thread and the comment's number. */
  key: Buffer
  number: PredictedRowKey
  personSealed: Buffer
  sealedNamed: Buffer
  username: string | null
  /** The author gets the first free one. */
  pseudonyms: string[]
  isVisitor: boolean
  body: string
  html: string
  minute: number
  idempotencyKey: string
  hash: Buffer
  badge: PostedBadge | null
}

/**
 * Adds the comment and everything that depends on it: counts, its author's name, its task. If that isn't allowed, was done
 * before, or no pseudonym is free, it returns nothing and changes nothing.
 */
async function insertComment(ctx: Ctx, comment: WrittenComment): Promise<Comment | undefined> {
  const { id, threadId, parentId, key, username, minute, idempotencyKey, person } = comment
  const rules = [...threadRules(ctx, person), ...newCommentRules(comment)]
  const [added] = await retriedForNames(() =>
    ctx.db.query<{
      authorName: string
      badge: RawBadge | null
      isOp: boolean
      companyId: string | null
    }>(
      sql`
      with
      -- The author's name in this thread: the username, or the pseudonym of an earlier post
      known as (
        select ${username}::text as name where ${username}::text is not null
        union all
        select name from thread_names
         where thread_id = ${threadId} and key = ${key} and ${username}::text is null),
      -- Otherwise the first pseudonym that no one has here
      free as (
        select name from unnest(${comment.pseudonyms}::text[]) with ordinality as drawn (name, n)
         where not exists (select from known)
           and not exists (select from thread_names
                            where thread_id = ${threadId} and thread_names.name = drawn.name)
         order by n limit 1),
      -- Takes a position, where the rules allow it and it wasn't sent before. Nothing else happens without it
      taken as (
        update threads set comments = comments + 1, last_place = last_place + 1, is_answered = true
         where id = ${threadId} and ${allHold(rules)}
           and not exists (select from comments where idempotency_key = ${idempotencyKey})
           and ${comment.number.isNext}
           and (exists (select from known) or exists (select from free))
        returning id, last_place as place, company_id, key = ${key} as "isOp"),
      -- Keeps the new pseudonym for this author
      drawn as (
        insert into thread_names (thread_id, key, person_sealed, name)
        select taken.id, ${key}, ${comment.sealedNamed}, free.name from taken, free returning name),
      -- The comment
      added as (
        insert into comments (id, thread_id, parent_id, key, own_row_key, person_sealed, author_name, is_visitor, body,
                              html, posted_minute, place, idempotency_key, sent_hash, badge_domain, badge_company_id)
        select ${id}, taken.id, ${parentId}, ${key}, ${comment.number.ownRowKey}, ${comment.personSealed}, named.name, ${comment.isVisitor},
               ${comment.body}, ${comment.html}, ${minute}, taken.place, ${idempotencyKey}, ${comment.hash},
               ${comment.badge?.domain ?? null}, ${comment.badge?.companyId ?? null}::uuid
          from taken, (select name from known union all select name from drawn) named
        returning author_name as "authorName", ${badgeOfPost(sql`comments`)}),
      -- The company's counters
      counted as (
        update company_stats set comments = comments + 1, recent_comments = recent_comments + 1
         where company_id = (select company_id from taken)),
      -- The job that checks and notifies
      queued as (${queuingPostAdded(ctx, { kind: 'comment', id }, sql`added`)})
      select "authorName", badge, "isOp", company_id as "companyId" from added, taken`,
      PREPARED,
    ),
  )
  if (!added) return undefined
  const { companyId, ...shown } = added
  broadcastThreadChange(ctx.db, threadId)
  if (companyId) broadcastAnswerChange(ctx.db, companyId)
  const { isVisitor, html } = comment
  const depth = parentId === null ? 0 : await depthBelow(ctx.db, parentId)
  return freshComment({ id, parentId, isVisitor, html, ...shown }, minute, depth)
}

/** A separate query, because PostgreSQL would plan a recursion again for each comment. */
async function depthBelow(db: Database, parentId: string) {
  const [{ depth } = { depth: 0 }] = await db.query<{ depth: number }>(
    sql`select ${depthOf(sql`${parentId}::uuid`)} as depth`,
    PREPARED,
  )
  return depth + 1
}

/** Two newcomers can draw the same name at the same moment. The later one draws again. */
async function retriedForNames<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!isUniqueViolation(error) || !error.constraint?.startsWith('thread_names_')) throw error
    }
}

/** @throws Refusal bad-request for a text that shows nothing, or is too long */
function checkedComment(text: string) {
  const body = cleanText(text)
  return checkedMarkdown(body, commentProblem(body), TEXT_PROBLEMS.emptyComment)
}

/**
 * @param before see `requireUnchanged`
 * @throws Refusal not-found, held, gone, forbidden, suspended, conflict for a comment that's locked or hidden, or has a
 * different text by now
 */
export async function editComment(ctx: Ctx, id: string, text: string, before?: string) {
  const { body, html } = checkedComment(text)
  return transaction(ctx, async (ctx) => {
    const comment = await lockComment(ctx, id)
    if (!may.editPost(comment)) throw forbidden(POST_REFUSALS.cannotEditComment)
    await requireWriter(ctx)
    await requireVisibleThread(ctx.db, comment.threadId)
    requireStillVisible(comment, 'comment')
    requireUnlocked(comment)
    requireUnchanged(comment.body, before, body)
    const [changed] = await ctx.db.query<{ isEdited: boolean }>(sql`
      update comments set html = ${html}, is_edited = is_edited or body <> ${body}, body = ${body}
       where id = ${id} returning is_edited as "isEdited"`)
    if (body !== comment.body) await emit(ctx, POST_REWORDED, { kind: 'comment', id })
    broadcastThreadChange(ctx.db, comment.threadId)
    return { html, isEdited: changed?.isEdited ?? true }
  })
}

/** If a comment has replies, it leaves a stub without text or name. */
export const deleteComment = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const comment = await lockComment(ctx, id)
    if (!may.deleteComment(ctx.actor, comment))
      throw forbiddenFor(ctx.actor, POST_REFUSALS.cannotDeleteOthersPosts)
    const removed = await removeComment(ctx, id)
    broadcastThreadChange(ctx.db, comment.threadId)
    return removed
  })

/** Locks the thread first, as every writer does. @throws Refusal not-found */
async function lockComment(ctx: Ctx, id: string) {
  const { db } = ctx
  await db.query(sql`
    select from threads where id = (select thread_id from comments where id = ${id}) for update`)
  const [comment] = await db.query<
    Hiding & { threadId: string; body: string; isLocked: boolean; key: Uint8Array }
  >(sql`
    select thread.id as "threadId", thread.is_locked as "isLocked", comment.body,
           ${hidingOfComment}, comment.key
      from comments comment join threads thread on thread.id = comment.thread_id
     where comment.id = ${id} and not comment.is_deleted`)
  if (!comment) throw notFound(POST_REFUSALS.noComment)
  const { key, ...locked } = comment
  return { ...locked, isMine: isSameKey(key, ownThreadKey(ctx, comment.threadId)) }
}
