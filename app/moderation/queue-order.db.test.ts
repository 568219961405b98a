/** In which order posts wait, and which of them are decided together. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { madeUpVisitor } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { addComment, aThread, startThread } from '#tests/support/unlimited.ts'
import { holdPost, lockOrCreateCase, openCase } from './cases.server.ts'
import { keepPost, removePost } from './decision-commands.server.ts'
import { holdBurst } from './new-posts.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { reportPost } from './report-commands.server.ts'

const { as } = withDatabase()
const SPAM = { reason: 'spam', note: '' } as const

interface Scene {
  ada: Ctx
  /** Someone who isn't in the cast, as an author or a reporter. */
  visitor: (n: number, days?: number) => Ctx
}

const scene = (work: (scene: Scene) => Promise<void>) =>
  as('ada', (base) => {
    const ada = { ...base, events }
    const visitor = (n: number, days = 0): Ctx => ({
      ...ada,
      now: () => new Date(ada.now().getTime() + days * 86_400_000),
      actor: madeUpVisitor(`visitor ${n}`),
    })
    return work({ ada, visitor })
  })

async function newThread(ctx: Ctx, body?: string): Promise<PostRef> {
  const { id } = await startThread(ctx, aThread(body ? { body } : {}))
  return { kind: 'thread', id }
}

async function newComment(ctx: Ctx, thread: PostRef, body: string): Promise<PostRef> {
  const form = { body, name: 'pseudonym', idempotencyKey: crypto.randomUUID() } as const
  return { kind: 'comment', id: (await addComment(ctx, thread.id, form)).id }
}

/** As a burst, or reports of three members, do. */
async function hold(ctx: Ctx, post: PostRef) {
  await openCase(ctx, await lockOrCreateCase(ctx, post, 'burst'), 'burst')
  await holdPost(ctx, post)
}

async function idsOf(ctx: Ctx) {
  const ids: string[] = []
  let after: string | undefined
  do {
    const page = await moderationQueue(ctx, { list: 'open', after })
    ids.push(...page.cases.map(({ id }) => id))
    after = page.next ?? undefined
  } while (after)
  return ids
}

test('the queue is sorted by held posts, then most reports, then longest wait', () =>
  scene(async ({ ada, visitor }) => {
    const posts: { id: string; held: number; reports: number; day: number; nth: number }[] = []
    for (let n = 0; n < 45; n++) {
      const post = await newThread(visitor(n))
      const day = Math.floor(n / 9)
      const reports = (n * 7) % 4
      const isHeld = n % 5 === 0 || reports === 0
      for (let who = 0; who < reports; who++) await reportPost(visitor(100 + who, day), post, SPAM)
      if (isHeld) await hold(visitor(n, day), post)
      posts.push({ id: post.id, held: isHeld ? 0 : 1, reports, day, nth: n })
    }
    const expected = posts.toSorted(
      (a, b) => a.held - b.held || b.reports - a.reports || a.day - b.day || a.nth - b.nth,
    )
    expect(await idsOf(ada)).toEqual(expected.map(({ id }) => id))
    // Decided and then reported again, it starts waiting now.
    const again = expected.find(({ held, reports }) => held === 1 && reports === 1)
    const post = { kind: 'thread', id: again?.id as string } as const
    await keepPost(ada, post)
    await reportPost(visitor(100, 9), post, SPAM)
    expect((await idsOf(ada)).at(-1)).toBe(post.id)
  }))

test('held posts of one author link to each other, with their texts but no name', () =>
  scene(async ({ ada, visitor }) => {
    const elsewhere = await newThread(visitor(1))
    const posts: PostRef[] = []
    for (let n = 0; n < 11; n++)
      posts.push(await newComment(visitor(2), elsewhere, `Buy my course, number ${n}.`))
    for (const post of posts) await holdBurst(ada, post)
    const held = (await moderationQueue(ada, { list: 'open' })).cases
    expect(held).toHaveLength(3)
    for (const { id, sameAuthor } of held) {
      expect(sameAuthor.map((it) => it.id).sort()).toEqual(
        held
          .map((it) => it.id)
          .filter((it) => it !== id)
          .sort(),
      )
      expect(sameAuthor[0]).toEqual({
        kind: 'comment',
        seen: 0,
        id: expect.any(String),
        title: 'Is it true about the Thursdays?',
        excerpt: expect.stringMatching(/^Buy my course, number \d+\.$/),
      })
    }
    expect(JSON.stringify(held)).not.toContain('visitor 2')
    // A decided one is no longer among them.
    const [first, second, third] = held.map(({ kind, id }) => ({ kind, id }))
    await removePost(ada, first as PostRef, SPAM)
    await keepPost(ada, second as PostRef)
    const [last] = (await moderationQueue(ada, { list: 'open' })).cases
    expect([last?.id, last?.sameAuthor]).toEqual([third?.id, []])
  }))

test('a moderator’s own report never shows which posts share an author', () =>
  scene(async ({ ada, visitor }) => {
    const [one, other] = [await newThread(visitor(1)), await newThread(visitor(1))]
    for (const post of [one, other]) await reportPost(ada, post, SPAM)
    const { cases } = await moderationQueue(ada, { list: 'open' })
    expect(cases.map(({ sameAuthor }) => sameAuthor)).toEqual([[], []])
    await hold(ada, one)
    const held = await moderationQueue(ada, { list: 'open' })
    expect(held.cases.map(({ sameAuthor }) => sameAuthor)).toEqual([[], []])
    expect(await ada.db.query(sql`select from threads where hidden = 'held'`)).toHaveLength(1)
  }))
