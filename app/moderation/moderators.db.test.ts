/** What moderators decide, and what stays with administrators. D58. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { addComment, startThread } from '#tests/support/unlimited.ts'
import { acceptAppeal, appealRemoval } from './appeal-commands.server.ts'
import { removePost } from './decision-commands.server.ts'
import { moderationLog, undoDecision } from './moderation-log.server.ts'
import { suspendAuthor } from './suspension-commands.server.ts'

const { as } = withDatabase()

const draft = () => ({
  body: '',
  topics: [],
  name: 'pseudonym' as const,
  idempotencyKey: crypto.randomUUID(),
})

const SPAM = { reason: 'spam' as const, note: '' }
const refused = (status: number) => expect.objectContaining({ status })

interface Scene {
  /** Of the cast, whom ada made a moderator. */
  mila: Ctx
  ada: Ctx
  vera: Ctx
  comment: PostRef
}

/** Vera's comment; dana's account is a moderator's. */
async function scene(work: (scene: Scene) => Promise<void>) {
  const { actor: ada } = await as('ada', async (ctx) => ctx)
  const { actor: vera } = await as('vera', async (ctx) => ctx)
  await as('dana', async (base) => {
    const ctx = { ...base, events }
    const seen = { ada: { ...ctx, actor: ada }, vera: { ...ctx, actor: vera } }
    await ctx.db.query(sql`insert into moderators (id) values (${ctx.actor.account?.id})`)
    const mila: Ctx = { ...ctx, actor: { ...ctx.actor, role: 'moderator' } }
    const { id } = await startThread(seen.ada, { title: 'Who has seen the kettle?', ...draft() })
    const said = await addComment(seen.vera, id, { ...draft(), body: 'I have.' })
    await work({ ...seen, mila, comment: { kind: 'comment', id: said.id } })
  })
}

const undoable = async (ctx: Ctx, entry: number) =>
  (await moderationLog(ctx)).entries.find((it) => it.entry === entry)?.mayUndo

test('a moderator can undo a removal, but not a suspension', () =>
  scene(async ({ mila, ada, comment }) => {
    const removed = await removePost(ada, comment, SPAM)
    const suspended = await suspendAuthor(ada, comment, { days: 7, reason: 'spam' })
    expect(await undoable(mila, suspended.entry)).toBe(false)
    expect(await undoable(ada, suspended.entry)).toBe(true)
    await expect(undoDecision(mila, suspended.entry)).rejects.toEqual(refused(403))
    expect(await mila.db.query(sql`select from suspensions`)).toHaveLength(1)
    expect(await undoable(mila, removed.entry)).toBe(true)
    await undoDecision(mila, removed.entry)
    await undoDecision(ada, suspended.entry)
  }))

test('of two moderators, the one who removed a post can’t decide its appeal', () =>
  scene(async ({ mila, ada, vera, comment }) => {
    // Without olga, there are only these two.
    await ada.db.query(sql`delete from admin_users where id <> ${ada.actor.account?.id}`)
    await removePost(ada, comment, SPAM)
    await appealRemoval(vera, comment, 'Please look again, this is my own experience')
    await expect(acceptAppeal(ada, comment)).rejects.toEqual(refused(403))
    await acceptAppeal(mila, comment)
  }))
