/** Dana's thread about Erin's company with vera's comment, and what tests of moderation ask of them. */

import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { giveErinHerCompany, testRoot } from '#tests/people.ts'
import { ctxAs, visitorKey } from '#tests/support/authors.ts'
import { type Cast, testSecrets, type withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { addComment, aThread, startThread } from '#tests/support/unlimited.ts'
import { viewPosts } from './posts.server.ts'

export const SPAM = { reason: 'spam' as Reason, note: '' }
export const APPEAL = 'Please look again, this is my own experience'

export const member = (ctx: Ctx, n: number, isEmailConfirmed = true) =>
  ctxAs(ctx, {
    role: 'member',
    authorKey: visitorKey(1_000 + n),
    account: {
      id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
      sessionId: '00000000-0000-4000-9000-000000000000',
      generation: 0,
      username: `Member${n}`,
      memberSince: '2026-01',
      isEmailConfirmed,
      isEmployer: false,
      hasOwnersAddress: false,
      authenticatedAt: 0,
      isRecovering: false,
      emailSealed: 'sealed',
      newEmailSealed: null,
      rootSealed: testRoot(testSecrets, `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`),
    },
  })

export interface Scene extends Cast {
  ctx: Ctx
  companyId: string
  /** Dana's thread about Erin's company, and vera's comment there. */
  thread: PostRef
  comment: PostRef
}

/** Dana's thread about Erin's company with vera's comment, and everybody looking at it. */
export const sceneOn =
  ({ as, castOn }: Pick<ReturnType<typeof withDatabase>, 'as' | 'castOn'>) =>
  <Result>(work: (scene: Scene) => Promise<Result>) =>
    as('ada', async (base) => {
      const ctx = { ...base, events }
      const people = castOn(ctx)
      const companyId = await giveErinHerCompany(ctx.db)
      const thread = await newThread(people.dana, companyId)
      const comment = await newComment(people.vera, thread.id)
      return work({ ctx, ...people, companyId, thread, comment })
    })

export async function newThread(ctx: Ctx, companyId?: string): Promise<PostRef> {
  const { id } = await startThread(ctx, aThread({ companyId }))
  return { kind: 'thread', id }
}
export async function newComment(ctx: Ctx, threadId: string): Promise<PostRef> {
  const { id } = await addComment(ctx, threadId, {
    body: 'I was there, and it is true.',
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
  return { kind: 'comment', id }
}

export const refused = (status: number, message?: RegExp) =>
  expect.objectContaining({
    status,
    ...(message && { message: expect.stringMatching(message) }),
  })
export const visibilityOf = async ({ db }: Ctx, { kind, id }: PostRef) =>
  (await viewPosts(db, [{ kind, id }])).get(id)?.hidden ?? 'shown'
export const noticeEvents = async ({ db }: Ctx) =>
  (
    await db.query<{ event: string }>(
      sql`select payload ->> 'event' as event from job_queue where kind = 'post-ruled'`,
    )
  )
    .map(({ event }) => event)
    .sort()
