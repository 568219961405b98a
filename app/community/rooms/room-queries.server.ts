/** What people with a pass can read: months and positions, but no days. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { excerptOf } from '#app/kit/writing/excerpt.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import type { RoomPost, RoomThread } from './room.contract.ts'
import { ROOM_REFUSALS } from './room.ts'
import { requirePass } from './room-rules.server.ts'

const THREADS = 30
const POSTS = 100

/** @param request.after the position of the last one that is known @throws Refusal gone */
export async function roomThreads(ctx: Ctx, request: { pass: string; after?: number | undefined }) {
  const { domain } = requirePass(ctx, request.pass)
  const rows = await ctx.db.query<
    Omit<RoomThread, 'excerpt'> & { position: number; body: string }
  >(sql`
    select thread.id, thread.title, thread.body, thread.name, thread.room_place as position,
           to_char(latest.month, 'YYYY-MM') as month, latest."isNew", latest.comments
      from room_posts thread cross join lateral (
        select (count(*) filter (where place > 0 and hidden is null))::integer as comments,
               max(month) as month, bool_or(is_new) as "isNew"
          from room_posts where thread_id = thread.id) latest
     where thread.domain = ${domain} and thread.place = 0 and not thread.is_deleted
           and thread.hidden is null
           and (${request.after ?? null}::integer is null or thread.room_place < ${request.after ?? null}::integer)
     order by thread.room_place desc limit ${THREADS + 1}`)
  const shown = rows.slice(0, THREADS)
  return {
    threads: shown.map(({ position: _, body, ...thread }) => ({
      ...thread,
      excerpt: excerptOf(body),
    })),
    next: rows.length > THREADS ? (shown.at(-1)?.position ?? null) : null,
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
    RoomPost & { place: number; title: string | null; body: string }
  >(sql`
    select id, place, title, name, body, html, to_char(month, 'YYYY-MM') as month, is_new as "isNew",
           coalesce(holder_key_hash = ${holder}::bytea, false) as "isOwn", is_edited as "isEdited",
           is_deleted as "isDeleted", hidden, hidden_reason as reason
      from room_posts
     where thread_id = ${id} and domain = ${domain} and place > ${request.after ?? -1}
     order by place limit ${POSTS + 1}`)
  const shown = rows.slice(0, POSTS)
  if (shown.length === 0 && request.after === undefined) throw notFound(ROOM_REFUSALS.thread)
  return {
    title: shown.find(({ title }) => title !== null)?.title ?? '',
    posts: shown.map(({ place: _, title: __, body, html, ...post }) => ({
      ...post,
      html: post.hidden && !post.isOwn ? '' : html,
      body: post.isOwn ? body : null,
    })),
    next: rows.length > POSTS ? (shown.at(-1)?.place ?? null) : null,
  }
}
