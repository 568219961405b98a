/** Threads and comments with a badge on a real database: "works at Acme", once enough colleagues have one. D64. */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { PostBadge } from '#app/companies/badges/badge.contract.ts'
import { BADGES_SHOWN, showBadges } from '#app/companies/badges/post-badges.server.ts'
import { actorLike } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { badged, badgeFor, type Holder, holderFor } from '#tests/support/holders.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { addComment, startThread } from '#tests/support/unlimited.ts'
import { deleteComment, editComment } from '../comments/comment-commands.server.ts'
import { commentsPage } from '../comments/comment-queries.server.ts'
import { editThread } from '../threads/thread-commands.server.ts'
import { listThreads, myThread, threadById } from '../threads/thread-queries.server.ts'

const { as } = withDatabase()
let today = '2026-03-14'
const issuer = issuerOn(() => today)
afterAll(() => issuer.stop())
afterEach(() => {
  today = '2026-03-14'
})

const DOMAIN = 'acme.example'
async function company({ db }: Ctx, name = 'Acme') {
  const [row] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, slug, website)
    values (${name}, ${name.toLowerCase()}, ${name.toLowerCase()},
            ${`https://www.${name.toLowerCase()}.example`}) returning id`)
  return row?.id as string
}
async function employee(ctx: Ctx, companyId: string) {
  const holder = await holderFor(ctx, issuer)
  const email = 'dana@acme.example'
  return {
    holder,
    badge: await badgeFor(ctx, issuer, { holder, companyId, domain: DOMAIN, email }),
  }
}
const openDomain = ({ db }: Ctx) => db.query(sql`insert into badge_domains values (${DOMAIN})`)

const THREAD = { title: 'Is it true about the Thursdays?', body: 'They say nobody comes in.' }
const COMMENT = { title: '', body: 'I was there.' }

const newThread = (
  ctx: Ctx,
  badge?: PostBadge,
  idempotencyKey: string = randomUUID(),
  about = {},
) =>
  startThread(
    ctx,
    { ...THREAD, topics: [], name: 'pseudonym', idempotencyKey, badge, ...about },
    issuer,
  )
const newComment = (
  ctx: Ctx,
  threadId: string,
  badge?: PostBadge,
  idempotencyKey: string = randomUUID(),
) =>
  addComment(
    ctx,
    threadId,
    { body: COMMENT.body, name: 'pseudonym', idempotencyKey, badge },
    issuer,
  )
function shown(badge: Holder, companyId: string, post: { title: string; body: string }) {
  const idempotencyKey = randomUUID()
  return {
    idempotencyKey,
    badge: badged(badge, { companyId, domain: DOMAIN }, { ...post, idempotencyKey }),
  }
}
const commentsOf = async (ctx: Ctx, id: string) =>
  (await commentsPage(ctx, id, { sort: 'best' })).comments

describe('a thread and a comment with a badge', () => {
  test('a badged post shows the company once its badges show, and until then its author sees it’s waiting', () =>
    as('dana', async (ctx) => {
      const acme = await company(ctx)
      const { badge } = await employee(ctx, acme)
      const proven = shown(badge, acme, THREAD)
      const thread = await newThread(ctx, proven.badge, proven.idempotencyKey)
      const said = shown(badge, acme, COMMENT)
      const comment = await newComment(ctx, thread.id, said.badge, said.idempotencyKey)
      const plain = await newComment(ctx, thread.id)
      expect(comment.badge).toBeNull()
      expect(await threadById(ctx, thread.id)).toMatchObject({ badge: null })
      expect((await myThread(ctx, thread.id)).hiddenBadges.toSorted()).toEqual(
        [thread.id, comment.id].toSorted(),
      )
      const stranger = { ...ctx, actor: actorLike(ctx.actor, 'wim') }
      expect((await myThread(stranger, thread.id)).hiddenBadges).toEqual([])
      await openDomain(ctx)
      const view = { name: 'Acme', path: '/acme' }
      expect(await threadById(ctx, thread.id)).toMatchObject({ badge: view })
      expect((await myThread(ctx, thread.id)).hiddenBadges).toEqual([])
      const comments = await commentsOf(ctx, thread.id)
      expect(comments.find(({ id }) => id === comment.id)).toMatchObject({ badge: view })
      expect(comments.find(({ id }) => id === plain.id)).toMatchObject({ badge: null })
      // Sent twice it is the same comment, and says the same.
      expect(await newComment(ctx, thread.id, said.badge, said.idempotencyKey)).toMatchObject({
        id: comment.id,
        badge: view,
      })
    }))

  test('a badged post keeps its badge when its text changes, but a stub has none', () =>
    as('dana', async (ctx) => {
      const acme = await company(ctx)
      await openDomain(ctx)
      const { badge } = await employee(ctx, acme)
      const proven = shown(badge, acme, THREAD)
      const { id } = await newThread(ctx, proven.badge, proven.idempotencyKey)
      const said = shown(badge, acme, COMMENT)
      const comment = await newComment(ctx, id, said.badge, said.idempotencyKey)
      expect(comment.badge).toMatchObject({ name: 'Acme' })
      await editThread(ctx, id, { ...THREAD, body: 'Nobody at all.', topics: [] })
      await editComment(ctx, comment.id, 'I was there, and alone.')
      expect(await threadById(ctx, id)).toMatchObject({ badge: { name: 'Acme' } })
      expect(await commentsOf(ctx, id)).toMatchObject([{ badge: { name: 'Acme' } }])
      await addComment(
        ctx,
        id,
        { body: 'And?', name: 'pseudonym', idempotencyKey: randomUUID(), parentId: comment.id },
        issuer,
      )
      await deleteComment(ctx, comment.id)
      const [stub] = await commentsOf(ctx, id)
      expect(stub).toMatchObject({ isDeleted: true, badge: null })
      expect(await ctx.db.query(sql`select from comments where badge_domain is not null`)).toEqual(
        [],
      )
    }))

  test('a badged post keeps its company after a merge', () =>
    as('dana', async (ctx) => {
      const [acme, globex] = [await company(ctx), await company(ctx, 'Globex')]
      await openDomain(ctx)
      const { badge } = await employee(ctx, acme)
      const said = shown(badge, acme, COMMENT)
      const { id } = await newThread(ctx)
      await newComment(ctx, id, said.badge, said.idempotencyKey)
      await ctx.db.query(sql`
        insert into company_merges (id, company_id, into_id, name, edit_id)
        values (${acme}, ${globex}, ${globex}, 'Acme', 1)`)
      await ctx.db.query(sql`delete from companies where id = ${acme}`)
      expect(await commentsOf(ctx, id)).toMatchObject([{ badge: { name: 'Globex' } }])
      await ctx.db.query(sql`delete from companies where id = ${globex}`)
      expect(await commentsOf(ctx, id)).toMatchObject([{ badge: null }])
    }))

  test('a badged post is refused if its proof is for other words, or another key, company, domain or quarter', () =>
    as('dana', async (ctx) => {
      const [acme, globex] = [await company(ctx), await company(ctx, 'Globex')]
      const { holder, badge } = await employee(ctx, acme)
      const { id } = await newThread(ctx)
      const { idempotencyKey, badge: good } = shown(badge, acme, COMMENT)
      const words = shown(badge, acme, { title: '', body: 'I was not there.' })
      const lent = { companyId: acme, domain: DOMAIN }
      for (const [wrong, sent] of [
        [words.badge, words.idempotencyKey],
        [shown(badge, acme, { ...COMMENT, title: 'A title' }).badge, idempotencyKey],
        [good, randomUUID()],
        [{ ...good, quarter: '2025-Q4' }, idempotencyKey],
        [{ ...good, presentation: Buffer.alloc(260).toString('base64url') }, idempotencyKey],
        // A rating credential isn't a badge.
        [badged(holder, lent, { ...COMMENT, idempotencyKey }), idempotencyKey],
      ] as const)
        await expect(newComment(ctx, id, wrong, sent)).rejects.toMatchObject({ status: 400 })
      for (const wrong of [
        { ...good, companyId: globex },
        { ...good, domain: 'globex.example' },
        { ...good, companyId: randomUUID() },
      ])
        await expect(newComment(ctx, id, wrong, idempotencyKey)).rejects.toMatchObject({
          status: 409,
        })
      await expect(
        newComment(
          ctx,
          id,
          { ...good, companyId: globex, domain: 'globex.example' },
          idempotencyKey,
        ),
      ).rejects.toMatchObject({ status: 400 })
      await expect(newThread(ctx, good, idempotencyKey)).rejects.toMatchObject({ status: 400 })
      await expect(
        addComment(ctx, id, { body: COMMENT.body, name: 'pseudonym', idempotencyKey, badge: good }),
      ).rejects.toMatchObject({ status: 400 })
      expect(await commentsOf(ctx, id)).toEqual([])
      today = '2026-06-30'
      await newComment(ctx, id, good, idempotencyKey)
      today = '2026-07-01'
      const late = shown(badge, acme, COMMENT)
      await expect(newComment(ctx, id, late.badge, late.idempotencyKey)).rejects.toMatchObject({
        status: 400,
      })
    }))

  test('two badged posts aren’t linked: each proof has another tag, and none is stored', () =>
    as('dana', async (ctx) => {
      const acme = await company(ctx)
      const { badge } = await employee(ctx, acme)
      const proofs = [1, 2].map(() => shown(badge, acme, COMMENT))
      const tags = proofs.map(({ badge }) =>
        Buffer.from(badge.presentation, 'base64url').subarray(99, 132).toString('hex'),
      )
      expect(new Set(tags).size).toBe(2)
      const { id } = await newThread(ctx)
      for (const one of proofs) await newComment(ctx, id, one.badge, one.idempotencyKey)
      const rows = JSON.stringify(await ctx.db.query(sql`select to_jsonb(c) from comments c`))
      for (const tag of tags) expect(rows).not.toContain(tag)
    }))
})

test('the list of threads can show only those whose badge shows', () =>
  as('dana', async (ctx) => {
    const acme = await company(ctx)
    const { badge } = await employee(ctx, acme)
    const proven = shown(badge, acme, THREAD)
    const { id } = await newThread(ctx, proven.badge, proven.idempotencyKey, { companyId: acme })
    await newThread(ctx)
    const list = async (sort: 'hot' | 'new' | 'top', company?: string) =>
      (await listThreads(ctx, { sort, period: 'week', verified: 'yes', company })).threads.map(
        (thread) => thread.id,
      )
    expect(await list('new')).toEqual([])
    await openDomain(ctx)
    for (const sort of ['hot', 'new', 'top'] as const) {
      expect(await list(sort)).toEqual([id])
      expect(await list(sort, acme)).toEqual([id])
      expect(await list(sort, randomUUID())).toEqual([])
    }
  }))

test('the night that shows a domain clears cached pages', () =>
  as('dana', async (ctx) => {
    for (let n = 1; n <= 10; n++)
      await ctx.db.query(sql`
        insert into badge_holders (address_hash, link_hash, domain, quarter)
        values (${Buffer.alloc(32, n)}, ${Buffer.alloc(32, n)}, ${DOMAIN}, '2026-Q1')`)
    const told: string[][] = []
    const events = [
      {
        to: BADGES_SHOWN,
        run: async (_: unknown, { domains }: { domains: string[] }) => void told.push(domains),
      },
    ]
    await showBadges({ ...ctx, events: events as never })
    await showBadges({ ...ctx, events: events as never })
    expect(told).toEqual([[DOMAIN]])
  }))
