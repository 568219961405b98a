/** Threads in slow mode, and locks that say why. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { threadById } from '#app/community/discussions/threads/thread-queries.server.ts'
import { madeUpVisitor } from '#tests/support/authors.ts'
import { later, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { addComment, aThread, startThread } from '#tests/support/unlimited.ts'
import { lockThread, slowThread, unlockThread, unslowThread } from './decision-commands.server.ts'
import { moderationLog, undoDecision } from './moderation-log.server.ts'

const { as, outside } = withDatabase()

const visitorOf = (ctx: Ctx, name: string): Ctx => ({
  ...ctx,
  events,
  actor: madeUpVisitor(`slow ${name}`),
})
const newThread = (ctx: Ctx) => startThread(ctx, aThread())
const newComment = (ctx: Ctx, threadId: string, idempotencyKey: string = crypto.randomUUID()) =>
  addComment(ctx, threadId, { body: 'So it is.', name: 'pseudonym', idempotencyKey })

test('dana posts too early in slow mode and reads how long to wait', () =>
  as('ada', async (base) => {
    const ada = { ...base, events }
    const [vera, wim] = [visitorOf(base, 'vera'), visitorOf(base, 'wim')]
    const { id } = await newThread(vera)
    await slowThread(ada, id, 10)
    const idempotencyKey = crypto.randomUUID()
    const said = await newComment(vera, id, idempotencyKey)
    await expect(newComment(later(vera, 3), id)).rejects.toMatchObject({
      status: 429,
      retryAfter: 420,
      message:
        'This thread is in slow mode: one comment every 10 minutes. You can comment again in 7 minutes.',
    })
    // Sending it twice still makes one comment. Others don't have to wait, and neither does she elsewhere.
    expect(await newComment(later(vera, 3), id, idempotencyKey)).toMatchObject({ id: said.id })
    await newComment(wim, id)
    await newComment(vera, (await newThread(wim)).id)
    await newComment(later(vera, 10), id)
    expect(await threadById(vera, id)).toMatchObject({ slowMinutes: 10, comments: 3 })
  }))

test('a moderator ends slow mode with one click, the log says so, and undoing brings it back', () =>
  as('ada', async (base) => {
    const ada = { ...base, events }
    const vera = visitorOf(base, 'vera')
    const { id } = await newThread(vera)
    await slowThread(ada, id, 10)
    await expect(slowThread(ada, id, 10)).rejects.toMatchObject({ status: 409 })
    const slower = await slowThread(ada, id, 60)
    await undoDecision(ada, slower.entry)
    expect(await threadById(vera, id)).toMatchObject({ slowMinutes: 10 })
    const ended = await unslowThread(ada, id)
    await newComment(vera, id)
    await newComment(vera, id)
    await expect(unslowThread(ada, id)).rejects.toMatchObject({ status: 409 })
    await undoDecision(ada, ended.entry)
    expect(await threadById(vera, id)).toMatchObject({ slowMinutes: 10 })
    expect(
      (await moderationLog(ada)).entries.map(({ action, detail }) => [action, detail]),
    ).toEqual([
      ['undo', `#${ended.entry}`],
      ['unslow', null],
      ['undo', `#${slower.entry}`],
      ['slow', 'an hour'],
      ['slow', '10 minutes'],
    ])
  }))

test('dana sends many comments at once in slow mode, and only one is posted', async () => {
  const db = outside()
  const base = await as('ada', async (ctx) => ctx)
  const vera = { ...visitorOf(base, 'at once'), db }
  const { id } = await newThread(vera)
  try {
    await db.query(sql`update threads set slow_minutes = 10 where id = ${id}`)
    const sent = await Promise.allSettled(Array.from({ length: 8 }, () => newComment(vera, id)))
    const refused = sent.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused).toHaveLength(7)
    for (const reason of refused) expect(reason).toMatchObject({ status: 429 })
    const rows = await db.query(sql`select from comments where thread_id = ${id}`)
    expect(rows).toHaveLength(1)
  } finally {
    await db.query(sql`delete from comments where thread_id = ${id}`)
    await db.query(sql`delete from threads where id = ${id}`)
  }
})

test('readers of a locked thread see why until it’s unlocked, and again if that’s undone', () =>
  as('ada', async (base) => {
    const ada = { ...base, events }
    const vera = visitorOf(base, 'vera')
    const { id } = await newThread(vera)
    await lockThread(ada, id, '  It is about\n two people by now. ')
    const why = 'It is about two people by now.'
    expect(await threadById(vera, id)).toMatchObject({ isLocked: true, lockNote: why })
    await expect(newComment(vera, id)).rejects.toMatchObject({ status: 409 })
    const { entry } = await unlockThread(ada, id)
    expect(await threadById(vera, id)).toMatchObject({ isLocked: false, lockNote: null })
    await undoDecision(ada, entry)
    expect(await threadById(vera, id)).toMatchObject({ isLocked: true, lockNote: why })
  }))
