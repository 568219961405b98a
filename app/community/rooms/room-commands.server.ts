/** Writes in rooms, without an account. A badge proves that you may write, a key which posts are yours. */

import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { roomDayContextOf, roomThreadContextOf } from '#app/api/credential/purposes.ts'
import { hasRoom, requireDomainOf } from '#app/companies/badges/badge-rules.server.ts'
import { requireUnchanged } from '#app/kit/writing/edit-conflict.server.ts'
import { isBlankHtml, markdownHtml } from '#app/kit/writing/markdown.ts'
import { cleanText, oneLine } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import {
  isSameAs,
  requireSameText,
  SENT_HASH_BYTES,
} from '#app/platform/database/idempotency.server.ts'
import { openToken } from '#app/platform/database/secrets.server.ts'
import {
  emit,
  type ServerContext,
  transaction,
} from '#app/platform/database/server-context.server.ts'
import { endIn, isStillValid, todayOf } from '#app/platform/days.server.ts'
import {
  badRequest,
  conflict,
  notFound,
  Refusal,
  requireValid,
} from '#app/platform/http/refusal.ts'
import { TEXT_PROBLEMS } from '../discussions/discussion.ts'
import { pseudonymOf } from '../discussions/posts/pseudonym.ts'
import { POST_REWORDED } from '../reports/post-moderation.server.ts'
import {
  passMessage,
  ROOM_REFUSALS,
  type RoomPostSent,
  type RoomText,
  roomPostMessage,
  roomTextProblem,
} from './room.ts'
import {
  type PassContext,
  type RoomPass,
  requirePass,
  requireThread,
  sealPass,
} from './room-rules.server.ts'

interface RoomCtx extends Ctx {
  /** Called before each post. `person` identifies the writer for a day. @throws Refusal too-many */
  requireWritingPause(person: string): Promise<void>
}

export interface RoomProof {
  pass: string
  quarter: string
  presentation: string
}

/**
 * @throws Refusal conflict for another company’s badge and for a used challenge, room-closed; bad-request
 * without a proof
 * @throws Unavailable when too many wait to be verified
 */
export async function enterRoom(
  ctx: PassContext & Pick<ServerContext, 'db'>,
  request: {
    companyId: string
    challenge: string
    domain: string
    quarter: string
    presentation: string
    roomHoldersMin?: number
  },
  issuer: Issuer,
) {
  const { companyId, domain, quarter } = request
  await requireDomainOf(ctx.db, companyId, domain)
  if (!(await hasRoom(ctx.db, domain)))
    throw new Refusal('room-closed', ROOM_REFUSALS.closed(request.roomHoldersMin))
  const day = todayOf(ctx)
  const tag = await issuer.verify(
    { kind: 'badge', domain, quarter },
    {
      presentationContext: roomDayContextOf(domain, day),
      message: passMessage(request.challenge),
      presentation: Buffer.from(request.presentation, 'base64url'),
    },
  )
  if (!tag) throw badRequest(ROOM_REFUSALS.invalidProof)
  await spendChallenge(ctx, request.challenge)
  const person = ctx.secrets.hash('room day', Buffer.from(tag).toString('base64url'))
  return { pass: sealPass(ctx, { domain, companyId, day, person }), day }
}

const CHALLENGE = 'room challenge'
const CHALLENGE_MINUTES = 10
/** An id, and when it expires, in minutes since 1970. */
const Challenge = z.tuple([z.string(), z.number()])

/** The challenge is sealed along with its expiry, so we only store used ones. */
export const makeChallenge = ({ secrets, now }: PassContext) =>
  secrets.seal(JSON.stringify([randomUUID(), endIn(CHALLENGE_MINUTES, now())]), CHALLENGE)

/** @throws Refusal conflict if it's used, old or not ours */
async function spendChallenge(
  { db, secrets, now }: PassContext & Pick<ServerContext, 'db'>,
  challenge: string,
) {
  const [, end] = Challenge.safeParse(openToken(secrets, challenge, CHALLENGE)).data ?? []
  const isOpen = end !== undefined && isStillValid(end, CHALLENGE_MINUTES, now())
  const hash = Buffer.from(secrets.hash(CHALLENGE, challenge), 'base64url')
  const used =
    isOpen &&
    (await db.query(sql`
      insert into used_challenges (hash, day) values (${hash}, ${todayOf({ now })}::date)
      on conflict do nothing returning day`))
  if (!used || used.length === 0) throw conflict(ROOM_REFUSALS.challenge)
}

export const forgetChallenges = ({ db, now }: Pick<ServerContext, 'db' | 'now'>) =>
  db.query(sql`delete from used_challenges where day < ${todayOf({ now })}::date`)

/** @throws Refusal bad-request */
function checkedRoomText({ title, body }: RoomText): RoomText & { html: string } {
  const text = { title: title === null ? null : oneLine(title), body: cleanText(body) }
  requireValid(roomTextProblem(text))
  const html = markdownHtml(text.body)
  if (title === null && isBlankHtml(html)) throw badRequest(TEXT_PROBLEMS.emptyComment)
  return { ...text, html }
}

/**
 * Adds a post, only once if it's sent twice. A person has exactly one name in a thread.
 * @throws Refusal gone for a pass of another day, bad-request, too-many, not-found, room-closed, conflict;
 * idempotency-key-used for another
 * text under the same id
 * @throws Unavailable when too many wait to be verified
 */
export async function writeInRoom(ctx: RoomCtx, sent: RoomPostSent & RoomProof, issuer: Issuer) {
  const text = checkedRoomText(sent)
  const pass = requirePass(ctx, sent.pass)
  if ((text.title !== null) !== (sent.id === sent.threadId)) throw badRequest(ROOM_REFUSALS.thread)
  await ctx.requireWritingPause(pass.person)
  // Use the ID as rows spell it, even for a new thread, because another spelling would be another context.
  const [{ threadId } = sent] = await ctx.db.query<{ threadId: string }>(
    sql`select ${sent.threadId}::uuid as "threadId"`,
  )
  const tag = await issuer.verify(
    { kind: 'badge', domain: pass.domain, quarter: sent.quarter },
    {
      presentationContext: roomThreadContextOf(threadId),
      message: roomPostMessage(sent),
      presentation: Buffer.from(sent.presentation, 'base64url'),
    },
  )
  if (!tag) throw badRequest(ROOM_REFUSALS.invalidProof)
  const author = Buffer.from(
    ctx.secrets.hash('room author', Buffer.from(tag).toString('base64url')),
    'base64url',
  )
  // Keyed by the tag, which isn't stored, so no one can test guesses of a text that was edited since.
  const hash = createHmac('sha256', tag)
    .update(JSON.stringify([sent.id, threadId, text.title, text.body]))
    .digest()
    .subarray(0, SENT_HASH_BYTES)
  return transaction(ctx, (ctx) =>
    storePost(ctx, { ...sent, ...text, threadId, author, hash }, pass),
  )
}

async function storePost(
  ctx: Ctx,
  {
    id,
    threadId,
    holder,
    title,
    body,
    html,
    author,
    hash,
  }: RoomPostSent & { html: string; author: Buffer; hash: Buffer },
  { domain, companyId }: RoomPass,
) {
  const { db } = ctx
  // One at a time in a room, so no one else takes the name or position in between.
  const [room] = await db.query(sql`
    select from badge_domains where domain = ${domain} and has_room for update`)
  if (!room) throw new Refusal('room-closed', ROOM_REFUSALS.closed())
  const [sent] = await db.query<{ name: string; isOwn: boolean; isSame: boolean }>(sql`
    select name, thread_key = ${author} as "isOwn",
           ${isSameAs(hash)}
      from room_posts where id = ${id}`)
  if (sent) {
    if (!sent.isOwn) throw conflict(ROOM_REFUSALS.taken)
    requireSameText(sent)
    return { id, name: sent.name }
  }
  if (title === null) await requireThread(db, domain, threadId)
  const name = await nameIn(db, threadId, author)
  await db.query(sql`
    insert into room_posts (id, domain, company_id, thread_id, place, room_place, title, body, html, name,
                            thread_key, holder_key_hash, month, sent_hash)
    values (${id}, ${domain}, ${companyId}, ${threadId},
            (select coalesce(max(place) + 1, 0) from room_posts where thread_id = ${threadId}),
            ${title === null ? null : nextRoomPlace(domain)}, ${title}, ${body}, ${html},
            ${name}, ${author}, ${Buffer.from(holder, 'base64url')}, date_trunc('month', ${todayOf(ctx)}::date), ${hash})`)
  if (title === null)
    await db.query(
      sql`update room_posts set room_place = ${nextRoomPlace(domain)} where id = ${threadId}`,
    )
  return { id, name }
}

const nextRoomPlace = (domain: string): Sql => sql`
  (select coalesce(max(room_place), 0) + 1 from room_posts where domain = ${domain})`

/** The author's name in this thread, or the first free one. */
async function nameIn(db: Ctx['db'], threadId: string, author: Buffer) {
  const names = await db.query<{ name: string; isOwn: boolean }>(sql`
    select distinct name, thread_key = ${author} as "isOwn" from room_posts where thread_id = ${threadId}`)
  const own = names.find(({ isOwn }) => isOwn)
  if (own) return own.name
  const taken = new Set(names.map(({ name }) => name))
  for (let attempt = 0; ; attempt++) {
    const name = pseudonymOf(author, attempt)
    if (!taken.has(name)) return name
  }
}

const isOfKey = (id: string, key: string) => sql`
  id = ${id} and not is_deleted
  and holder_key_hash = ${createHash('sha256').update(Buffer.from(key, 'base64url')).digest()}`

export async function isRoomPostOfKey({ db }: Ctx, id: string, key: string) {
  const found = await db.query(sql`select from room_posts where ${isOfKey(id, key)}`)
  return found.length > 0
}

/**
 * Doesn't need a pass, so people who have left the company can still edit their posts.
 * @param changed with `before`: see `requireUnchanged`
 * @throws Refusal bad-request, not-found, conflict
 */
export async function changeInRoom(
  ctx: Ctx,
  id: string,
  changed: RoomText & { key: string; before?: RoomText | undefined },
) {
  const { title, body, html } = checkedRoomText(changed)
  return transaction(ctx, async (ctx) => {
    const [stored] = await ctx.db.query<RoomText>(sql`
      select title, body from room_posts
       where ${isOfKey(id, changed.key)} and hidden is null and (title is null) = ${title === null}
         for update`)
    if (!stored) throw notFound(ROOM_REFUSALS.post)
    requireUnchanged(stored, changed.before, { title, body })
    await ctx.db.query(sql`
      update room_posts set title = ${title}, body = ${body}, html = ${html}, is_edited = true
       where id = ${id}`)
    await emit(ctx, POST_REWORDED, { kind: 'room', id })
    return { isChanged: true as const }
  })
}

/** Hidden posts can be removed too. A thread with comments loses only its own text. @throws Refusal not-found */
export const removeFromRoom = (ctx: Ctx, id: string, key: string) =>
  transaction(ctx, async ({ db }) => {
    const [post] = await db.query<{ threadId: string; place: number }>(sql`
      select thread_id as "threadId", place from room_posts where ${isOfKey(id, key)} for update`)
    if (!post) throw notFound(ROOM_REFUSALS.post)
    const emptied = await db.query(sql`
      update room_posts
         set is_deleted = true, title = '', body = '', html = '', hidden = null, hidden_reason = null
       where id = ${id} and exists (
         select from room_posts comment where comment.thread_id = ${id} and comment.place > 0)
      returning 1`)
    if (emptied.length === 0) await db.query(sql`delete from room_posts where id = ${id}`)
    return { isRemoved: true as const }
  })

/** Runs nightly. From then on, we only know a post's month. */
export const forgetDays = (db: Database) =>
  db.query(sql`update room_posts set is_new = false where is_new`)
