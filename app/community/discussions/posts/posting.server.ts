/** What all writing shares: under which name people post, and how we recognize a post that was sent twice. */

import type { Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import type { PersonRoot } from '#app/api/auth/roots.server.ts'
import { isBlankHtml, markdownHtml } from '#app/kit/writing/markdown.ts'
import { badRequest, requireValid } from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import type { NameChoice } from '../discussion.ts'
import { pseudonymOf } from './pseudonym.ts'

/** A task that runs after a new post's commit. Checks and notifications handle it. */
export const POST_ADDED_TASK: TaskKind<PostAdded> = 'post-added'
export interface PostAdded {
  kind: 'thread' | 'comment'
  id: string
}

/** Call it in the post's transaction. */
export const queuePostAdded = ({ db, queue }: Ctx, post: PostAdded) =>
  queue.enqueue(db, POST_ADDED_TASK, post)

/** Like `queuePostAdded`, but as SQL for the statement that writes the post. Queues one task per row. */
export const queuingPostAdded = ({ db, queue }: Ctx, post: PostAdded, rows: Sql) =>
  queue.enqueueing(db, POST_ADDED_TASK, post, rows)

/** @param nothing the sentence for markup that shows nothing @throws Refusal bad-request */
export function checkedMarkdown(body: string, problem: string | undefined, nothing: string) {
  requireValid(problem)
  const html = markdownHtml(body)
  if (isBlankHtml(html)) throw badRequest(nothing)
  return { body, html }
}

interface Naming {
  /** Null unless the person chose to show it. */
  username: string | null
  /** Stays the same for a person within a thread, and is unique there. The first free attempt counts. */
  pseudonym: (attempt: number) => string
}

/** The username or the pseudonym of the thread, as the author chose: never an ID (S5). */
export function namingIn(
  { actor }: Ctx,
  threadId: string,
  { root }: PersonRoot,
  choice: NameChoice,
): Naming {
  const seed = contextKey(root, 'pseudonym', threadId)
  return {
    username: choice === 'username' ? (actor.account?.username ?? null) : null,
    pseudonym: (attempt) => pseudonymOf(seed, attempt),
  }
}

/**
 * Identifies one form of one author. It's stored with the post, so another request with the same key
 * returns that post.
 */
export const ownIdempotencyKey = ({ root }: PersonRoot, idempotencyKey: string) =>
  contextKey(root, 'sending', idempotencyKey).toString('base64url')

/**
 * A hash of what was sent under an idempotency key. The key itself isn't stored, so even with our database and secret no one
 * can test guesses of the text. 16 bytes.
 */
export const sentHash = ({ root }: PersonRoot, idempotencyKey: string, text: unknown[]) =>
  contextKey(root, 'sent', `${idempotencyKey} ${JSON.stringify(text)}`)
