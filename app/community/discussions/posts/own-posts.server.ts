/**
 * Whose a post is. Authors have a different key in each thread, and find their posts by the keys of the
 * posts' numbers. We reach an author through the sealed column. D41.
 */

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { newestOwn, type OwnRowTable } from '#app/api/auth/numbered-rows.server.ts'
import {
  openPersonRoots,
  type PersonRoot,
  rootOf,
  sealPersonRoot,
} from '#app/api/auth/roots.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { requireCursor, writeCursor } from '#app/platform/database/keyset.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'

export const OWN_THREADS: OwnRowTable = { table: 'threads', kind: 'thread' }
export const OWN_COMMENTS: OwnRowTable = { table: 'comments', kind: 'comment' }

/** Someone's key within one thread, for their posts and their name there. */
export const threadKey = (root: Buffer, threadId: string) => contextKey(root, 'thread', threadId)

/** The caller's key, or null without an account or anonymous id. */
export function ownThreadKey(ctx: Pick<Ctx, 'actor' | 'secrets'>, threadId: string) {
  const root = rootOf(ctx)
  return root && threadKey(root, threadId)
}

export const isSameKey = (one: Uint8Array | null, other: Uint8Array | null) =>
  one !== null && other !== null && Buffer.compare(one, other) === 0

const tweakOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

/** @param id of the thread or comment */
export const sealAuthor = (secrets: Secrets, id: string, person: PersonRoot) =>
  sealPersonRoot(secrets, tweakOf(id), person)

/** A name has one key per thread, which no other row of its table has. */
export const sealNamed = sealPersonRoot
export const openNamed = (secrets: Secrets, key: Uint8Array, personSealed: Uint8Array | null) =>
  personSealed && (openPersonRoots(secrets, [{ key, personSealed }])[0] ?? null)

/** The authors of posts by the posts' ids, without those we can't find. */
export function openAuthors(
  secrets: Secrets,
  posts: { id: string; personSealed: Uint8Array | null }[],
): Map<string, PersonRoot> {
  const known = posts.flatMap(({ id, personSealed }) =>
    personSealed ? [{ id, key: tweakOf(id), personSealed }] : [],
  )
  const people = openPersonRoots(secrets, known)
  return new Map(known.map(({ id }, i) => [id, people[i] as PersonRoot]))
}

export const openAuthor = (secrets: Secrets, id: string, personSealed: Uint8Array | null) =>
  openAuthors(secrets, [{ id, personSealed }]).get(id) ?? null

const OWN_PAGE = 20

/** A page of the caller's posts, newest first. @param query as for `newestOwn`, with an `id` in its rows */
export async function ownPage<Row extends { id: string; number: number }>(
  ctx: Ctx,
  ownTable: OwnRowTable,
  after: string | undefined,
  query: (own: Sql, limit: Sql) => Sql,
): Promise<{ rows: Omit<Row, 'number'>[]; next: string | null }> {
  const cursor = after === undefined ? undefined : requireCursor(after, 'own', /^\d{1,9}$/)
  const root = rootOf(ctx)
  if (!root) return { rows: [], next: null }
  const found = await newestOwn<Row>(ctx.db, ownTable, root, {
    query: (own, limit) => query(own, sql`order by number desc limit ${limit}`),
    limit: OWN_PAGE + 1,
    before: cursor && Number(cursor.value),
  })
  const shown = found.slice(0, OWN_PAGE)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ number: _, ...row }) => row),
    next:
      found.length > OWN_PAGE && last
        ? writeCursor({ order: 'own', value: String(last.number), id: last.id })
        : null,
  }
}

const DEPARTED = 'departed'

/** Replaces a deleted account's person. This root belongs to no one. */
export const departedKey = (root: Buffer) => contextKey(root, DEPARTED, '')

/** Finds people whose accounts are deleted. @returns their roots in hex */
export async function departedAmong(db: Database, people: PersonRoot[]): Promise<Set<string>> {
  const byKey = new Map(
    people.map(({ root }) => [departedKey(root).toString('hex'), root.toString('hex')]),
  )
  const rows = await db.query<{ key: string }>(sql`
    select encode(key, 'hex') as key from deleted_accounts
     where key = any (${people.map(({ root }) => departedKey(root))}::bytea[])`)
  return new Set(rows.map(({ key }) => byKey.get(key) as string))
}
