/** People who write, and the news that follows. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { addComment, aThread, startThread } from '#tests/support/unlimited.ts'
import { notifyOfPost } from './notification-tasks.server.ts'

export const keyOf = (ctx: Ctx) => ctx.actor.authorKey as string
export const newThread = (ctx: Ctx, over: Partial<Parameters<typeof startThread>[1]> = {}) =>
  startThread(ctx, aThread(over))

type Over = { parentId?: string; name?: 'pseudonym' | 'username' }
export const write = (ctx: Ctx, threadId: string, body: string, over: Over = {}) =>
  addComment(ctx, threadId, {
    body,
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
    ...over,
  })

/** Writes a comment, and runs the task that follows. */
export async function say(ctx: Ctx, threadId: string, body: string, over: Over = {}) {
  const comment = await write(ctx, threadId, body, over)
  await notifyOfPost(ctx, { kind: 'comment', id: comment.id })
  return comment
}

export const hide = ({ db }: Ctx, { kind, id }: { kind: 'thread' | 'comment'; id: string }) =>
  kind === 'thread'
    ? db.query(sql`update threads set hidden = 'removed' where id = ${id}`)
    : db.query(sql`update comments set hidden = 'removed' where id = ${id}`)
