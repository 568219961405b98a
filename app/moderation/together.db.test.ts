/** The queue narrowed by reason and company, and several cases decided in one go. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { decisionContract } from '#app/community/reports/decision.contract.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { Unavailable } from '#app/platform/http/unavailable.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { callsOf } from '#tests/support/api.ts'
import { madeUpVisitor } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { aRating, rate, rater } from '#tests/support/raters.ts'
import { addComment, aThread, startThread } from '#tests/support/unlimited.ts'
import {
  keepPost,
  keepPosts,
  pinThread,
  removePost,
  removePosts,
  slowThread,
} from './decision-commands.server.ts'
import { decisionHandlers } from './feature.server.ts'
import type { Case } from './moderation.contract.ts'
import { undoDecision } from './moderation-log.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { reportPost } from './report-commands.server.ts'

const { as, castOn } = withDatabase()
const SPAM = { reason: 'spam', note: '' } as const

interface Scene {
  ada: Ctx
  olga: Ctx
  companyId: string
  /** Someone who isn't in the cast. */
  visitor: (n: number) => Ctx
}

const scene = (work: (scene: Scene) => Promise<void>) =>
  as('ada', async (base) => {
    const ada = { ...base, events }
    const visitor = (n: number): Ctx => ({
      ...ada,
      actor: madeUpVisitor(`together ${n}`),
    })
    await work({
      ada,
      olga: castOn(ada).olga,
      visitor,
      companyId: await giveErinHerCompany(ada.db),
    })
  })

let people = 0
async function reported(
  { visitor }: Scene,
  { reason, companyId }: { reason: Reason; companyId?: string },
): Promise<PostRef> {
  people += 2
  const { id } = await startThread(visitor(people), aThread({ companyId }))
  const post = { kind: 'thread', id } as const
  await reportPost(visitor(people + 1), post, { reason, note: '' })
  return post
}

const idsOf = ({ cases }: { cases: Case[] }) => cases.map(({ id }) => id).toSorted()
const open = { list: 'open' } as const

test('Ada narrows the queue by reason and by company, and every count is exact', () =>
  scene(async (world) => {
    const { ada, companyId, visitor } = world
    const spam = await reported(world, { reason: 'spam', companyId })
    const threat = await reported(world, { reason: 'threat', companyId })
    const elsewhere = await reported(world, { reason: 'spam' })
    // A comment is about the company of its thread.
    const form = {
      body: 'Buy beans',
      name: 'pseudonym',
      idempotencyKey: crypto.randomUUID(),
    } as const
    const { id } = await addComment(visitor(901), spam.id, form)
    await reportPost(visitor(902), { kind: 'comment', id }, SPAM)

    const all = await moderationQueue(ada, open)
    expect(all.matching).toBe(4)
    expect(all.reasons).toEqual([
      { why: 'spam', count: 3 },
      { why: 'threat', count: 1 },
    ])
    expect(all.companies).toMatchObject([{ id: companyId, count: 3 }])

    const ofSpam = await moderationQueue(ada, { ...open, why: 'spam' })
    expect(idsOf(ofSpam)).toEqual([spam.id, elsewhere.id, id].toSorted())
    expect(ofSpam).toMatchObject({ matching: 3, companies: [{ id: companyId, count: 2 }] })

    const ofCompany = await moderationQueue(ada, { ...open, company: companyId })
    expect(idsOf(ofCompany)).toEqual([spam.id, threat.id, id].toSorted())
    expect(ofCompany.reasons).toEqual([
      { why: 'spam', count: 2 },
      { why: 'threat', count: 1 },
    ])
    const both = await moderationQueue(ada, { ...open, why: 'threat', company: companyId })
    expect(both).toMatchObject({ matching: 1, counts: { open: 4 } })
    expect(idsOf(both)).toEqual([threat.id])
  }))

test('a case with two reasons is found by either, but not by a settled one', () =>
  scene(async (world) => {
    const { ada, visitor } = world
    const post = await reported(world, { reason: 'spam' })
    await reportPost(visitor(911), post, { reason: 'off-topic', note: '' })
    await keepPost(ada, post)
    await reportPost(visitor(912), post, { reason: 'threat', note: '' })
    const counts = await moderationQueue(ada, { ...open, why: 'threat' })
    expect(counts).toMatchObject({ matching: 1, reasons: [{ why: 'threat', count: 1 }] })
    expect((await moderationQueue(ada, { ...open, why: 'spam' })).matching).toBe(0)
  }))

test('appeals are filtered by their post’s removal reason, and bursts as a reason of their own', () =>
  scene(async (world) => {
    const { ada } = world
    const post = await reported(world, { reason: 'other' })
    await removePost(ada, post, SPAM)
    await ada.db.query(sql`
      update moderation_cases set appeal = 'Look again', appeal_status = 'open'
       where thread_id = ${post.id}`)
    const burst = await reported(world, { reason: 'threat' })
    await ada.db.query(sql`
      update moderation_cases set cause = 'burst' where thread_id = ${burst.id}`)
    const appeals = { list: 'appeals' } as const
    expect(await moderationQueue(ada, { ...appeals, why: 'spam' })).toMatchObject({
      matching: 1,
      reasons: [{ why: 'spam', count: 1 }],
    })
    expect(await moderationQueue(ada, { ...appeals, why: 'other' })).toMatchObject({ cases: [] })
    expect(idsOf(await moderationQueue(ada, { ...open, why: 'burst' }))).toEqual([burst.id])
  }))

test('ada removes several posts, and one that another moderator kept meanwhile stays', () =>
  scene(async (world) => {
    const { ada } = world
    const posts = [
      await reported(world, { reason: 'spam' }),
      await reported(world, { reason: 'spam' }),
      await reported(world, { reason: 'spam' }),
    ]
    const { cases } = await moderationQueue(ada, open)
    const seen = cases.map(({ kind, id, seen }) => ({ kind, id, seen }))
    const [kept] = posts as [PostRef]
    await keepPost(ada, kept)

    const { decided, left } = await removePosts(ada, seen, SPAM)
    expect(decided.map(({ id }) => id).toSorted()).toEqual(
      posts
        .slice(1)
        .map(({ id }) => id)
        .toSorted(),
    )
    expect(left).toEqual([
      { ...kept, why: expect.stringMatching(/^Meanwhile, ada kept a thread$/i) },
    ])
    expect(await hidden(ada, kept)).toBeNull()
    for (const { kind, id } of decided) expect(await hidden(ada, { kind, id })).toBe('removed')
    // Each can be taken back for itself.
    for (const { entry } of decided) await undoDecision(ada, entry)
    expect((await moderationQueue(ada, open)).matching).toBe(2)
  }))

test('a moderator who saw the post was kept can remove it, and a post named twice is decided once', () =>
  scene(async (world) => {
    const { ada } = world
    const post = await reported(world, { reason: 'spam' })
    const { entry } = await keepPost(ada, post)
    const together = await removePosts(
      ada,
      [
        { ...post, seen: entry },
        { ...post, seen: entry },
      ],
      SPAM,
    )
    expect(together).toMatchObject({ decided: [{ id: post.id }], left: [] })
  }))

const callAs = callsOf(decisionContract, decisionHandlers)

test('an outdated page can’t remove what olga just kept until ada has read so', () =>
  scene(async (world) => {
    const { ada, olga } = world
    const post = await reported(world, { reason: 'spam' })
    const [seen] = (await moderationQueue(ada, open)).cases.map((it) => it.seen)
    const { entry } = await keepPost(olga, post)
    const remove = (seen?: number) =>
      callAs(ada)('POST /api/v1/moderation/posts/{kind}/{id}/remove', {
        params: post,
        body: { ...SPAM, seen },
      })
    await expect(remove(seen)).rejects.toMatchObject({
      status: 409,
      message: 'Meanwhile, Olga kept a thread',
    })
    expect(await hidden(ada, post)).toBeNull()
    await remove(entry)
    expect(await hidden(ada, post)).toBe('removed')
  }))

test('olga’s slow mode stays if ada’s page is outdated, and a decision on other aspects still works', () =>
  scene(async (world) => {
    const { ada, olga } = world
    const { id } = await reported(world, { reason: 'spam' })
    const call = callAs(ada)
    const latest = async () =>
      (await call('GET /api/v1/moderation/threads/{id}/latest', { params: { id } })).entries[id]
    expect(await latest()).toBeUndefined()
    const pinned = await pinThread(olga, id)
    expect(await latest()).toBe(pinned.entry)
    await slowThread(olga, id, 10)
    const params = { id }
    const seen = pinned.entry
    await expect(
      call('POST /api/v1/moderation/threads/{id}/slow', { params, body: { minutes: 2, seen } }),
    ).rejects.toMatchObject({
      message: 'Meanwhile, Olga put a thread in slow mode: one comment every 10 minutes',
    })
    await call('POST /api/v1/moderation/threads/{id}/unpin', { params, body: { seen } })
    await call('POST /api/v1/moderation/threads/{id}/lock', { params, body: { seen } })
  }))

test('a page of a thread learns the last entry about each of its posts, and a company’s about its notes', () =>
  scene(async (world) => {
    const { ada, companyId, visitor } = world
    const thread = await reported(world, { reason: 'spam', companyId })
    const elsewhere = await reported(world, { reason: 'spam' })
    const form = {
      body: 'Buy beans',
      name: 'pseudonym',
      idempotencyKey: crypto.randomUUID(),
    } as const
    const { id } = await addComment(visitor(921), thread.id, form)
    await keepPost(ada, elsewhere)
    const removed = await removePost(ada, { kind: 'comment', id }, SPAM)
    const kept = await keepPost(ada, thread)
    const call = callAs(ada)
    expect(
      await call('GET /api/v1/moderation/threads/{id}/latest', { params: { id: thread.id } }),
    ).toEqual({ entries: { [id]: removed.entry, [thread.id]: kept.entry } })

    const given = aRating({ rto: 2, note: 'Ask about the desks' })
    const rated = await rate(rater(ada, 1), companyId, given, { minShown: 1, ratingBatch: 1 })
    const note = { kind: 'note', id: rated.id } as const
    const ruled = await removePost(ada, note, SPAM)
    expect(
      await call('GET /api/v1/moderation/companies/{id}/latest', { params: { id: companyId } }),
    ).toEqual({ entries: { [note.id]: ruled.entry } })
  }))

test('posts that are gone or undecidable are skipped with a reason, and the others are kept', () =>
  scene(async (world) => {
    const { ada } = world
    const post = await reported(world, { reason: 'spam' })
    const gone = { kind: 'thread', id: crypto.randomUUID(), seen: 0 } as const
    const { decided, left } = await keepPosts(ada, [gone, { ...post, seen: 0 }])
    expect(decided).toMatchObject([{ id: post.id }])
    expect(left).toEqual([{ kind: 'thread', id: gone.id, why: 'This post no longer exists' }])
  }))

test('if the database goes away midway, the answer says what wasn’t decided', () =>
  scene(async (world) => {
    const { ada } = world
    const posts = [
      await reported(world, { reason: 'spam' }),
      await reported(world, { reason: 'spam' }),
    ].map((post) => ({ ...post, seen: 0 }))
    let writes = 0
    const now = () => {
      writes += 1
      if (writes > 2) throw new Unavailable()
      return ada.now()
    }
    const { decided, left } = await keepPosts({ ...ada, now }, posts)
    expect(decided.length + left.length).toBe(2)
    expect(left).toMatchObject([{ why: 'This didn’t go through. Please try again.' }])
    await expect(keepPosts({ ...ada, now: () => now() }, posts.slice(1))).rejects.toMatchObject({
      status: 503,
    })
  }))

async function hidden({ db }: Ctx, { id }: PostRef) {
  const [row] = await db.query<{ hidden: string | null }>(
    sql`select hidden from threads where id = ${id}`,
  )
  return row?.hidden
}
