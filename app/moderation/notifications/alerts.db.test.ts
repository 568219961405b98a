/** Notifications about followed companies, on a real database. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { muteThread } from '#app/community/discussions/threads/saved-threads.server.ts'
import { deleteThread } from '#app/community/discussions/threads/thread-commands.server.ts'
import { chooseAlerts, follow } from '#app/companies/following/follow-commands.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { slow } from '#tests/support/amounts.ts'
import { stranger } from '#tests/support/authors.ts'
import { later, withDatabase } from '#tests/support/database.ts'
import {
  listNotifications,
  markAllRead,
  startThread,
  unreadCount,
} from '#tests/support/unlimited.ts'
import { alertOfPolicy, alertOfScores } from './alerts.server.ts'
import { ALERT_THREADS_MAX } from './notification.ts'
import { notifyAuthor, notifyOfPost } from './notification-tasks.server.ts'

const { as, outside } = withDatabase()

const keyOf = (ctx: Ctx) => ctx.actor.authorKey as string

type Choices = Partial<Record<'threads' | 'ratings' | 'policy' | 'is_paused', boolean>>
async function follows(ctx: Ctx, companyId: string, choices: Choices = {}) {
  const { threads = true, ratings = true, policy = true, is_paused = false } = choices
  await follow(ctx, companyId)
  await chooseAlerts(ctx, companyId, { threads, ratings, policy, isPaused: is_paused })
}

/** Starts a thread, and does the task that follows. */
async function newThread(
  ctx: Ctx,
  companyId: string | undefined,
  title = 'Is it true about them?',
) {
  const thread = await write(ctx, companyId, title)
  await notifyOfPost(ctx, { kind: 'thread', id: thread.id })
  return thread
}
const write = (ctx: Ctx, companyId: string | undefined, title = 'Is it true about them?') =>
  startThread(ctx, {
    title,
    body: 'They say nobody comes in.',
    companyId,
    topics: [],
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
const hide = ({ db }: Ctx, id: string) =>
  db.query(sql`update threads set hidden = 'removed' where id = ${id}`)
const notificationsOf = async (ctx: Ctx) => (await listNotifications(ctx)).notifications
const rows = async ({ db }: Ctx) =>
  (await db.query(sql`select from notifications where kind = 'alert'`)).length

describe('a new thread', () => {
  test('dana hears of a new thread about a company she follows, with a link to it', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      const { id, path } = await newThread(stranger(dana, 1), acme)
      expect(await notificationsOf(dana)).toEqual([
        {
          id: expect.any(String),
          kind: 'alert',
          event: 'thread',
          reason: null,
          count: 1,
          isRead: false,
          at: '2026-03-14T09:26Z',
          isAboutComment: false,
          thread: { id, title: 'Is it true about them?', path, isMuted: false },
          company: { id: acme, name: 'Erin and Sons', path: '/erin-and-sons' },
          job: null,
          score: null,
          href: path,
          by: null,
          excerpt: 'They say nobody comes in.',
        },
      ])
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
    }))

  test('new threads count up until dana reads of them, then start over, and several link to the company', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      await newThread(stranger(dana, 1), acme)
      await newThread(later(stranger(dana, 2), 3), acme, 'Another one about them')
      expect(await notificationsOf(dana)).toMatchObject([
        {
          count: 2,
          at: '2026-03-14T09:29Z',
          href: '/erin-and-sons',
          excerpt: 'Latest: Another one about them',
        },
      ])
      await markAllRead(dana)
      await newThread(stranger(dana, 3), acme, 'A third one about them')
      expect(await notificationsOf(dana)).toMatchObject([
        { count: 1, isRead: false, thread: { title: 'A third one about them' } },
      ])
    }))

  test('a new thread is news once, however often its job runs, read or not, in whatever order', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      const first = await write(stranger(dana, 1), acme)
      const second = await write(stranger(dana, 2), acme)
      for (const { id } of [second, first, second, first])
        await notifyOfPost(dana, { kind: 'thread', id })
      expect(await notificationsOf(dana)).toMatchObject([{ count: 2 }])
      await markAllRead(dana)
      for (const { id } of [first, second]) await notifyOfPost(dana, { kind: 'thread', id })
      expect(await notificationsOf(dana)).toMatchObject([{ count: 2, isRead: true }])
    }))

  test('a new thread is news once, even if two processes do its job at once', async () => {
    const dana = { ...(await as('dana', async (ctx) => ctx)), db: outside() }
    const acme = await giveErinHerCompany(dana.db)
    const readers = Array.from({ length: 12 }, (_, n) => stranger(dana, 100 + n))
    for (const reader of readers) await follows(reader, acme)
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push((await write(stranger(dana, n), acme)).id)
    await Promise.all([
      ...[...ids, ...ids.reverse()].map((id) => notifyOfPost(dana, { kind: 'thread', id })),
      ...readers.map((reader) => unreadCount(reader)),
    ])
    const counts = new Set(
      (await Promise.all(readers.map(notificationsOf))).map(([news]) => news?.count),
    )
    for (const id of ids)
      await deleteThread(await as('ada', async (ctx) => ({ ...ctx, db: dana.db })), id)
    await dana.db.query(sql`delete from job_queue`)
    await dana.db.query(sql`delete from companies where id = ${acme}`)
    expect([...counts]).toEqual([4])
    expect(await rows(dana)).toBe(0)
  })

  test('a new thread is no news to its author, or people who paused, muted, unchecked or don’t follow it', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      const [paused, uninterested, muting, stranger4] = [1, 2, 3, 4].map((n) =>
        stranger(dana, n),
      ) as [Ctx, Ctx, Ctx, Ctx]
      await follows(dana, acme)
      await follows(paused, acme, { is_paused: true })
      await follows(uninterested, acme, { threads: false })
      await follows(muting, acme)
      const { id } = await write(dana, acme)
      await muteThread(muting, id, true)
      await notifyOfPost(dana, { kind: 'thread', id })
      expect(await rows(dana)).toBe(0)
      await newThread(stranger4, undefined)
      expect(await rows(dana)).toBe(0)
    }))

  test('a hidden thread is no news, and stops counting if it’s hidden, deleted or moved later', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      const held = await write(stranger(dana, 1), acme)
      await hide(dana, held.id)
      await notifyOfPost(dana, { kind: 'thread', id: held.id })
      expect(await rows(dana)).toBe(0)
      const threads: { id: string }[] = []
      for (let n = 0; n < 4; n++)
        threads.push(await newThread(stranger(dana, n), acme, `Number ${n} about them`))
      const [first, second, third, fourth] = threads.map(({ id }) => id) as [
        string,
        string,
        string,
        string,
      ]
      await hide(dana, fourth)
      expect(await notificationsOf(dana)).toMatchObject([
        { count: 3, excerpt: 'Latest: Number 2 about them' },
      ])
      await deleteThread(stranger(dana, 2), third)
      await dana.db.query(sql`update threads set company_id = null where id = ${second}`)
      const path = `/thread/${first}-number-0-about-them`
      expect(await notificationsOf(dana)).toMatchObject([{ count: 1, href: path }])
      await hide(dana, first)
      expect(await listNotifications(dana)).toEqual({ notifications: [], next: null, unread: 0 })
    }))

  test('a thread held from the start is news once moderators show it, unless it’s old', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      const restored = async (ctx: Ctx, id: string) => {
        await hide(dana, id)
        await notifyOfPost(dana, { kind: 'thread', id })
        await dana.db.query(sql`update threads set hidden = null where id = ${id}`)
        for (let n = 0; n < 2; n++)
          await notifyAuthor(ctx, { kind: 'thread', id, event: 'restored', reason: null })
      }
      await restored(later(dana, 8 * 1_440), (await write(stranger(dana, 1), acme)).id)
      expect(await rows(dana)).toBe(0)
      await restored(later(dana, 1_440), (await write(stranger(dana, 1), acme)).id)
      expect(await notificationsOf(dana)).toMatchObject([{ kind: 'alert', count: 1 }])
    }))

  test(`new threads count up to ${ALERT_THREADS_MAX}`, () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      for (let n = 0; n < ALERT_THREADS_MAX + 3; n++) await newThread(stranger(dana, 1), acme)
      expect(await notificationsOf(dana)).toMatchObject([{ count: ALERT_THREADS_MAX }])
    }))
})

describe('a score', () => {
  const score = ({ db }: Ctx, companyId: string, score: number) =>
    db.query(sql`update company_stats set score = ${score} where company_id = ${companyId}`)

  test('a score is noted first, and news once the shown number moves, from where dana last read it', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      await score(dana, acme, 3.94)
      await alertOfScores(dana)
      expect(await notificationsOf(dana)).toEqual([])
      // Shown as 3.9 still.
      await score(dana, acme, 3.86)
      await alertOfScores(dana)
      expect(await notificationsOf(dana)).toEqual([])
      await score(dana, acme, 4.02)
      await alertOfScores(dana)
      expect(await notificationsOf(dana)).toMatchObject([
        { event: 'rating', score: { from: 3.9, to: 4 }, href: '/erin-and-sons?tab=ratings' },
      ])
      await score(dana, acme, 4.1)
      for (let n = 0; n < 2; n++) await alertOfScores(dana)
      expect(await notificationsOf(dana)).toMatchObject([
        { count: 1, score: { from: 3.9, to: 4.1 } },
      ])
      await markAllRead(dana)
      // Shown as 4.1 still: nothing is told, and what was read stays.
      await score(dana, acme, 4.145)
      await alertOfScores(dana)
      expect(await notificationsOf(dana)).toMatchObject([
        { isRead: true, score: { from: 3.9, to: 4.1 } },
      ])
      await score(dana, acme, 4.2)
      await alertOfScores(dana)
      expect(await notificationsOf(dana)).toMatchObject([
        { isRead: false, score: { from: 4.1, to: 4.2 } },
      ])
    }))

  test('a score that went back before dana read of it is no news', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      for (const each of [3, 4, 3]) {
        await score(dana, acme, each)
        await alertOfScores(dana)
      }
      expect(await rows(dana)).toBe(0)
    }))

  test('a score that’s hidden again is no news, and neither is any to people who paused or unchecked it', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(stranger(dana, 1), acme, { is_paused: true })
      await follows(stranger(dana, 2), acme, { ratings: false })
      for (const each of [3, 4]) {
        await score(dana, acme, each)
        await alertOfScores(dana)
      }
      await follows(dana, acme)
      await score(dana, acme, 0)
      await alertOfScores(dana)
      expect(await rows(dana)).toBe(0)
    }))

  slow.test('scores of all companies are checked, however many there are', () =>
    as('dana', async (dana) => {
      await dana.db.query(sql`
        insert into companies (name, name_key, slug)
        select 'Company ' || n, 'company ' || n, 'company-' || n
          from generate_series(1, 450) n`)
      const companies = await dana.db.query<{ id: string }>(sql`select id from companies`)
      for (const { id } of companies) await follow(dana, id)
      await dana.db.query(sql`update company_stats set score = 3`)
      await alertOfScores(dana)
      // On the edge between two shown numbers.
      await dana.db.query(sql`update company_stats set score = 3.05`)
      await alertOfScores(dana)
      await dana.db.query(sql`update company_stats set score = 4`)
      await alertOfScores(dana)
      expect(await rows(dana)).toBe(450)
    }),
  )
})

describe('a policy', () => {
  const state = ({ db }: Ctx, companyId: string, days: number) =>
    db.query(sql`
      insert into company_policies (company_id, mode, days) values (${companyId}, 'hybrid', ${days})`)

  test('a policy is news once, with what the company says now', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      await follows(stranger(dana, 1), acme, { policy: false })
      await follows(stranger(dana, 2), acme, { is_paused: true })
      // Taken back before the task ran.
      await alertOfPolicy(dana, { companyId: acme })
      expect(await notificationsOf(dana)).toEqual([])
      await state(dana, acme, 2)
      await alertOfPolicy(dana, { companyId: acme })
      expect(await notificationsOf(dana)).toMatchObject([
        {
          event: 'policy',
          reason: null,
          href: '/erin-and-sons?tab=ratings',
          excerpt: 'Hybrid, 2 days a week in the office.',
        },
      ])
      await markAllRead(dana)
      await alertOfPolicy(dana, { companyId: acme })
      expect(await unreadCount(dana)).toEqual({ unread: 0 })
      await state(dana, acme, 3)
      await alertOfPolicy(dana, { companyId: acme })
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
      expect(await rows(dana)).toBe(1)
    }))

  test('a deleted company’s policy is no news, and its rows go', () =>
    as('dana', async (dana) => {
      const acme = await giveErinHerCompany(dana.db)
      await follows(dana, acme)
      await state(dana, acme, 2)
      await alertOfPolicy(dana, { companyId: acme })
      await dana.db.query(sql`delete from companies where id = ${acme}`)
      await alertOfPolicy(dana, { companyId: acme })
      expect(await listNotifications(dana)).toEqual({ notifications: [], next: null, unread: 0 })
      expect(await dana.db.query(sql`select from follows`)).toEqual([])
    }))
})

test('S5: no alert has a key, or says who wrote or who follows', () =>
  as('dana', async (dana) => {
    const acme = await giveErinHerCompany(dana.db)
    const author = stranger(dana, 1)
    for (const reader of [dana, stranger(dana, 2)]) await follows(reader, acme)
    const { id } = await newThread(author, acme)
    const [row] = await dana.db.query<{ name: string }>(
      sql`select author_name as name from threads where id = ${id}`,
    )
    const told = JSON.stringify(await listNotifications(dana))
    for (const secret of [keyOf(dana), keyOf(author), keyOf(stranger(dana, 2)), row?.name])
      expect(told).not.toContain(secret)
  }))
