import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMailer, type Mailer } from '#app/platform/mail/mail.server.ts'
import { givenUp, sweepGivenUpMails } from '#app/platform/mail/mail-tasks.server.ts'
import { retryGivenUp } from '#app/platform/operations/doctor-database.server.ts'
import { createQueue, type Queue } from '#app/platform/queue/queue.server.ts'
import { openAuthSite, PASSWORD, SITE } from '#tests/support/auth-site.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { type MailServer, type ParsedMail, startMailServer } from '#tests/support/mail-server.ts'
import { handleMails } from './main.features.server.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const { outside } = withDatabase()
let site: Awaited<ReturnType<typeof openAuthSite>>
let server: MailServer
let mailer: Mailer
let queue: Queue
let passedMs: number
const now = () => new Date(Date.now() + passedMs)
const pass = (ms: number) => {
  passedMs += ms
  site.forward(ms)
}

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
beforeEach(async () => {
  passedMs = 0
  server.mails.length = 0
  site = await openAuthSite(outside())
  queue = createQueue(outside(), { now, log: { warn() {}, error() {} } })
  type Parts = Parameters<typeof handleMails>[0]
  handleMails({
    base: { db: outside(), now, secrets: testSecrets, queue },
    queue,
    mailer,
    auth: { siteName: 'Kettle', siteUrl: () => SITE },
    config: { hasRateLimits: true },
  } as unknown as Parts)
})
afterEach(async () => {
  for (const key of ['sender', 'recipient', 'message'] as const) delete server.refusals[key]
  await outside().query(sql`delete from job_queue`)
})

/** Signs dana up and takes the first mail away. */
async function newMember() {
  const email = site.newAddress()
  await site.client().signUp({ email, password: PASSWORD })
  await queue.drain()
  server.mails.length = 0
  return email
}
const askForLink = (email: string) => site.client().resetPasswordForEmail(email)

async function opens(mail: ParsedMail | undefined) {
  const link = new URL(mail?.links.find((link) => link.includes('/verify?')) ?? '')
  const answer = await site.call('/auth/v1/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: link.searchParams.toString(),
  })
  const target = new URL(answer.headers.get('location') ?? '')
  return target.searchParams.get('error_code') === null
}

test('a mail whose delivery is unknown goes out again an hour later, as the same mail', async () => {
  const email = await newMember()
  server.refusals.message = 'hang-up'
  await askForLink(email)
  await queue.drain()
  expect(server.mails).toHaveLength(1)
  // At a time when all that failed for another reason is tried again.
  pass(50 * 60_000)
  await queue.drain()
  expect(server.mails).toHaveLength(1)

  delete server.refusals.message
  pass(17 * 60_000)
  await queue.drain()
  const [first, second, ...more] = server.mails
  expect(more).toEqual([])
  expect(second?.headers['message-id']).toBe(first?.headers['message-id'])
  expect(first?.headers['message-id']).toMatch(/^<[\w-]{43}@kettle\.example>$/)
  expect(second?.links).not.toEqual(first?.links)
  expect(await outside().query(sql`select from job_queue`)).toEqual([])
  expect(await opens(second)).toBe(true)
  expect(await opens(second)).toBe(false)
})

test('a retry within the hour keeps the previous copy’s link valid', async () => {
  const email = await newMember()
  await askForLink(email)
  await queue.drain()
  const [first] = server.mails
  for (const code of [451, 452]) {
    server.refusals.message = code
    await askForLink(email)
    await queue.drain()
  }
  expect(server.mails).toHaveLength(1)
  expect(await opens(first)).toBe(true)
})

describe('a permanently refused mail', () => {
  test('a permanently refused mail is given up at once and reported without names, but can be retried', async () => {
    const email = await newMember()
    server.refusals.recipient = 550
    await askForLink(email)
    await queue.drain()
    pass(100 * HOUR)
    expect(await queue.drain()).toBe(0)
    expect(await givenUp(outside())).toEqual([
      { kind: 'account-mail', reason: 'refused-address', count: 1 },
    ])

    delete server.refusals.recipient
    await retryGivenUp(outside())
    await queue.drain()
    expect(server.mails.map(({ to }) => to)).toEqual([[email]])
    expect(await givenUp(outside())).toEqual([])
  })

  test('a permanently refused mail is deleted after a month, unlike other given-up jobs', async () => {
    const email = await newMember()
    server.refusals.sender = 550
    await askForLink(email)
    await queue.drain()
    await outside().query(sql`
      insert into job_queue (kind, due_at, given_up, given_up_on)
      values ('account-deleted', null, 'tried-too-often', '2020-01-01')`)
    pass(30 * DAY)
    await sweepGivenUpMails({ db: outside(), now })
    expect((await givenUp(outside())).map(({ kind }) => kind)).toEqual([
      'account-deleted',
      'account-mail',
    ])
    pass(DAY)
    await sweepGivenUpMails({ db: outside(), now })
    expect((await givenUp(outside())).map(({ kind }) => kind)).toEqual(['account-deleted'])
  })
})

test('an address gets at most 20 mails a day, and the answer doesn’t show it', async () => {
  const email = await newMember()
  const answers = []
  for (let i = 0; i < 21; i++) {
    const answer = await site.call('/auth/v1/recover', { json: { email } })
    answers.push([answer.status, await answer.text()])
    await queue.drain()
  }
  // One was the mail of signing up.
  expect(server.mails).toHaveLength(19)
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['[200,"{}"]']))
  // The last link that was sent works, and one that wasn't doesn't replace it.
  expect(await opens(server.mails.at(-1))).toBe(true)
  expect(await outside().query(sql`select from job_queue`)).toEqual([])
  // Of what its person does themselves they always hear.
  await outside().transaction((db) =>
    queue.enqueue(db, 'account-mail', {
      purpose: 'password_changed',
      sealedEmail: testSecrets.seal(email),
    }),
  )
  await queue.drain()
  expect(server.mails.at(-1)?.subject).toBe('Your Kettle password was changed')
})
