import type { Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Database, QueryOptions } from '#app/platform/database/database.server.ts'
import { actorLike } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { addComment, startThread, voteComment } from '#tests/support/unlimited.ts'
import { moderatedComments as moderated } from '../posts/moderated-threads.server.ts'
import { deleteComment, editComment } from './comment-commands.server.ts'
import { createCommentOrders } from './comment-orders.server.ts'
import { commentsPage } from './comment-queries.server.ts'

const { as } = withDatabase()

/** More than a page. */
const COMMENTS = 102
const REMOVED = { state: 'removed', reason: 'spam' } as const

const newComment = (ctx: Ctx, threadId: string, body: string, parentId?: string) =>
  addComment(ctx, threadId, {
    body,
    parentId,
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })

async function longThread(ctx: Ctx) {
  const { id } = await startThread(ctx, {
    title: 'Why so many meetings?',
    body: 'Nobody knows.',
    topics: [],
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
  const ids: string[] = []
  for (let n = 0; n < COMMENTS; n++)
    ids.push((await newComment(ctx, id, `Number ${n}`, n % 3 === 1 ? ids.at(-1) : undefined)).id)
  return { id, ids }
}

/** All pages, read on from one to the next: where each comment stands, and what hangs on its place. */
async function wholeThread(ctx: Ctx, id: string, orders = createCommentOrders()) {
  const all: string[] = []
  for (const sort of ['best', 'old'] as const) {
    let after: string | undefined
    do {
      const page = await commentsPage(ctx, id, { sort, after }, orders)
      for (const { id, depth, replies, score } of page.comments)
        all.push(`${sort} ${id} ${depth} ${replies} ${score}`)
      after = page.next ?? undefined
    } while (after)
  }
  return all
}

test('a cached order is never outdated, whatever happens to a comment', () =>
  as('dana', async (ctx) => {
    const { id, ids } = await longThread(ctx)
    const member: Ctx = { ...ctx, actor: actorLike(ctx.actor, 'a member') }
    const [answered = '', , last = '', removed = ''] = ids
    const orders = createCommentOrders()
    const changes: Record<string, () => Promise<unknown>> = {
      'nothing yet': async () => {},
      'a vote': () => voteComment(member, last, 1),
      'a vote turned round': () => voteComment(member, last, -1),
      'a vote taken back': () => voteComment(member, last, 0),
      'a comment': () => newComment(member, id, 'One more'),
      'an answer': () => newComment(member, id, 'Is it so?', last),
      'a change of words': () => editComment(ctx, last, 'Other words'),
      'a deletion that leaves a stub': () => deleteComment(ctx, answered),
      'a deletion': () => deleteComment(ctx, ids.at(-1) as string),
      'a removal': () => moderated.hide(ctx.db, removed, REMOVED),
      'a removal undone': () => moderated.hide(ctx.db, removed, null),
      'another removal': () => moderated.hide(ctx.db, ids[6] as string, REMOVED),
    }
    for (const [what, change] of Object.entries(changes)) {
      await change()
      expect(await wholeThread(ctx, id, orders), what).toEqual(await wholeThread(ctx, id))
    }
  }))

test('an unchanged thread is read once for each order', () =>
  as('dana', async (ctx) => {
    const { id } = await longThread(ctx)
    let shapes = 0
    const db: Database = {
      ...ctx.db,
      async query<Row>(statement: Sql, options?: QueryOptions) {
        const rows = await ctx.db.query<Row>(statement, options)
        shapes += rows.filter((row) => (row as { shape?: unknown }).shape).length
        return rows
      },
    }
    const orders = createCommentOrders()
    await wholeThread({ ...ctx, db }, id, orders)
    await wholeThread({ ...ctx, db }, id, orders)
    expect(shapes).toBe(2)
  }))
