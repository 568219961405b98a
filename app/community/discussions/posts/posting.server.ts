/** What all writing shares: who may, under which name, and how often. */

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { requireAuthor, requireOwner } from '#app/api/auth/require.server.ts'
import type { Owner } from '#app/api/auth/roots.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { requireUnsuspended, suspensionOf } from '../../reports/suspension-queries.server.ts'
import type { NameChoice } from '../discussion.ts'
import { pseudonymOf } from './pseudonym.ts'

/** A job after the commit of a new post: checks and notifications handle it. */
export const POST_ADDED = 'post-added'
export interface PostAdded {
  kind: 'thread' | 'comment'
  id: string
}

/** Call it in the post's transaction. */
export const queuePostAdded = ({ db, jobs }: Ctx, post: PostAdded) =>
  jobs.enqueue(db, POST_ADDED, post)

/** The same as part of the statement that writes the post, for each of `rows`. */
export const queuingPostAdded = ({ db, jobs }: Ctx, post: PostAdded, rows: Sql) =>
  jobs.enqueueing(db, POST_ADDED, post, rows)

/** @throws Refusal sign-in-required, forbidden */
export async function requireWriter(ctx: Ctx): Promise<Owner> {
  requireAuthor(ctx)
  const owner = requireOwner(ctx)
  requireUnsuspended(await suspensionOf(ctx, owner.root))
  return owner
}

/** Locks the company against deletion. @throws Refusal bad-request */
export async function requireCompany(db: Database, id: string | undefined) {
  if (id === undefined) return
  const [company] = await db.query(sql`select from companies where id = ${id} for key share`)
  if (!company) throw badRequest('This company does not exist')
}

export interface Naming {
  /** Null unless chosen. */
  username: string | null
  /** Stable for a person within a thread, and unique there: the first free attempt counts. */
  pseudonym: (attempt: number) => string
}

/** S5. */
export function namingIn(
  { actor }: Ctx,
  threadId: string,
  { root }: Owner,
  choice: NameChoice,
): Naming {
  const seed = contextKey(root, 'pseudonym', threadId)
  return {
    username: choice === 'username' ? (actor.account?.username ?? null) : null,
    pseudonym: (attempt) => pseudonymOf(seed, attempt),
  }
}

/** One form of one author, stored with its post: another request with the same key returns that post. */
export const idempotencyMark = ({ root }: Owner, sending: string) =>
  contextKey(root, 'sending', sending).toString('base64url')

/**
 * A hash of what was sent under an idempotency key. The key itself isn't stored, so even with our database and secret no one
 * can test guesses of the text. 16 bytes.
 */
export const sentHash = ({ root }: Owner, sending: string, text: unknown[]) =>
  contextKey(root, 'sent', `${sending} ${JSON.stringify(text)}`)
