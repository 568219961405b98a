/** Contact messages on a real database: who may do what, what becomes of them, what is kept. */

import { solveChallenge } from 'altcha-lib/v1'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressHash } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createSpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { bindContract } from '#app/api/bind.server.ts'
import { createMailer, type Mailer } from '#app/platform/mail/mail.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { bareHttp, callsOf, openPolicies } from '#tests/support/api.ts'
import { ctxAs } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { aThread, startThread } from '#tests/support/unlimited.ts'
import {
  type AnswerPayload,
  answerMessage,
  CONTACT_ANSWER_TASK,
  changeSavedAnswer,
  deleteSavedAnswer,
  saveAnswer,
  sendAnswer,
} from './answer-commands.server.ts'
import { contactContract } from './contact.contract.ts'
import { CONTACT_STATUSES, type ContactStatus } from './contact.ts'
import {
  addLabel,
  assignMessage,
  changeStatus,
  forgetUnusedLabels,
  removeLabel,
  sendMessage as sendTo,
  sweepContactMessages,
} from './contact-commands.server.ts'
import {
  addressesIn,
  contactChoices,
  contactEmailContext,
  type InboxQuery,
  contactMessages as messagesOf,
  savedAnswers,
  unreadMessages,
} from './contact-queries.server.ts'
import { contactHandlers } from './feature.server.ts'

const { as, outside } = withDatabase()

const SENDER = {
  siteName: 'Kettle',
  siteUrl: () => 'https://kettle.example',
  contactEmail: 'contact@kettle.example',
}

const SITE = { siteUrl: () => 'https://kettle.example', legalNoticeHours: 24 }
const sendMessage = (ctx: Ctx, given: Parameters<typeof sendTo>[1]) => sendTo(ctx, given, SITE)
const contactMessages = (ctx: Ctx, query: InboxQuery) => messagesOf(ctx, query, SITE)

const letter = (more: Partial<Parameters<typeof sendTo>[1]> = {}) => ({
  name: 'Vera Example',
  email: 'Vera@Example.org',
  message: 'Please look at this company.',
  idempotencyKey: crypto.randomUUID(),
  ...more,
})
const vera = (ctx: Ctx) =>
  ctxAs(ctx, { role: 'visitor', account: null, authorKey: 'the key of her browser' })

const inbox = (ctx: Ctx, filter: 'all' | 'unread' | 'archived' = 'all', search?: string) =>
  contactMessages(ctx, { filter, search })
const names = async (...asked: Parameters<typeof inbox>) =>
  (await inbox(...asked)).messages.map(({ name }) => name)

/** A message of vera's, in the inbox. */
async function received(ctx: Ctx, more: Parameters<typeof letter>[0] = {}) {
  await sendMessage(vera(ctx), letter(more))
  const [message] = (await inbox(ctx)).messages
  if (!message) throw new Error('Nothing was received')
  return message
}

describe('sending a message', () => {
  test.each(['vera', 'dana', 'erin', 'ada', 'olga'] as const)(
    'Spec §6: %s can send a message',
    (name) =>
      as(name, async (ctx) => {
        expect(await sendMessage(ctx, letter())).toEqual({ isReceived: true })
      }),
  )

  test('Spec §7.2: a message has a name, an email and its text, and arrives unread', () =>
    as('ada', async (ctx) => {
      expect(await received(ctx)).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Vera Example',
        email: 'vera@example.org',
        message: 'Please look at this company.',
        status: 'unread',
        createdAt: '2026-03-14T09:00:00Z',
        subject: 'general',
        answerBy: null,
        assignee: null,
        isMine: false,
        labels: [],
        links: [],
        answers: [],
      })
    }))

  test('a message keeps the hour and a sealed address, and nothing about who sent it', () =>
    as('dana', async (ctx) => {
      await sendMessage(ctx, letter({ email: 'dana@kettle.example' }))
      const [row] = await ctx.db.query<Record<string, unknown>>(sql`select * from contact_messages`)
      expect(row?.created_at).toBe('2026-03-14T09:00:00Z')
      const kept = JSON.stringify(row)
      const { account, authorKey } = ctx.actor
      const known = [
        'dana@kettle.example',
        account?.id,
        account?.sessionId,
        authorKey,
        ctx.network,
        // What the accounts know the same address by.
        addressHash(ctx.secrets, 'dana@kettle.example'),
      ]
      for (const secret of known) expect(kept).not.toContain(secret)
      const place = contactEmailContext(row?.id as string)
      expect(ctx.secrets.open(row?.email_sealed as string, place)).toBe('dana@kettle.example')
    }))

  test('a message that’s sent twice arrives once', () =>
    as('ada', async (ctx) => {
      const twice = letter()
      await sendMessage(vera(ctx), twice)
      expect(await sendMessage(vera(ctx), twice)).toEqual({ isReceived: true })
      expect((await inbox(ctx)).messages).toHaveLength(1)
    }))

  test.each([
    ['message', { message: 'And one more thing.' }],
    ['name', { name: 'Vera Other' }],
    ['address', { email: 'other@example.org' }],
    ['subject', { subject: 'legal' as const }],
  ])('a used key with another %s is refused', (_, change) =>
    as('ada', async (ctx) => {
      const sent = letter()
      await sendMessage(vera(ctx), sent)
      await expect(sendMessage(vera(ctx), { ...sent, ...change })).rejects.toMatchObject({
        status: 409,
        code: 'idempotency-key-used',
      })
      expect(await sendMessage(vera(ctx), { ...sent, name: ' Vera Example' })).toEqual({
        isReceived: true,
      })
      expect((await inbox(ctx)).messages).toMatchObject([{ message: sent.message }])
    }),
  )

  test('invisible characters are removed, and can’t be a message’s only ones', () =>
    as('ada', async (ctx) => {
      const message = await received(ctx, { name: ' Ve\u202era ', message: 'Hi\r\nthere\0\u200b ' })
      expect(message).toMatchObject({ name: 'Vera', message: 'Hi\nthere' })
      for (const blank of [{ name: '\u200b' }, { message: '\u2060\u200b' }])
        await expect(sendMessage(vera(ctx), letter(blank))).rejects.toMatchObject({ status: 400 })
    }))

  test.each([
    ['a name of two lines', { name: 'Vera\nBcc: all@example.org' }],
    ['a name with a line end that only Unicode knows', { name: 'Ve\u2028ra' }],
    ['an address of two lines', { email: 'vera@example.org\r\nBcc: all@example.org' }],
    ['two addresses', { email: 'vera@example.org, all@example.org' }],
    ['no address', { email: 'nobody' }],
    ['a blank name', { name: ' ' }],
    ['a blank message', { message: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(101) }],
    ['a message that is too long', { message: 'x'.repeat(5_001) }],
    ['a message that is too long once composed', { message: '\ufb2c'.repeat(5_000) }],
  ])('%s is refused with a sentence, and nothing is stored', (_, bad) =>
    as('ada', async (ctx) => {
      await expect(sendMessage(vera(ctx), letter(bad))).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/^[A-Z].{10,}/),
      })
      expect((await inbox(ctx)).messages).toEqual([])
    }),
  )
})

describe('the inbox', () => {
  test.each(['vera', 'dana', 'erin'] as const)('Spec §6: %s can’t read the inbox', (name) =>
    as(name, async (ctx) => {
      const inbox = callsOf(contactContract, contactHandlers(SITE))(ctx)(
        'GET /api/v1/contact-messages',
      )
      await expect(inbox).rejects.toMatchObject(
        name === 'vera'
          ? { status: 401 }
          : { status: 403, message: 'Only an administrator can manage contact messages' },
      )
    }),
  )

  test.each(['ada', 'olga'] as const)('Spec §6: %s can read the inbox', (name) =>
    as(name, async (ctx) => {
      const { id } = await received(ctx)
      expect(await unreadMessages(ctx)).toEqual({ unread: 1 })
      await changeStatus(ctx, id, 'read')
      expect(await inbox(ctx)).toMatchObject({ messages: [{ id, status: 'read' }] })
      expect(await unreadMessages(ctx)).toEqual({ unread: 0 })
    }),
  )

  test('Spec §7.2: the inbox filters all but deleted, unread and archived messages, newest first', () =>
    as('ada', async (ctx) => {
      for (const status of CONTACT_STATUSES) {
        const { id } = await received(ctx, { name: status })
        if (status !== 'unread') await changeStatus(ctx, id, status === 'read' ? 'read' : status)
      }
      expect(await names(ctx)).toEqual(['archived', 'read', 'unread'])
      expect(await names(ctx, 'unread')).toEqual(['unread'])
      expect(await names(ctx, 'archived')).toEqual(['archived'])
    }))

  test('the inbox continues page by page, however many messages share an hour', () =>
    as('ada', async (ctx) => {
      for (let n = 0; n < 65; n++) await sendMessage(vera(ctx), letter({ name: `Vera ${n}` }))
      const seen: string[] = []
      const sizes: number[] = []
      let after: string | undefined
      do {
        const page = await contactMessages(ctx, { filter: 'all', after })
        seen.push(...page.messages.map(({ name }) => name))
        sizes.push(page.messages.length)
        after = page.next ?? undefined
      } while (after)
      expect(sizes).toEqual([30, 30, 5])
      expect(seen).toEqual(Array.from({ length: 65 }, (_, n) => `Vera ${64 - n}`))
      const { next } = await inbox(ctx)
      for (const wrong of ['x', next ?? ''])
        await expect(
          contactMessages(ctx, { filter: 'unread', after: wrong }),
        ).rejects.toMatchObject({ status: 400 })
    }))
})

describe('search', () => {
  test('a search finds all its words’ beginnings in names and texts', () =>
    as('ada', async (ctx) => {
      await received(ctx, { name: 'Jörg Müller', message: 'Write to WWW.Acme-Corp.example' })
      await received(ctx, { name: 'Mia', message: 'It’s about a rating.' })
      for (const search of ['muller', 'MÜLL', 'acme', 'corp jorg', ' jörg  '])
        expect(await names(ctx, 'all', search)).toEqual(['Jörg Müller'])
      expect(await names(ctx, 'all', 'acme rating')).toEqual([])
      expect(await names(ctx, 'all', 'üller')).toEqual([])
      expect(await names(ctx, 'archived', 'muller')).toEqual([])
    }))

  test('a search finds a whole address in any case, and no part of one', () =>
    as('ada', async (ctx) => {
      await received(ctx, { name: 'One', email: 'one@example.org', message: 'Hello' })
      await received(ctx, { name: 'Two', email: 'two@example.org', message: 'Hello' })
      expect(await names(ctx, 'all', ' ONE@example.org ')).toEqual(['One'])
      expect(await names(ctx, 'all', 'one@')).toEqual(['One'])
      expect(await names(ctx, 'all', 'example.org')).toEqual([])
    }))

  test.each(["'", '\\', "':* | !", '((', '--', '%', '\u0000', '\ud800', 'x '.repeat(127)])(
    'a search for punctuation is no error (%#)',
    (search) =>
      as('ada', async (ctx) => {
        await received(ctx)
        expect(await names(ctx, 'all', search)).toEqual([])
      }),
  )

  test('a search finds rare words behind more messages than it scans, in order and by page', () =>
    as('ada', async (ctx) => {
      for (let n = 0; n < 32; n++)
        await sendMessage(vera(ctx), letter({ name: `Rare ${n}`, message: 'A samovar' }))
      await ctx.db.query(sql`
        insert into contact_messages (idempotency_key, name, email_hash, email_sealed, message, created_at, search)
        select gen_random_uuid(), 'Many', email_hash, email_sealed, 'More', created_at,
               array_to_tsvector(array['more'])
          from (select * from contact_messages limit 1) one, generate_series(1, 1500)`)
      const first = await inbox(ctx, 'all', 'samov')
      expect(first.messages[0]?.name).toBe('Rare 31')
      expect(first.messages).toHaveLength(30)
      const second = await contactMessages(ctx, {
        filter: 'all',
        search: 'samov',
        after: first.next ?? undefined,
      })
      expect(second.messages.map(({ name }) => name)).toEqual(['Rare 1', 'Rare 0'])
      expect(second.next).toBeNull()
      // The others are counted as far as it goes.
      expect(await unreadMessages(ctx)).toEqual({ unread: 1_000 })
    }))
})

describe('a message’s status', () => {
  /** Each way a message can be brought into a status. */
  const ways: Record<ContactStatus, ContactStatus[]> = {
    unread: [],
    read: ['read'],
    archived: ['archived'],
    deleted: ['deleted'],
  }
  const allowed = new Set([
    'unread read',
    'unread archived',
    'unread deleted',
    'read unread',
    'read archived',
    'read deleted',
    'archived read',
    'archived deleted',
    // Spec §4: any message that isn't archived can be.
    'deleted archived',
  ])
  const steps = CONTACT_STATUSES.flatMap((from) =>
    CONTACT_STATUSES.map((to) => [from, to] as const),
  )

  test.each(steps)('Spec §4: a message goes from %s to %s', (from, to) =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx)
      for (const step of ways[from]) await changeStatus(ctx, id, step)
      const change = changeStatus(ctx, id, to)
      const isAllowed = allowed.has(`${from} ${to}`)
      if (isAllowed) expect(await change).toEqual({ status: to })
      else
        await expect(change).rejects.toMatchObject({
          status: 409,
          message: expect.stringMatching(/message/),
        })
      const [row] = await ctx.db.query<{ status: string }>(
        sql`select status from contact_messages where id = ${id}`,
      )
      expect(row?.status).toBe(isAllowed ? to : from)
    }),
  )

  test('a missing message’s status can’t change: 404', () =>
    as('ada', async (ctx) => {
      await expect(changeStatus(ctx, crypto.randomUUID(), 'read')).rejects.toMatchObject({
        status: 404,
      })
    }))

  test('a deleted message keeps its words for 30 days, and then goes with its answers', () =>
    as('ada', async (ctx) => {
      const gone = await received(ctx, { name: 'Gone' })
      const back = await received(ctx, { name: 'Back' })
      await received(ctx, { name: 'Never' })
      await answerMessage(ctx, gone.id, { text: 'Thank you', idempotencyKey: crypto.randomUUID() })
      await changeStatus(ctx, gone.id, 'deleted')
      await changeStatus(ctx, back.id, 'deleted')
      const on = (day: string) => ({ ...ctx, now: () => new Date(`${day}T12:00:00Z`) })
      const kept = async () =>
        (
          await ctx.db.query<{ name: string }>(
            sql`select name from contact_messages order by number`,
          )
        ).map(({ name }) => name)
      await sweepContactMessages(on('2026-04-12'))
      expect(await kept()).toEqual(['Gone', 'Back', 'Never'])
      await changeStatus(ctx, back.id, 'archived')
      await sweepContactMessages(on('2026-04-13'))
      expect(await kept()).toEqual(['Back', 'Never'])
      expect(await ctx.db.query(sql`select from contact_answers`)).toEqual([])
    }))
})

describe('an answer', () => {
  let server: MailServer
  let mailer: Mailer
  beforeAll(async () => {
    server = await startMailServer()
    mailer = createMailer({
      smtpUrl: server.url,
      from: 'Kettle <no-reply@kettle.example>',
      outboxFolder: '/nowhere',
    })
  })
  afterAll(async () => {
    mailer.close()
    await server.stop()
  })

  /** Whatever is queued, as tasks would do it. */
  async function sendQueued(ctx: Ctx) {
    const queue = await ctx.db.query<{ payload: AnswerPayload }>(
      sql`select payload from job_queue where kind = ${CONTACT_ANSWER_TASK}`,
    )
    for (const { payload } of queue) await sendAnswer(ctx, mailer, SENDER, payload)
    return queue.map(({ payload }) => payload)
  }

  test('the site mails an answer, not the administrator, and keeps it below its message', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx)
      const idempotencyKey = crypto.randomUUID()
      const text = ' Thank you.\n\nWe looked at it:\r\nit is done. '
      const answer = {
        id: idempotencyKey,
        administrator: 'Ada',
        body: 'Thank you.\n\nWe looked at it:\nit is done.',
        day: '2026-03-14',
        isSent: false,
      }
      expect(await answerMessage(ctx, id, { text, idempotencyKey })).toEqual(answer)
      expect((await inbox(ctx)).messages[0]?.answers).toEqual([answer])
      // No address and no word lies open in the queue.
      expect(await sendQueued(ctx)).toEqual([{ answerId: idempotencyKey }])

      const mail = await server.next()
      expect(mail).toMatchObject({
        to: ['vera@example.org'],
        from: 'no-reply@kettle.example',
        fromName: 'Kettle',
        subject: 'Your message to Kettle',
      })
      expect(mail.headers['reply-to']).toBe('contact@kettle.example')
      expect(mail.text).toContain('Thank you.\n\nWe looked at it:\nit is done.')
      // What is made by chance, such as the mail's own id, may hold these letters.
      expect(mail.raw.replace(/[0-9a-f]{12,}/g, '')).not.toMatch(/ada/i)
      expect((await inbox(ctx)).messages[0]?.answers).toEqual([{ ...answer, isSent: true }])
    }))

  test('an answer isn’t mailed twice, or once its message is gone', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx)
      await answerMessage(ctx, id, { text: 'Once', idempotencyKey: crypto.randomUUID() })
      const before = server.mails.length
      await sendQueued(ctx)
      await sendQueued(ctx)
      expect(server.mails).toHaveLength(before + 1)
      await answerMessage(ctx, id, { text: 'Never', idempotencyKey: crypto.randomUUID() })
      await ctx.db.query(sql`delete from contact_messages`)
      await sendQueued(ctx)
      expect(server.mails).toHaveLength(before + 1)
    }))

  test('an answer that’s sent twice is one answer and one mail', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx)
      const answer = { text: 'Hello', idempotencyKey: crypto.randomUUID() }
      await answerMessage(ctx, id, answer)
      expect(await answerMessage(ctx, id, answer)).toMatchObject({ body: 'Hello' })
      expect((await inbox(ctx)).messages[0]?.answers).toHaveLength(1)
      expect(await sendQueued(ctx)).toHaveLength(1)
      await expect(
        answerMessage(ctx, id, { ...answer, text: 'Hello again' }),
      ).rejects.toMatchObject({
        status: 409,
        code: 'idempotency-key-used',
      })
      const other = await received(ctx)
      await expect(answerMessage(ctx, other.id, answer)).rejects.toMatchObject({ status: 409 })
    }))

  test('an answer needs a message, and words within the limit', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx)
      const answer = (text: string, to = id) =>
        Promise.resolve().then(() =>
          answerMessage(ctx, to, { text, idempotencyKey: crypto.randomUUID() }),
        )
      await expect(answer(' ')).rejects.toMatchObject({ status: 400 })
      await expect(answer('x'.repeat(5_001))).rejects.toMatchObject({ status: 400 })
      await expect(answer('Hello', crypto.randomUUID())).rejects.toMatchObject({ status: 404 })
      await changeStatus(ctx, id, 'deleted')
      await expect(answer('Hello')).rejects.toMatchObject({ status: 409 })
      expect(await sendQueued(ctx)).toEqual([])
    }))
})

describe('the inbox over HTTP', () => {
  const DIFFICULTY = 300

  /** The routes as each person: by the name in `authorization`. */
  function routesOf(ctx: Ctx, { hasRateLimits = false, difficulty = 0 } = {}) {
    const app = bareHttp()
    const spamChecks = createSpamChecks(difficulty)
    const roles: Record<string, Ctx> = {
      ada: ctx,
      dana: ctxAs(ctx, { role: 'member' }),
      erin: ctxAs(ctx, { role: 'employer' }),
      olga: ctxAs(ctx, { role: 'owner' }),
    }
    bindContract(app, contactContract, contactHandlers(SITE), {
      contextOf: async ({ authorization, network }) => ({
        ...(roles[authorization ?? ''] ?? vera(ctx)),
        network,
      }),
      policies: openPolicies({ hasRateLimits, spamChecks }),
    })
    const ask = (method: 'GET' | 'POST' | 'PUT', url: string, who = 'vera', payload?: object) =>
      app.inject({ method, url, payload, headers: { authorization: who } })
    return { ask, spamChecks }
  }
  const AT = '/api/v1/contact-messages'

  test('Spec §6: every endpoint answers each role as it should', () =>
    as('ada', async (ctx) => {
      const { ask } = routesOf(ctx)
      for (const who of ['vera', 'dana', 'erin', 'ada', 'olga'])
        expect((await ask('POST', AT, who, letter())).statusCode).toBe(201)
      const { messages } = await inbox(ctx)
      const codes = async (who: string, n: number) => {
        const id = messages[n]?.id
        const answer = { text: 'Hello', idempotencyKey: crypto.randomUUID() }
        return [
          (await ask('GET', AT, who)).statusCode,
          (await ask('GET', `${AT}/unread`, who)).statusCode,
          (await ask('PUT', `${AT}/${id}/status`, who, { status: 'archived' })).statusCode,
          (await ask('POST', `${AT}/${id}/answers`, who, answer)).statusCode,
        ]
      }
      expect(await codes('vera', 0)).toEqual([401, 401, 401, 401])
      expect(await codes('dana', 0)).toEqual([403, 403, 403, 403])
      expect(await codes('erin', 0)).toEqual([403, 403, 403, 403])
      expect(await codes('ada', 0)).toEqual([200, 200, 200, 201])
      expect(await codes('olga', 1)).toEqual([200, 200, 200, 201])
    }))

  test('bad input gets a 4xx and a sentence', () =>
    as('ada', async (ctx) => {
      const { ask } = routesOf(ctx)
      const bad = [
        { ...letter(), name: '' },
        { ...letter(), name: 'a\nb' },
        { ...letter(), email: 'a@b\nBcc: c@d' },
        { ...letter(), email: 'x'.repeat(200_000) },
        { ...letter(), message: 'x'.repeat(5_001) },
        { ...letter(), message: 'x'.repeat(200_000) },
        { ...letter(), message: 7 },
        { ...letter(), idempotencyKey: 'x' },
        {},
      ]
      for (const body of bad) {
        const refused = await ask('POST', AT, 'vera', body)
        expect(refused.statusCode).toBe(400)
        expect(refused.json().error.message).toMatch(/\w+ \w+/)
      }
      const long = await ask('POST', AT, 'vera', { ...letter(), message: 'x'.repeat(200_000) })
      expect(long.json().error.message).toMatch(/At most 5,000 characters, please$/)
      // More than a request may hold at all.
      const huge = await ask('POST', AT, 'vera', { ...letter(), message: 'x'.repeat(1_100_000) })
      expect(huge.statusCode).toBe(413)
      for (const query of ['filter=deleted', 'after=x', `search=${'x'.repeat(255)}`])
        expect((await ask('GET', `${AT}?${query}`, 'ada')).statusCode).toBe(400)
      expect((await ask('PUT', `${AT}/x/status`, 'ada', { status: 'read' })).statusCode).toBe(400)
      const { id } = await received(ctx)
      const unknown = await ask('PUT', `${AT}/${id}/status`, 'ada', { status: 'lost' })
      expect(unknown.statusCode).toBe(400)
      expect((await inbox(ctx)).messages).toHaveLength(1)
    }))

  test('a network that sends a lot has to wait', () =>
    as('ada', async (ctx) => {
      const { ask } = routesOf(ctx, { hasRateLimits: true })
      for (let n = 0; n < 10; n++)
        expect((await ask('POST', AT, 'vera', letter())).statusCode).toBe(201)
      // Another person of the same network, too.
      const refused = await ask('POST', AT, 'dana', letter())
      expect(refused.statusCode).toBe(429)
      expect(refused.json().error.message).toMatch(
        /^Too many requests\. Please wait \d+ seconds\.$/,
      )
      expect((await inbox(ctx)).messages).toHaveLength(10)
    }))

  test('visitors and unconfirmed members solve a spam check, and confirmed members don’t', () =>
    as('ada', async (ctx) => {
      const { ask, spamChecks } = routesOf(ctx, { difficulty: DIFFICULTY })
      expect((await ask('POST', AT, 'dana', letter())).statusCode).toBe(201)
      expect((await ask('POST', AT, 'vera', letter())).statusCode).toBe(403)
      const asked = await spamChecks.challenge(vera(ctx))
      const { algorithm, challenge, salt, signature, maxnumber } = asked
      const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
      const solved = { algorithm, challenge, salt, signature, number: solution?.number }
      const spamCheck = Buffer.from(JSON.stringify(solved)).toString('base64')
      expect((await ask('POST', AT, 'vera', { ...letter(), spamCheck })).statusCode).toBe(201)
      // Each one counts once.
      expect((await ask('POST', AT, 'vera', { ...letter(), spamCheck })).statusCode).toBe(403)
    }))
})

test('the queue sends an answer and removes the job', () =>
  as('ada', async (ctx) => {
    const sent: string[] = []
    const queue = createQueue(ctx.db, { now: ctx.now })
    queue.handle(CONTACT_ANSWER_TASK, (payload) =>
      sendAnswer(ctx, { send: async ({ to }) => void sent.push(to) }, SENDER, payload),
    )
    const { id } = await received(ctx)
    await answerMessage(ctx, id, { text: 'Hello', idempotencyKey: crypto.randomUUID() })
    await queue.drain()
    expect(sent).toEqual(['vera@example.org'])
    expect(
      await ctx.db.query(sql`select from job_queue where kind = ${CONTACT_ANSWER_TASK}`),
    ).toEqual([])
  }))

describe('a legal notice', () => {
  const hour = (ctx: Ctx, iso: string) => ({ ...ctx, now: () => new Date(iso) })
  const legal = (name: string, ctx: Ctx, at: string) =>
    sendMessage(vera(hour(ctx, at)), letter({ name, subject: 'legal' }))

  test('legal notices come before all other messages, the oldest first, across pages', () =>
    as('ada', async (ctx) => {
      for (let n = 0; n < 33; n++) await legal(`Notice ${n}`, ctx, '2026-03-14T09:26:53Z')
      for (let n = 0; n < 33; n++) await sendMessage(vera(ctx), letter({ name: `Vera ${n}` }))
      const first = await inbox(ctx)
      expect(first.messages[0]).toMatchObject({
        name: 'Notice 0',
        subject: 'legal',
        answerBy: '2026-03-15T09:00:00Z',
      })
      const seen = first.messages.map(({ name }) => name)
      for (let after = first.next; after; ) {
        const page = await contactMessages(ctx, { filter: 'all', after })
        seen.push(...page.messages.map(({ name }) => name))
        after = page.next
      }
      expect(seen).toEqual([
        ...Array.from({ length: 33 }, (_, n) => `Notice ${n}`),
        ...Array.from({ length: 33 }, (_, n) => `Vera ${32 - n}`),
      ])
      expect(await names(ctx, 'all', 'notice 32')).toEqual(['Notice 32'])
      expect(await names(ctx, 'archived')).toEqual([])
    }))

  test('a legal notice that’s answered or archived returns to its place by date', () =>
    as('ada', async (ctx) => {
      await legal('First', ctx, '2026-03-14T09:26:53Z')
      await legal('Second', ctx, '2026-03-14T09:26:53Z')
      await received(ctx, { name: 'Later' })
      const [one, two] = (await inbox(ctx)).messages
      await answerMessage(ctx, one?.id as string, {
        text: 'Yes',
        idempotencyKey: crypto.randomUUID(),
      })
      await changeStatus(ctx, two?.id as string, 'archived')
      const kept = (await inbox(ctx)).messages.map(({ name, answerBy }) => `${name} ${answerBy}`)
      expect(kept).toEqual(['Later null', 'Second null', 'First null'])
      await changeStatus(ctx, two?.id as string, 'read')
      expect(await names(ctx)).toEqual(['Second', 'Later', 'First'])
    }))

  test.each(['general', 'privacy', 'press'] as const)(
    'a message about %s isn’t a legal notice',
    (subject) =>
      as('ada', async (ctx) => {
        expect(await received(ctx, { subject })).toMatchObject({ subject, answerBy: null })
      }),
  )
})

describe('a message’s administrator', () => {
  test('ada takes a message, hands it on or lets it go, and filters by it', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx, { name: 'Taken' })
      await received(ctx, { name: 'Free' })
      const list = async (assigned: 'mine' | 'nobody') =>
        (await contactMessages(ctx, { filter: 'all', assigned })).messages.map(({ name }) => name)
      expect(await assignMessage(ctx, id, { assignee: 'Ada', was: null })).toEqual({
        assignee: 'Ada',
        isMine: true,
      })
      expect([await list('mine'), await list('nobody')]).toEqual([['Taken'], ['Free']])
      await assignMessage(ctx, id, { assignee: 'Olga', was: 'Ada' })
      expect([await list('mine'), await list('nobody')]).toEqual([[], ['Free']])
      // A former administrator has nothing assigned.
      await ctx.db.query(sql`
        delete from admin_users where id = (select account_id from profiles where username = 'Olga')`)
      expect(await list('nobody')).toEqual(['Free', 'Taken'])
      await assignMessage(ctx, id, { assignee: 'Ada', was: null })
      await assignMessage(ctx, id, { assignee: null, was: 'Ada' })
      expect(await list('nobody')).toEqual(['Free', 'Taken'])
    }))

  test('only an administrator can take a message, and only one that exists', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx)
      const give = (assignee: string, was: string | null = null, to = id) =>
        assignMessage(ctx, to, { assignee, was })
      for (const name of ['Dana', 'Nobody', "x' or true --", 'a\0b'])
        await expect(give(name)).rejects.toMatchObject({
          status: 409,
          message: expect.stringMatching(/isn’t an administrator/),
        })
      await expect(give('Ada', 'Olga')).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(/no longer assigned/),
      })
      await expect(give('Ada', null, crypto.randomUUID())).rejects.toMatchObject({ status: 404 })
      await changeStatus(ctx, id, 'deleted')
      await expect(give('Ada')).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(/deleted/),
      })
    }))

  test('if ada and olga take a message at once, one has it and the other reads who', async () => {
    const db = outside()
    const keep = async (ctx: Ctx) => ctx
    const ada = { ...(await as('ada', keep)), db }
    const olga = { ...(await as('olga', keep)), db }
    try {
      for (let n = 0; n < 5; n++) {
        const { id } = await received(ada, { name: 'Wanted' })
        const taken = await Promise.allSettled([
          assignMessage(ada, id, { assignee: 'Ada', was: null }),
          assignMessage(olga, id, { assignee: 'Olga', was: null }),
        ])
        const winner = (await inbox(ada)).messages[0]?.assignee
        expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        expect(taken.find(({ status }) => status === 'rejected')).toMatchObject({
          reason: { status: 409, message: `${winner} has taken this message` },
        })
      }
    } finally {
      await db.query(sql`delete from contact_messages`)
    }
  })
})

describe('labels', () => {
  test('ada adds labels, filters by them and removes them, and unused ones disappear', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx, { name: 'One' })
      const other = await received(ctx, { name: 'Two' })
      expect(await addLabel(ctx, id, ' To  Lawyer ')).toEqual({ labels: ['to lawyer'] })
      expect(await addLabel(ctx, id, 'TO LAWYER')).toEqual({ labels: ['to lawyer'] })
      await addLabel(ctx, other.id, 'thanks')
      expect((await contactChoices(ctx)).labels).toEqual(['thanks', 'to lawyer'])
      const under = async (label: string) =>
        (await contactMessages(ctx, { filter: 'all', label })).messages.map(({ name }) => name)
      expect(await under('to lawyer')).toEqual(['One'])
      expect(await under('lawyer')).toEqual([])
      expect(await removeLabel(ctx, id, 'to lawyer')).toEqual({ labels: [] })
      expect((await contactChoices(ctx)).labels).toEqual(['thanks'])
      await ctx.db.query(sql`delete from contact_messages`)
      await forgetUnusedLabels(ctx.db)
      expect((await contactChoices(ctx)).labels).toEqual([])
    }))

  test('a deleted message keeps its labels until it’s back', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx)
      await addLabel(ctx, id, 'lawyer')
      await changeStatus(ctx, id, 'deleted')
      for (const change of [addLabel, removeLabel])
        await expect(change(ctx, id, 'lawyer')).rejects.toMatchObject({
          status: 409,
          message: 'This message was deleted',
        })
      await changeStatus(ctx, id, 'archived')
      expect(await removeLabel(ctx, id, 'lawyer')).toEqual({ labels: [] })
    }))

  test('a message has up to five labels, and the site thirty', () =>
    as('ada', async (ctx) => {
      const { id } = await received(ctx)
      for (const bad of [' ', 'x'.repeat(25), '\u200b'])
        await expect(Promise.resolve().then(() => addLabel(ctx, id, bad))).rejects.toMatchObject({
          status: 400,
        })
      for (let n = 0; n < 5; n++) await addLabel(ctx, id, `label ${n}`)
      await expect(addLabel(ctx, id, 'one more')).rejects.toMatchObject({ status: 409 })
      await ctx.db.query(sql`
        insert into contact_labels select 'other ' || n from generate_series(1, 25) n`)
      const other = await received(ctx)
      await expect(addLabel(ctx, crypto.randomUUID(), 'x')).rejects.toMatchObject({ status: 404 })
      expect(await addLabel(ctx, other.id, 'label 1')).toEqual({ labels: ['label 1'] })
      await expect(addLabel(ctx, other.id, 'the 31st')).rejects.toMatchObject({
        status: 409,
        message: 'There are already 30 labels. Please use one of them.',
      })
    }))
})

describe('saved answers', () => {
  test('ada writes, changes and deletes saved answers, which are sorted by title', () =>
    as('ada', async (ctx) => {
      const { id } = await saveAnswer(ctx, { title: ' Thanks ', body: 'Dear {name}, from {site}' })
      await saveAnswer(ctx, { title: 'A no', body: 'No.' })
      expect((await savedAnswers(ctx)).answers.map(({ title }) => title)).toEqual([
        'A no',
        'Thanks',
      ])
      for (const again of ['THANKS', 'a NO'])
        await expect(saveAnswer(ctx, { title: again, body: 'x' })).rejects.toMatchObject({
          status: 409,
        })
      await expect(changeSavedAnswer(ctx, id, { title: 'A no', body: 'x' })).rejects.toMatchObject({
        status: 409,
      })
      expect(await changeSavedAnswer(ctx, id, { title: 'thanks', body: 'Yes' })).toEqual({
        id,
        title: 'thanks',
        body: 'Yes',
      })
      expect(await deleteSavedAnswer(ctx, id)).toEqual({ isDeleted: true })
      await expect(deleteSavedAnswer(ctx, id)).rejects.toMatchObject({ status: 404 })
      await expect(changeSavedAnswer(ctx, id, { title: 'x', body: 'x' })).rejects.toMatchObject({
        status: 404,
      })
    }))

  test.each(['{nmae}', 'Dear {name', 'name}', '{', '{{name}}', '{ name }'])(
    'a saved answer with a broken placeholder is refused with a sentence: %s',
    (body) =>
      as('ada', async (ctx) => {
        const { id } = await saveAnswer(ctx, { title: 'Thanks', body: 'As it was' })
        for (const save of [
          () => saveAnswer(ctx, { title: 'New', body }),
          () => changeSavedAnswer(ctx, id, { title: 'Thanks', body }),
        ])
          await expect(Promise.resolve().then(save)).rejects.toMatchObject({
            status: 400,
            message: expect.stringMatching(/isn’t a placeholder\. Use \{name\}/),
          })
        expect((await savedAnswers(ctx)).answers).toEqual([
          { id, title: 'Thanks', body: 'As it was' },
        ])
      }),
  )

  test('the site has up to fifty saved answers, and sends none with an open placeholder', () =>
    as('ada', async (ctx) => {
      for (let n = 0; n < 50; n++) await saveAnswer(ctx, { title: `Answer ${n}`, body: 'x' })
      await expect(saveAnswer(ctx, { title: 'One more', body: 'x' })).rejects.toMatchObject({
        status: 409,
      })
      const { id } = await received(ctx)
      const open = { text: 'Dear {name}', idempotencyKey: crypto.randomUUID() }
      await expect(
        Promise.resolve().then(() => answerMessage(ctx, id, open)),
      ).rejects.toMatchObject({ status: 400, message: 'Please replace {name} first' })
    }))
})

describe('this site’s addresses in a message', () => {
  test('a message’s links show the titles of their pages', () =>
    as('ada', async (ctx) => {
      const gone = '00000000-0000-4000-8000-00000000d002'
      await ctx.db.query(sql`
        insert into companies (name, name_key, slug) values ('Acme Anvils', 'acme anvils', 'acme')`)
      const thread = await startThread(vera(ctx), aThread())
      const message = [
        `Look at https://kettle.example/thread/${thread.id}-is-it-true#comment-1, and (kettle.example/acme).`,
        `https://kettle.example/thread/${gone} https://kettle.example/no-company`,
        `https://evil.example/thread/${thread.id} https://notkettle.example/acme`,
      ].join('\n')
      expect((await received(ctx, { message })).links).toEqual([
        {
          href: `/thread/${thread.id}-is-it-true#comment-1`,
          title: 'Is it true about the Thursdays?',
        },
        { href: '/acme', title: 'Acme Anvils' },
        { href: `/thread/${gone}`, title: null },
      ])
    }))

  test('a message has up to five links, and only to this site', () => {
    const many = Array.from({ length: 9 }, (_, n) => `kettle.example/company-${n}`).join(' ')
    expect(addressesIn(many, 'https://kettle.example')).toHaveLength(5)
    for (const text of [
      'kettle.example//evil.example',
      'kettle.example/\\evil',
      // No URL by itself, and the inbox is to open all the same.
      'kettle.example//[',
      'kettle.example//:x',
      'kettle.example//%',
      'x@kettle.example',
    ])
      expect(addressesIn(text, 'https://kettle.example').map(({ href }) => href)).toEqual([])
  })
})
