/** A form that's sent again, on a real database. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { stranger } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { addComment, aThread, startThread } from '#tests/support/unlimited.ts'
import { deleteComment, editComment } from '../comments/comment-commands.server.ts'
import { commentsPage } from '../comments/comment-queries.server.ts'
import { editThread } from '../threads/thread-commands.server.ts'
import { listThreads } from '../threads/thread-queries.server.ts'
import { POST_ADDED_TASK } from './posting.server.ts'

const { as, outside } = withDatabase()

const comment = (body: string, parentId?: string) => ({
  body,
  parentId,
  name: 'pseudonym' as const,
  idempotencyKey: crypto.randomUUID(),
})

const USED = { status: 409, code: 'idempotency-key-used', message: /Your text is still here/ }
const refusedAsUsed = (sent: Promise<unknown>) =>
  expect(sent).rejects.toMatchObject({ ...USED, message: expect.stringMatching(USED.message) })

describe('an idempotency key belongs to one text', () => {
  test('vera sends another text under her comment’s key, and it’s refused', () =>
    as('dana', async (ctx) => {
      const vera = stranger(ctx, 1)
      const { id } = await startThread(vera, aThread())
      const other = await startThread(vera, aThread())
      const sent = comment('The lift is slow')
      const first = await addComment(vera, id, sent)
      const refused = (change: object, to = id) =>
        refusedAsUsed(addComment(vera, to, { ...sent, ...change }))
      await refused({ body: 'And the stairs are locked' })
      await refused({ body: 'The lift is slow.' })
      await refused({ parentId: first.id })
      await refused({}, other.id)
      expect(await addComment(vera, id, sent)).toEqual(first)
      expect(await addComment(vera, id, { ...sent, body: 'The lift is slow\u200b' })).toEqual(first)
      // Another person's same key is a different key.
      const carls = await addComment(stranger(ctx, 2), id, { ...sent, body: 'Which lift?' })
      expect(carls.id).not.toBe(first.id)
      // It stays so after she edits or deletes it.
      await editComment(vera, first.id, 'It was slow')
      expect((await addComment(vera, id, sent)).id).toBe(first.id)
      await refused({ body: 'It was slow' })
      await deleteComment(vera, first.id)
      expect((await commentsPage(vera, id, { sort: 'old' })).comments).toHaveLength(1)
    }))

  test.each<[string, Partial<Parameters<typeof startThread>[1]>]>([
    ['title', { title: 'Is it true about the Fridays?' }],
    ['text', { body: 'They say everybody comes in.' }],
    ['topic', { topics: ['culture'] }],
    ['poll', { poll: { options: ['Yes', 'No'], days: 3 } }],
    ['name', { name: 'username' }],
  ])(
    'a thread with another %s under its key is no second one, and isn’t lost silently',
    (_, change) =>
      as('dana', async (ctx) => {
        const sent = aThread()
        const first = await startThread(ctx, sent)
        await refusedAsUsed(startThread(ctx, { ...sent, ...change }))
        expect(await startThread(ctx, sent)).toEqual(first)
        await editThread(ctx, first.id, { title: sent.title, body: 'Changed since', topics: [] })
        expect((await startThread(ctx, sent)).id).toBe(first.id)
        await refusedAsUsed(startThread(ctx, { ...sent, body: 'Changed since' }))
        expect((await listThreads(ctx, { sort: 'new', period: 'all' })).threads).toHaveLength(1)
      }),
  )

  test('only one of two texts that arrive under one key at once is posted', async () => {
    const db = outside()
    const ctx = { ...stranger(await as('dana', async (ctx) => ctx), 1), db }
    try {
      for (let round = 0; round < 10; round++) {
        const sent = aThread({ title: `Which of the two, in round ${round}?` })
        const threads = await Promise.allSettled([
          startThread(ctx, sent),
          startThread(ctx, { ...sent, body: 'The other one' }),
        ])
        const { id } = await startThread(ctx, aThread())
        const said = comment('One')
        const comments = await Promise.allSettled([
          addComment(ctx, id, said),
          addComment(ctx, id, { ...said, body: 'Another' }),
        ])
        for (const both of [threads, comments]) {
          expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
          expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
            reason: { code: 'idempotency-key-used' },
          })
        }
      }
    } finally {
      await db.query(sql`delete from threads`)
      await db.query(sql`delete from job_queue where kind = ${POST_ADDED_TASK}`)
    }
  })

  test('the stored key differs for the same words in another place', () =>
    as('dana', async (ctx) => {
      const vera = stranger(ctx, 1)
      const { id } = await startThread(vera, aThread())
      await startThread(vera, aThread())
      for (let n = 0; n < 2; n++) await addComment(vera, id, comment('The same words'))
      for (const table of [sql`threads`, sql`comments`]) {
        const rows = await ctx.db.query<{ hash: string }>(
          sql`select encode(sent_hash, 'hex') as hash from ${table}`,
        )
        expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2)
        for (const { hash } of rows) expect(hash).toMatch(/^[0-9a-f]{32}$/)
      }
    }))
})

test('a comment sent to two threads at once is posted once', async () => {
  const db = outside()
  const ctx = { ...stranger(await as('dana', async (ctx) => ctx), 1), db }
  const threads = [await startThread(ctx, aThread()), await startThread(ctx, aThread())]
  try {
    const form = comment('Once is enough')
    for (let round = 0; round < 10; round++) {
      const once = { ...form, idempotencyKey: crypto.randomUUID() }
      const sent = await Promise.allSettled(threads.map(({ id }) => addComment(ctx, id, once)))
      expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
    const [stored] = await db.query<{ n: number }>(sql`select count(*)::int as n from comments`)
    expect(stored?.n).toBe(10)
  } finally {
    await db.query(sql`delete from threads`)
    await db.query(sql`delete from job_queue where kind = ${POST_ADDED_TASK}`)
  }
})
