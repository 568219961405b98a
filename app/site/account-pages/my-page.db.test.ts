/** One request for what is one's own on a page answers what each feature answers alone. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { myThread } from '#app/community/discussions/threads/thread-queries.server.ts'
import { accountHandlers } from '#app/identity/accounts/feature.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { startThread, voteThread } from '#tests/support/unlimited.ts'
import { myPageHandlers } from './feature.server.ts'

const { as } = withDatabase()

const ON = { enableNotifications: true, enableDiscussions: true } as Parameters<
  typeof myPageHandlers
>[0]
const ask = (ctx: Ctx, thread?: string, flags = ON) =>
  myPageHandlers(flags)['GET /api/v1/my-page'](ctx, { query: { thread } } as never)

const newThread = (ctx: Ctx) =>
  startThread(ctx, {
    title: 'Who has seen the kettle?',
    body: '',
    topics: [],
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })

test('dana learns who she is, what’s unread, and how she voted in the thread', async () => {
  const { actor } = await as('dana', async (ctx) => ctx)
  await as('vera', async (vera) => {
    const { id } = await newThread(vera)
    const dana = { ...vera, actor }
    await voteThread(dana, id, 1)
    const { me, unread, thread } = await ask(dana, id)
    expect(me).toEqual(await accountHandlers['GET /api/v1/me'](dana, {} as never))
    expect(me.profile?.username).toBe('Dana')
    expect(unread).toBe(0)
    expect(thread).toEqual(await myThread(dana, id))
    expect(thread?.vote).toBe(1)
    expect((await ask(vera, id)).thread).toMatchObject({ isMine: true, vote: 0 })
  })
})

test('dana’s other facts come even if there’s no thread, or its part is switched off', () =>
  as('dana', async (ctx) => {
    const { id } = await newThread(ctx)
    expect(await ask(ctx)).toMatchObject({ me: { role: 'member' }, unread: 0, thread: undefined })
    const off = { ...ON, enableNotifications: false, enableDiscussions: false }
    expect(await ask(ctx, id, off)).toMatchObject({ unread: undefined, thread: undefined })
    await ctx.db.query(
      sql`update threads set hidden = 'removed', hidden_reason = 'spam' where id = ${id}`,
    )
    await expect(myThread(ctx, id)).rejects.toMatchObject({ status: 410 })
    expect((await ask(ctx, id)).thread).toBeUndefined()
  }))
