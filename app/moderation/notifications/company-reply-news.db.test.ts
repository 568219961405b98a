/** Notifications for authors about companies' replies, on a real database. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { muteThread } from '#app/community/discussions/threads/saved-threads.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  aThread,
  listNotifications,
  markAllRead,
  queueDigests,
  startThread,
  unreadCount,
} from '#tests/support/unlimited.ts'
import { DIGEST_MAIL_TASK, type DigestPayload } from './digest.server.ts'
import { chooseDigest } from './digest-choice.server.ts'
import { notifyOfCompanyReply } from './notification-tasks.server.ts'

const { as } = withDatabase()

/** A thread by the person who asks, about erin's company. */
async function aboutErins(ctx: Ctx) {
  const companyId = await giveErinHerCompany(ctx.db)
  const { id, path } = await startThread(ctx, aThread({ companyId }))
  return { id, path, companyId }
}

/** The company replies, and the task that follows is done. */
async function reply(ctx: Ctx, { id, companyId }: { id: string; companyId: string }) {
  const [added] = await ctx.db.query<{ id: string }>(sql`
    insert into company_replies
      (company_id, thread_id, body, html, first_minute, written_minute)
    values (${companyId}, ${id}, 'It is **not** true at all.', '', 1, 1) returning id`)
  const told = { threadId: id, replyId: added?.id as string }
  await notifyOfCompanyReply(ctx, told)
  return told
}
const notificationsOf = async (ctx: Ctx) => (await listNotifications(ctx)).notifications

test.each(['vera', 'dana'] as const)(
  '%s, who wrote the thread, gets the reply with its company and its words',
  (name) =>
    as(name, async (ctx) => {
      const thread = await aboutErins(ctx)
      await reply(ctx, thread)
      expect(await notificationsOf(ctx)).toEqual([
        {
          id: expect.any(String),
          kind: 'company-reply',
          event: null,
          reason: null,
          count: 1,
          isRead: false,
          at: '2026-03-14T09:26Z',
          isAboutComment: false,
          thread: {
            id: thread.id,
            title: 'Is it true about the Thursdays?',
            path: thread.path,
            isMuted: false,
          },
          company: { id: thread.companyId, name: 'Erin and Sons', path: '/erin-and-sons' },
          job: null,
          score: null,
          href: thread.path,
          by: null,
          excerpt: 'It is not true at all.',
        },
      ])
      expect(await unreadCount(ctx)).toEqual({ unread: 1 })
    }),
)

test('a reply is news to no one else, and once, read or not', () =>
  as('dana', async (dana) => {
    const thread = await aboutErins(dana)
    const told = await reply(dana, thread)
    await markAllRead(dana)
    await notifyOfCompanyReply(dana, told)
    expect(await notificationsOf(dana)).toMatchObject([{ count: 1, isRead: true }])
    expect(await dana.db.query(sql`select from notifications`)).toHaveLength(1)
  }))

test('a deleted reply takes its news along, and another one is news again, in the same row', () =>
  as('dana', async (dana) => {
    const thread = await aboutErins(dana)
    const told = await reply(dana, thread)
    await markAllRead(dana)
    await dana.db.query(sql`delete from company_replies where id = ${told.replyId}`)
    await notifyOfCompanyReply(dana, told)
    expect(await notificationsOf(dana)).toEqual([])
    await reply(dana, thread)
    expect(await notificationsOf(dana)).toMatchObject([
      { isRead: false, excerpt: 'It is not true at all.' },
    ])
  }))

test('a reply in a muted thread is no news', () =>
  as('dana', async (dana) => {
    const thread = await aboutErins(dana)
    await muteThread(dana, thread.id, true)
    await reply(dana, thread)
    expect(await notificationsOf(dana)).toEqual([])
  }))

test('a reply in a thread that’s hidden or about another company by now is no news', () =>
  as('dana', async (dana) => {
    const thread = await aboutErins(dana)
    await reply(dana, thread)
    const move = (to: string | null) =>
      dana.db.query(sql`update threads set company_id = ${to} where id = ${thread.id}`)
    await move(null)
    expect(await notificationsOf(dana)).toEqual([])
    await move(thread.companyId)
    await dana.db.query(sql`update threads set hidden = 'held' where id = ${thread.id}`)
    expect(await listNotifications(dana)).toEqual({ notifications: [], next: null, unread: 0 })
  }))

test('the mail about news counts it among the replies, and names no one', () =>
  as('dana', async (dana) => {
    await chooseDigest(dana, 'daily')
    await reply(dana, await aboutErins(dana))
    for (let n = 0; n < 2; n++) await queueDigests(dana)
    const queued = await dana.db.query<{ payload: DigestPayload }>(
      sql`select payload from job_queue where kind = ${DIGEST_MAIL_TASK}`,
    )
    // What is sealed may spell anything.
    const told = queued.map(({ payload: { sealedEmail: _, unsubscribe: __, ...told } }) => told)
    expect(told).toEqual([{ replies: 1, alerts: 0, jobs: 0, mentions: 0, decisions: 0 }])
  }))
