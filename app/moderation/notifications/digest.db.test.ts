/** Mails about news, by a real mail server. */

import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, visitor } from '#app/api/auth/actor.ts'
import { sealedAddress } from '#app/api/auth/addresses.server.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { openAccountRoot } from '#app/api/auth/roots.server.ts'
import type { TaskParts } from '#app/api/feature.server.ts'
import { follow } from '#app/companies/following/follow-commands.server.ts'
import { createMailer, type Mailer } from '#app/platform/mail/mail.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { giveErinHerCompany, testRoot } from '#tests/people.ts'
import { slow } from '#tests/support/amounts.ts'
import { routesOf } from '#tests/support/api.ts'
import { ctxAs, notificationRow, stranger } from '#tests/support/authors.ts'
import { later, testSecrets, withDatabase } from '#tests/support/database.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { ALL_NOTIFICATIONS, markAllRead, queueDigests } from '#tests/support/unlimited.ts'
import { DIGEST_MAIL_TASK, type DigestPayload, sendDigest } from './digest.server.ts'
import {
  chooseDigest,
  ownDigest,
  registerUnsubscribe,
  unsubscribeToken,
} from './digest-choice.server.ts'
import { notificationHandlers, notifications } from './feature.server.ts'
import { notificationContract } from './notification.contract.ts'
import { notifyAuthor, notifyOfPost } from './notification-tasks.server.ts'
import { hide, keyOf, newThread, say } from './notifications.fixture.ts'

const { as } = withDatabase()

/** The routes, called by the person of `ctx`. */
function routesFor(ctx: Ctx) {
  const app = routesOf(notificationContract, notificationHandlers(ALL_NOTIFICATIONS), ctx)
  registerUnsubscribe(app, {
    context: ctx,
    site: { siteName: 'Kettle & Co' },
    htmlPage: (title, body) => `<title>${title}</title>${body}`,
  })
  return app
}

describe('mails about news', () => {
  const letters = { siteName: 'Kettle', siteUrl: () => 'https://kettle.example' }
  /** The tests' day is a Saturday. */

  let server: MailServer
  let mailer: Mailer
  beforeAll(async () => {
    server = await startMailServer()
    const from = 'Kettle <no-reply@kettle.example>'
    mailer = createMailer({ smtpUrl: server.url, from, outboxFolder: '/nowhere' })
  })
  afterAll(async () => {
    mailer.close()
    await server.stop()
  })

  /** The mails in the queue. */
  const queued = async (ctx: Ctx) =>
    (
      await ctx.db.query<{ payload: DigestPayload }>(
        sql`select payload from job_queue where kind = ${DIGEST_MAIL_TASK}`,
      )
    ).map(({ payload }) => payload)

  /** Runs the day's round and sends what it queued; answers what arrived. */
  async function deliver(ctx: Ctx) {
    await queueDigests(ctx)
    return sendQueued(ctx)
  }

  /** The same with whatever is due by the queue's own plan; answers who got a mail. */
  async function deliverDue(ctx: Ctx) {
    const { every, drain } = createQueue(ctx.db, { now: ctx.now })
    const queue = { handle() {}, handleBatch() {}, every }
    const flags = { enableNotifications: true, enableDiscussions: true }
    notifications.tasks?.({ queue, base: ctx, config: { flags } } as unknown as TaskParts)
    await drain()
    return (await sendQueued(ctx)).map(({ to }) => to[0])
  }

  async function sendQueued(ctx: Ctx) {
    const before = server.mails.length
    for (const payload of await queued(ctx)) await sendDigest(ctx, mailer, letters, payload)
    await ctx.db.query(sql`delete from job_queue where kind = ${DIGEST_MAIL_TASK}`)
    return server.mails.slice(before)
  }

  /** Another member, with a confirmed address. */
  async function member(ctx: Ctx, n: number) {
    const id = `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`
    const { hash, sealed } = sealedAddress(testSecrets, id, `member${n}@people.example`)
    const rootSealed = testRoot(testSecrets, id)
    await ctx.db.query(sql`
      insert into accounts
        (id, email_hash, email_sealed, root_sealed, is_email_confirmed, made_in_month)
      values (${id}, ${hash}, ${sealed}, ${rootSealed}, true, '2026-01-01')`)
    const account = { ...(ctx.actor.account as object), id, rootSealed, isEmailConfirmed: true }
    return ctxAs(ctx, {
      account: account as Actor['account'],
      authorKey: authorKeyOfAccount(testSecrets, id),
    })
  }

  test('dana gets no mails until she chooses them, and can change her choice', () =>
    as('dana', async (dana) => {
      expect(await ownDigest(dana)).toEqual({ digest: 'off' })
      for (const digest of ['daily', 'weekly', 'off', 'off'] as const) {
        expect(await chooseDigest(dana, digest)).toEqual({ digest })
        expect(await ownDigest(dana)).toEqual({ digest })
      }
    }))

  test('dana needs an account and a confirmed address to get mails', () =>
    as('dana', async (dana) => {
      const account = { ...dana.actor.account, isEmailConfirmed: false } as Actor['account']
      const unsure = ctxAs(dana, { account })
      await expect(chooseDigest(unsure, 'daily')).rejects.toMatchObject({
        status: 403,
        message: 'Please confirm your email first. We’ve sent you a link.',
      })
      expect(await chooseDigest(unsure, 'off')).toEqual({ digest: 'off' })
      expect(await ownDigest(dana)).toEqual({ digest: 'off' })
      const app = routesFor(stranger(dana, 1))
      expect((await app.inject('/api/v1/my/digest')).statusCode).toBe(401)
      await expect(chooseDigest(stranger(dana, 1), 'daily')).rejects.toMatchObject({ status: 401 })
    }))

  test('dana’s mail says how many, and neither what, where nor who', () =>
    as('dana', async (dana) => {
      const companyId = await giveErinHerCompany(dana.db)
      const { id } = await newThread(dana, { companyId, name: 'username' })
      const elsewhere = await newThread(stranger(dana, 9), { companyId })
      await say(dana, elsewhere.id, 'Signed', { name: 'username' })
      const names: string[] = []
      for (let n = 1; n <= 4; n++)
        names.push((await say(stranger(dana, n), id, 'Secret words')).author?.name ?? '')
      await say(stranger(dana, 5), elsewhere.id, 'Secret words, @Dana')
      await notifyAuthor(dana, { kind: 'thread', id, event: 'moved', reason: 'off-topic' })
      await chooseDigest(dana, 'daily')
      const [mail, ...more] = await deliver(dana)
      expect(more).toEqual([])
      expect(mail).toMatchObject({ to: ['dana@kettle.example'], subject: 'News for you on Kettle' })
      expect(mail?.text).toContain('4 replies to your posts, 1 mention, 1 moderator decision.')
      expect(mail?.links).toContain('https://kettle.example/notifications')
      const words = `${mail?.subject} ${mail?.text} ${mail?.html}`
      for (const secret of [...names, 'Thursdays', 'thread/', 'Erin', 'erin-and-sons', 'Dana'])
        expect(words).not.toContain(secret)
      expect(words).not.toMatch(/secret words|off.topic|moved/i)
      for (const secret of [keyOf(dana), dana.actor.account?.id as string])
        expect(mail?.raw).not.toContain(secret)
    }))

  test('dana’s mail counts alerts without naming a company, and each one once', () =>
    as('dana', async (dana) => {
      const companyId = await giveErinHerCompany(dana.db)
      await follow(dana, companyId)
      await chooseDigest(dana, 'daily')
      const start = async () => {
        const { id } = await newThread(stranger(dana, 1), { companyId })
        await notifyOfPost(dana, { kind: 'thread', id })
        return id
      }
      const hidden = await start()
      await hide(dana, { kind: 'thread', id: hidden })
      expect(await deliver(dana)).toHaveLength(0)
      await start()
      const [mail] = await deliver(dana)
      expect(mail?.text).toContain('\n1 alert about a company you follow.\n')
      // Whatever letters a token is made of.
      const words = `${mail?.subject} ${mail?.text} ${mail?.html}`.replace(/token=[\w-]+/g, '')
      expect(words).not.toMatch(/erin|thursdays/i)
      expect(await deliver(dana)).toHaveLength(0)
    }))

  test('dana’s mail speaks of one in the singular, and can be about decisions alone', () =>
    as('dana', async (dana) => {
      await chooseDigest(dana, 'daily')
      const [first, second] = [await newThread(dana), await newThread(dana)]
      await say(stranger(dana, 1), first.id, 'Hello')
      expect((await deliver(dana))[0]?.text).toContain('\n1 reply to your posts.\n')
      for (const { id } of [first, second])
        await notifyAuthor(dana, { kind: 'thread', id, event: 'moved', reason: null })
      expect((await deliver(dana))[0]?.text).toContain('\n2 moderator decisions.\n')
    }))

  test('dana’s mail repeats nothing, and leaves out what’s read and hidden threads', () =>
    as('dana', async (dana) => {
      await chooseDigest(dana, 'daily')
      const { id } = await newThread(dana)
      await say(stranger(dana, 1), id, 'One')
      expect(await deliver(dana)).toHaveLength(1)
      await say(stranger(dana, 2), id, 'Two')
      expect(await deliver(dana)).toHaveLength(0)
      await markAllRead(dana)
      expect(await deliver(dana)).toHaveLength(0)
      await say(stranger(dana, 3), id, 'Three')
      await hide(dana, { kind: 'thread', id })
      expect(await deliver(dana)).toHaveLength(0)
      await dana.db.query(sql`update threads set hidden = null`)
      expect((await deliver(dana))[0]?.text).toContain('1 reply to your posts.')
    }))

  test('a weekly mail comes once a week, even if no process ran on its day', () =>
    as('dana', async (dana) => {
      const other = await member(dana, 1)
      await chooseDigest(dana, 'weekly')
      await chooseDigest(other, 'daily')
      const replies = async () => {
        for (const ctx of [dana, other])
          await say(stranger(dana, 1), (await newThread(ctx)).id, 'Hi')
      }
      await replies()
      expect((await deliverDue(dana)).toSorted()).toEqual([
        'dana@kettle.example',
        'member1@people.example',
      ])
      await replies()
      expect(await deliverDue(later(dana, 1_440))).toEqual(['member1@people.example'])
      // This is ten days after a Saturday.
      const tuesday = later(dana, 10 * 1_440)
      expect(tuesday.now().getUTCDay()).toBe(2)
      expect(await deliverDue(tuesday)).toEqual(['dana@kettle.example'])
    }))

  test('suspended accounts and unconfirmed addresses get no mails', () =>
    as('dana', async (dana) => {
      const other = await member(dana, 1)
      for (const ctx of [dana, other]) {
        await chooseDigest(ctx, 'daily')
        await say(stranger(dana, 1), (await newThread(ctx)).id, 'Hi')
      }
      await dana.db.query(sql`
        update accounts set is_suspended = true where id = ${dana.actor.account?.id}`)
      await dana.db.query(sql`
        update accounts set is_email_confirmed = false where id = ${other.actor.account?.id}`)
      await queueDigests(dana)
      expect(await queued(dana)).toEqual([])
    }))

  test('dana’s mail is queued with a sealed address and account', () =>
    as('dana', async (dana) => {
      await chooseDigest(dana, 'daily')
      await say(stranger(dana, 1), (await newThread(dana)).id, 'Hi')
      await queueDigests(dana)
      const text = JSON.stringify(await queued(dana))
      expect(text).toContain('"replies":1')
      const { id, emailSealed } = dana.actor.account as NonNullable<Actor['account']>
      for (const secret of [id, emailSealed, 'dana@', keyOf(dana)])
        expect(text).not.toContain(secret)
    }))

  test('a round that stops midway leaves no one out and mails no one twice', () =>
    as('dana', async (dana) => {
      const people = [dana]
      for (let n = 1; n <= 3; n++) people.push(await member(dana, n))
      for (const ctx of people) {
        await chooseDigest(ctx, 'daily')
        await say(stranger(dana, 1), (await newThread(ctx)).id, 'Hi')
      }
      let queuedYet = 0
      const breaking: Ctx = {
        ...dana,
        queue: {
          ...dana.queue,
          async enqueue(...job) {
            if (++queuedYet === 3) throw new Error('on purpose')
            await dana.queue.enqueue(...job)
          },
        },
      }
      await expect(queueDigests(breaking)).rejects.toThrow('on purpose')
      expect(await queued(dana)).toHaveLength(2)
      const mails = await deliver(dana)
      expect(mails.map(({ to }) => to[0]).sort()).toEqual([
        'dana@kettle.example',
        'member1@people.example',
        'member2@people.example',
        'member3@people.example',
      ])
    }))

  test('dana’s mails leave nothing in the tables that ties her account to what she wrote', () =>
    as('dana', async (dana) => {
      await chooseDigest(dana, 'daily')
      await say(stranger(dana, 1), (await newThread(dana)).id, 'Hi')
      await deliver(dana)
      const rows = await dana.db.query(sql`select * from digests`)
      expect(rows).toHaveLength(1)
      for (const secret of [dana.actor.account?.id as string, keyOf(dana)])
        expect(JSON.stringify(rows)).not.toContain(secret)
      await dana.db.query(sql`delete from accounts where id = ${dana.actor.account?.id}`)
      await queueDigests(dana)
      expect(await dana.db.query(sql`select * from digests`)).toEqual([])
    }))

  slow.test('everyone gets a mail, even if that takes several batches', () =>
    as('dana', async (dana) => {
      const ids = Array.from({ length: 450 }, () => crypto.randomUUID())
      const roots = ids.map((id) => testRoot(testSecrets, id))
      await dana.db.query(sql`
        insert into accounts (id, email_hash, email_sealed, root_sealed, is_email_confirmed, made_in_month)
        select id, 'hash ' || id, ${testSecrets.seal('many@people.example')}, root, true, '2026-01-01'
          from unnest(${ids}::uuid[], ${roots}::text[]) as many (id, root)`)
      const { id: threadId } = await newThread(dana)
      const accounts = await dana.db.query<{ id: string }>(
        sql`select id from accounts where email_hash like 'hash %'`,
      )
      for (const { id } of accounts) {
        const account = {
          ...dana.actor.account,
          id,
          rootSealed: testRoot(testSecrets, id),
        } as Actor['account']
        await chooseDigest(ctxAs(dana, { account }), 'daily')
      }
      const rows = accounts.map(({ id }) =>
        notificationRow(openAccountRoot(testSecrets, id, testRoot(testSecrets, id)), {
          kind: 'reply',
          threadId,
          commentId: null,
        }),
      )
      await dana.db.query(sql`
        insert into notifications (key, own_row_key, kind, thread_id, minute)
        select key, own_row_key, 'reply', ${threadId}, 1
          from unnest(${rows.map(({ key }) => key)}::bytea[],
                      ${rows.map(({ ownRowKey }) => ownRowKey)}::bytea[]) as row (key, own_row_key)`)
      await queueDigests(dana)
      expect(await queued(dana)).toHaveLength(450)
    }),
  )

  describe('unsubscribing', () => {
    /** A mail on its way to dana, and its link. */
    async function linkOf(ctx: Ctx) {
      await chooseDigest(ctx, 'daily')
      await say(stranger(ctx, 1), (await newThread(ctx)).id, 'Hi')
      const [mail] = await deliver(ctx)
      const link = mail?.links.find((link) => link.includes('/unsubscribe?'))
      return { mail, url: link?.replace('https://kettle.example', '') as string }
    }

    test('the link works signed out, for its account only, and again and again', () =>
      as('dana', async (dana) => {
        const other = await member(dana, 1)
        await chooseDigest(other, 'weekly')
        const { url } = await linkOf(dana)
        const app = routesFor(ctxAs(dana, visitor))
        const page = await app.inject(url)
        expect(page.statusCode).toBe(200)
        expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(page.headers['cache-control']).toBe('no-store')
        expect(page.body).toContain(`<form method="post" action="${url}"`)
        expect(page.body).toContain('Kettle &amp; Co')
        // A mail scanner opened the link, and nothing happened.
        expect(await ownDigest(dana)).toEqual({ digest: 'daily' })
        for (let n = 0; n < 2; n++) {
          const done = await app.inject({
            method: 'POST',
            url,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
          expect(done.statusCode).toBe(200)
          expect(done.body).toContain('You’re unsubscribed')
        }
        expect(await ownDigest(dana)).toEqual({ digest: 'off' })
        expect(await ownDigest(other)).toEqual({ digest: 'weekly' })
      }))

    test('the mail program’s own unsubscribe button works (RFC 8058)', () =>
      as('dana', async (dana) => {
        for (const [type, payload] of [
          ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
          [
            'multipart/form-data; boundary=x',
            '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
          ],
        ] as const) {
          const { mail, url } = await linkOf(dana)
          expect(mail?.headers['list-unsubscribe']).toBe(`<https://kettle.example${url}>`)
          expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
          const app = routesFor(ctxAs(dana, visitor))
          const headers = { 'content-type': type }
          const done = await app.inject({ method: 'POST', url, headers, payload })
          expect(done.statusCode).toBe(200)
          expect(await ownDigest(dana)).toEqual({ digest: 'off' })
        }
      }))

    test('a queued mail isn’t sent after dana unsubscribes or changes her address', () =>
      as('dana', async (dana) => {
        const before = server.mails.length
        await chooseDigest(dana, 'daily')
        await say(stranger(dana, 1), (await newThread(dana)).id, 'Hi')
        await queueDigests(dana)
        const [payload] = await queued(dana)
        await chooseDigest(dana, 'off')
        await sendDigest(dana, mailer, letters, payload as DigestPayload)
        await chooseDigest(dana, 'daily')
        await dana.db.query(sql`
          update accounts set email_sealed = ${testSecrets.seal('new@kettle.example')}
           where id = ${dana.actor.account?.id}`)
        await sendDigest(dana, mailer, letters, payload as DigestPayload)
        expect(server.mails).toHaveLength(before)
      }))

    test('a broken link says so and changes nothing, and so does any other sealed text', () =>
      as('dana', async (dana) => {
        const { url } = await linkOf(dana)
        const id = dana.actor.account?.id as string
        const app = routesFor(ctxAs(dana, visitor))
        const start = '/unsubscribe?token='
        for (const bad of [
          '/unsubscribe',
          start,
          `${start}%3Cscript%3E`,
          url.slice(0, -1),
          `${start}x${url.slice(start.length)}`,
          `${url}&token=x`,
          `${start}${id}`,
          start + testSecrets.seal(id),
          start + testSecrets.seal(`unsubscribe ${id} `),
          start + testSecrets.seal(`other words ${id}`),
          start + testSecrets.seal(keyOf(dana)),
        ])
          for (const method of ['GET', 'POST'] as const) {
            const { statusCode, body } = await app.inject({ method, url: bad })
            expect([bad, statusCode]).toEqual([bad, 400])
            expect(body).toContain('This link is incomplete')
            expect(body).not.toContain('<script')
          }
        expect(await ownDigest(dana)).toEqual({ digest: 'daily' })
      }))

    test('a link reveals nothing, is new in each mail, and outlives its account', () =>
      as('dana', async (dana) => {
        const other = await member(dana, 1)
        const id = other.actor.account?.id as string
        const [one, two] = [unsubscribeToken(testSecrets, id), unsubscribeToken(testSecrets, id)]
        expect(one).not.toBe(two)
        expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain(id)
        await dana.db.query(sql`delete from accounts where id = ${id}`)
        const app = routesFor(ctxAs(dana, visitor))
        const url = `/unsubscribe?token=${one}`
        expect((await app.inject({ method: 'POST', url })).statusCode).toBe(200)
      }))
  })
})
