/** Saved and muted threads. Each row has a key of its own, so no two show that they belong to one person. D40. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { insertOwn, isOwn, type OwnRows, removeOwn } from '#app/api/auth/own-rows.server.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import { openPersonRoots, rootOf, sealPersonRoot } from '#app/api/auth/roots.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { conflict } from '#app/platform/http/refusal.ts'
import { MUTED_THREADS_MAX, POST_REFUSALS, SAVED_THREADS_MAX } from '../discussion.ts'
import { requireVisibleThread } from '../posts/post-rules.server.ts'

const SAVED: OwnRows = { table: 'saved_threads', kind: 'saved-thread', max: SAVED_THREADS_MAX }

const MUTED: OwnRows = { table: 'muted_threads', kind: 'muted-thread', max: MUTED_THREADS_MAX }

const savedKey = (root: Buffer, threadId: string) => contextKey(root, SAVED.kind, threadId)
const mutedKey = (root: Buffer, threadId: string) => contextKey(root, MUTED.kind, threadId)

/** Idempotent. The contract refuses employers. @throws Refusal sign-in-required, not-found, gone, conflict */
export async function saveThread(ctx: Ctx, requestedId: string, isSaved: boolean) {
  const { root } = requirePersonRoot(ctx)
  const id = await requireVisibleThread(ctx.db, requestedId)
  const key = savedKey(root, id)
  if (!isSaved) await ctx.db.query(sql`delete from saved_threads where key = ${key}`)
  else {
    const saved = await insertOwn(ctx.db, SAVED, {
      root,
      key,
      insert: (ownRowKey) => sql`
        insert into saved_threads (key, own_row_key, thread_id) values (${key}, ${ownRowKey}, ${id})
        on conflict do nothing returning thread_id`,
    })
    if (!saved) throw conflict(POST_REFUSALS.savedFull)
  }
  return { isSaved }
}

/** Idempotent. @throws Refusal sign-in-required, not-found, gone, conflict */
export async function muteThread(ctx: Ctx, requestedId: string, isMuted: boolean) {
  const person = requirePersonRoot(ctx)
  const id = await requireVisibleThread(ctx.db, requestedId)
  const key = mutedKey(person.root, id)
  if (!isMuted) await ctx.db.query(sql`delete from muted_threads where key = ${key}`)
  else {
    const muted = await insertOwn(ctx.db, MUTED, {
      root: person.root,
      key,
      insert: (ownRowKey) => sql`
        insert into muted_threads (key, own_row_key, person_sealed, thread_id)
        values (${key}, ${ownRowKey}, ${sealPersonRoot(ctx.secrets, key, person)}, ${id})
        on conflict do nothing returning thread_id`,
    })
    if (!muted) throw conflict(POST_REFUSALS.mutedFull)
  }
  return { isMuted }
}

export function savedState(ctx: Ctx, threadId: string) {
  const root = rootOf(ctx)
  if (!root) return { isSaved: sql`false`, isMuted: sql`false` }
  return {
    isSaved: sql`exists (select from saved_threads where key = ${savedKey(root, threadId)})`,
    isMuted: sql`exists (select from muted_threads where key = ${mutedKey(root, threadId)})`,
  }
}

export async function mutedAmong(ctx: Ctx, threadIds: string[]): Promise<Set<string>> {
  const root = rootOf(ctx)
  if (!root || threadIds.length === 0) return new Set()
  const keys = threadIds.map((id) => mutedKey(root, id))
  const rows = await ctx.db.query<{ id: string }>(sql`
    select thread_id as id from muted_threads where key = any (${keys}::bytea[])`)
  return new Set(rows.map(({ id }) => id))
}

/** The roots of people who muted these threads, as "thread root" in hex. */
export async function mutersOf(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  threadIds: string[],
): Promise<Set<string>> {
  const rows = await db.query<{ key: Uint8Array; personSealed: Uint8Array; threadId: string }>(
    sql`
    select key, person_sealed as "personSealed", thread_id as "threadId" from muted_threads
     where thread_id = any (${threadIds}::uuid[])`,
    PREPARED,
  )
  const people = openPersonRoots(secrets, rows)
  return new Set(people.map(({ root }, i) => mutedBy(rows[i]?.threadId ?? '', root)))
}

export const mutedBy = (threadId: string, root: Buffer) => `${threadId} ${root.toString('hex')}`

export const savedIds = (ctx: Ctx) =>
  sql`(select thread_id from saved_threads where ${isOwn(SAVED, rootOf(ctx))})`
export const mutedIds = (ctx: Ctx) =>
  sql`(select thread_id from muted_threads where ${isOwn(MUTED, rootOf(ctx))})`

/** Runs when an account is deleted. */
export async function forgetSavedThreads(db: Database, root: Buffer) {
  await removeOwn(db, SAVED, root)
  await removeOwn(db, MUTED, root)
}
