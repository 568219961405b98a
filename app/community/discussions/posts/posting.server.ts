/** What all writing has in common: who may, as whom, and how often. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { requireAuthor, requireOwner } from '#app/api/auth/require.server.ts'
import type { Owner } from '#app/api/auth/roots.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { requireUnsuspended, suspensionOf } from '../../reports/suspension-queries.server.ts'
import type { NameChoice } from '../discussion.ts'
import { pseudonymOf } from './pseudonym.ts'

/** What follows a new post: whoever looks at it or tells of it handles this, after the commit. */
export const POST_ADDED = 'post-added'
export interface PostAdded {
  kind: 'thread' | 'comment'
  id: string
}

/** Run it in the transaction of the post. */
export const queuePostAdded = ({ db, jobs }: Ctx, post: PostAdded) =>
  jobs.enqueue(db, POST_ADDED, post)

/** The same as a part of the statement that writes the post, for each of `rows`. */
export const queuingPostAdded = ({ db, jobs }: Ctx, post: PostAdded, rows: Sql) =>
  jobs.enqueueing(db, POST_ADDED, post, rows)

/** Whoever may write words. @throws Refusal sign-in-required, forbidden */
export async function requireWriter(ctx: Ctx): Promise<Owner> {
  requireAuthor(ctx)
  const owner = requireOwner(ctx)
  requireUnsuspended(await suspensionOf(ctx, owner.root))
  return owner
}

/** What a thread is about, for nobody to delete meanwhile. @throws Refusal bad-request */
export async function requireCompany(db: Database, id: string | undefined) {
  if (id === undefined) return
  const [company] = await db.query(sql`select from companies where id = ${id} for key share`)
  if (!company) throw badRequest('This company does not exist')
}

/** What an author may be called in a thread. */
export interface Naming {
  /** Whoever chose it needs no other. */
  username: string | null
  /** The same person the same one within a thread, nobody else that name: of these the first free one. */
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

/** The mark of one sending of one author: a second one of the same form is the same post. */
export const idempotencyMark = ({ root }: Owner, sending: string) =>
  contextKey(root, 'sending', sending).toString('base64url')

/**
 * What was sent under an idempotency key: another text has another hash. Nobody who has our database and our key can
 * try out guesses, as the idempotency key itself is not kept. 16 bytes.
 */
export const sentHash = ({ root }: Owner, sending: string, text: unknown[]) =>
  contextKey(root, 'sent', `${sending} ${JSON.stringify(text)}`)
