/**
 * A pass, which proves a badge until midnight (UTC), and what it opens: months and positions, no days. It is sealed, not
 * stored. Its `person` changes daily and counts how much one writes.
 */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { roomDayContextOf } from '#app/api/credential/purposes.ts'
import { hasRoom, requireDomainOf } from '#app/companies/badges/post-badges.server.ts'
import { excerptOf } from '#app/kit/writing/excerpt.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { openToken } from '#app/platform/database/secrets.server.ts'
import { badRequest, conflict, notFound, Refusal } from '#app/platform/http/refusal.ts'
import { endIn, isStillValid, todayOf } from '#app/platform/queue/days.server.ts'
import type { RoomPost, RoomThread } from './room.contract.ts'
import { passMessage, ROOM_REFUSALS } from './room.ts'

const PLACE = 'room pass'

const Pass = z.object({
  domain: z.string(),
  companyId: z.string(),
  day: z.string(),
  person: z.string(),
})
export type RoomPass = z.output<typeof Pass>

type PassContext = Pick<ServerContext, 'secrets' | 'now'>

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
  },
  issuer: Issuer,
) {
  const { companyId, domain, quarter } = request
  await requireDomainOf(ctx.db, companyId, domain)
  if (!(await hasRoom(ctx.db, domain))) throw new Refusal('room-closed', ROOM_REFUSALS.closed)
  const day = todayOf(ctx)
  const tag = await issuer.verify(
    { kind: 'badge', domain, quarter },
    {
      presentationContext: roomDayContextOf(domain, day),
      message: passMessage(request.challenge),
      presentation: Buffer.from(request.presentation, 'base64url'),
    },
  )
  if (!tag) throw badRequest(ROOM_REFUSALS.unproven)
  await spendChallenge(ctx, request.challenge)
  const person = ctx.secrets.hash('room day', Buffer.from(tag).toString('base64url'))
  const pass: RoomPass = { domain, companyId, day, person }
  return { pass: ctx.secrets.seal(JSON.stringify(pass), PLACE), day }
}

const CHALLENGE = 'room challenge'
const CHALLENGE_MINUTES = 10
/** An id, and its end in minutes since 1970. */
const Challenge = z.tuple([z.string(), z.number()])

/** Sealed with its end, so that only used ones are stored. */
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

/** @throws Refusal gone for another day's, and for one that isn't ours */
export function requirePass(ctx: PassContext, token: string): RoomPass {
  const pass = Pass.safeParse(openToken(ctx.secrets, token, PLACE)).data
  if (pass?.day !== todayOf(ctx)) throw new Refusal('gone', ROOM_REFUSALS.pass)
  return pass
}

const THREADS = 30
const POSTS = 100

/** @param request.after the position of the last one that is known @throws Refusal gone */
export async function roomThreads(ctx: Ctx, request: { pass: string; after?: number | undefined }) {
  const { domain } = requirePass(ctx, request.pass)
  const rows = await ctx.db.query<
    Omit<RoomThread, 'excerpt'> & { place: number; body: string }
  >(sql`
    select thread.id, thread.title, thread.body, thread.name, thread.place,
           to_char(latest.month, 'YYYY-MM') as month, latest."isNew", latest.comments
      from room_posts thread cross join lateral (
        select (count(*) filter (where nth > 0 and hidden is null))::integer as comments,
               max(month) as month, bool_or(is_new) as "isNew"
          from room_posts where thread_id = thread.id) latest
     where thread.domain = ${domain} and thread.nth = 0 and not thread.is_deleted
           and thread.hidden is null
           and (${request.after ?? null}::integer is null or thread.place < ${request.after ?? null}::integer)
     order by thread.place desc limit ${THREADS + 1}`)
  const shown = rows.slice(0, THREADS)
  return {
    threads: shown.map(({ place: _, body, ...thread }) => ({
      ...thread,
      excerpt: excerptOf(body),
    })),
    next: rows.length > THREADS ? (shown.at(-1)?.place ?? null) : null,
  }
}

/** @throws Refusal gone, not-found */
export async function roomThread(
  ctx: Ctx,
  id: string,
  request: { pass: string; holder?: string | undefined; after?: number | undefined },
) {
  const { domain } = requirePass(ctx, request.pass)
  const holder = request.holder === undefined ? null : Buffer.from(request.holder, 'base64url')
  const rows = await ctx.db.query<
    RoomPost & { nth: number; title: string | null; body: string }
  >(sql`
    select id, nth, title, name, body, html, to_char(month, 'YYYY-MM') as month, is_new as "isNew",
           coalesce(holder = ${holder}::bytea, false) as "isOwn", is_edited as "isEdited",
           is_deleted as "isDeleted", hidden, hidden_reason as reason
      from room_posts
     where thread_id = ${id} and domain = ${domain} and nth > ${request.after ?? -1}
     order by nth limit ${POSTS + 1}`)
  const shown = rows.slice(0, POSTS)
  if (shown.length === 0 && request.after === undefined) throw notFound(ROOM_REFUSALS.thread)
  return {
    title: shown.find(({ title }) => title !== null)?.title ?? '',
    posts: shown.map(({ nth: _, title: __, body, html, ...post }) => ({
      ...post,
      html: post.hidden && !post.isOwn ? '' : html,
      body: post.isOwn ? body : null,
    })),
    next: rows.length > POSTS ? (shown.at(-1)?.nth ?? null) : null,
  }
}
