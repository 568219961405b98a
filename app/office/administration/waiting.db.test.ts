/** What waits, as each of those who decide is told it: on the page, and by the daily mail. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Role } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  chooseWaitingMail,
  ownWaitingMail,
  revokeModerator,
  setWaitingMail,
} from '#app/identity/accounts/administrators/admin-commands.server.ts'
import { keepPost } from '#app/moderation/decision-commands.server.ts'
import { mailedAccount } from '#app/moderation/notifications/digest-choice.server.ts'
import { reportPost } from '#app/moderation/report-commands.server.ts'
import { HOUR_MS } from '#app/platform/days.server.ts'
import { giveErinHerCompany, OWNER_EMAIL } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { addComment, startThread } from '#tests/support/unlimited.ts'
import { answerMessage } from '../contact/answer-commands.server.ts'
import type { ContactMessage } from '../contact/contact.contract.ts'
import { changeStatus, sendMessage } from '../contact/contact-commands.server.ts'
import { contactMessages } from '../contact/contact-queries.server.ts'
import {
  queueWaitingMails,
  sendWaitingMail,
  WAITING_MAIL_TASK,
  type WaitingPayload,
  waitingFor as waitingUnder,
} from './waiting.server.ts'

const { as } = withDatabase()

const draft = () => ({
  body: '',
  topics: [],
  name: 'pseudonym' as const,
  idempotencyKey: crypto.randomUUID(),
})

const settings = {
  ownerEmail: OWNER_EMAIL,
  adminSecondFactor: 'offered' as 'offered' | 'required',
  siteName: 'Kettle',
  siteUrl: () => 'https://kettle.example',
  flags: { enableCompanies: true },
}

const waitingFor = (ctx: Ctx, actor: Ctx['actor']) => waitingUnder(ctx, actor, settings.flags)

/** As dana, here a moderator. There are no reports or requests yet. */
const asMila = <Result>(work: (ctx: Ctx) => Promise<Result>) =>
  as('dana', async (base) => {
    const id = base.actor.account?.id
    await base.db.query(sql`insert into moderators (id) values (${id})`)
    return work({ ...base, events, actor: { ...base.actor, role: 'moderator' } })
  })
const at = (ctx: Ctx, role: Role): Ctx => ({ ...ctx, actor: { ...ctx.actor, role } })

/** One of each kind waits, of which the first two are a moderator's. */
async function letAllWait(ctx: Ctx) {
  const { db } = ctx
  const company = await giveErinHerCompany(db)
  const { id } = await startThread(ctx, { title: 'Who has seen the kettle?', ...draft() })
  const say = async (body: string) => {
    const { id: comment } = await addComment(ctx, id, { ...draft(), body })
    return comment
  }
  const [reported, appealed] = [await say('I have.'), await say('I have not.')]
  await db.query(sql`
    insert into moderation_cases (comment_id, cause, is_open, opened_on)
    values (${reported}, 'reports', true, '2026-03-11')`)
  await db.query(sql`
    insert into moderation_cases (comment_id, cause, is_open, opened_on, appeal, appeal_status)
    values (${appealed}, 'moderator', false, '2026-03-13', 'Please look again', 'open')`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, claimed_on, method, domain, is_verified)
    values (${ctx.actor.account?.id}, ${company}, '2026-03-14', 'dns', 'erin.example', true)`)
  await db.query(sql`
    insert into company_requests (company_name, created_on)
    values ('Acme', '2026-03-01'), ('Anvils', '2026-03-02')`)
  await db.query(sql`
    insert into contact_messages (idempotency_key, name, email_hash, email_sealed, message, created_at, search)
    values (gen_random_uuid(), 'Vera', 'x', 'x', 'Hello', '2026-03-14T06:00Z', '')`)
  await db.query(sql`
    insert into company_edits (company_id, changes, status, made_on)
    values (${company}, '{}', 'suggested', '2026-03-12')`)
  await db.query(sql`
    insert into job_queue (kind, payload, due_at, given_up, given_up_on)
    values ('account-mail', '{}', null, 'refused-address', '2026-03-04'),
           ('something-else', '{}', null, 'tried-too-often', '2026-01-04')`)
}

const days = (n: number) => ({ n, unit: 'day' })

test('each person sees what they decide about, and how long the oldest has waited', () =>
  asMila(async (ctx) => {
    expect(await waitingFor(ctx, at(ctx, 'owner').actor)).toEqual([])
    await letAllWait(ctx)
    const ofModerators = [
      { kind: 'reports', count: 1, age: days(3) },
      { kind: 'appeals', count: 1, age: days(1) },
    ]
    const claims = { kind: 'claims', count: 1, age: days(0) }
    const ofAdmins = [
      { kind: 'messages', count: 1, age: { n: 3, unit: 'hour' } },
      { kind: 'edits', count: 1, age: days(2) },
      { kind: 'mails', count: 1, age: days(10) },
    ]
    const told = (role: Role) => waitingFor(ctx, at(ctx, role).actor)
    expect(await told('moderator')).toEqual(ofModerators)
    expect(await told('admin')).toEqual([...ofModerators, claims, ...ofAdmins])
    expect(await told('owner')).toEqual([
      ...ofModerators,
      claims,
      { kind: 'requests', count: 2, age: days(13) },
      ...ofAdmins,
    ])
    for (const role of ['visitor', 'member', 'employer'] as const)
      expect(await told(role)).toEqual([])
    // The panel has no place for changes while companies are off.
    const flags = { enableCompanies: false }
    const left = await waitingUnder(ctx, at(ctx, 'admin').actor, flags)
    expect(left.map(({ kind }) => kind)).toEqual([
      'reports',
      'appeals',
      'claims',
      'messages',
      'mails',
    ])
    await queue(ctx)
    for (const { text } of await sent(ctx, { flags })) expect(text).not.toContain('suggested')
  }))

test('a decision takes its post off the moderators’ list', async () => {
  const { actor: vera } = await as('vera', async (ctx) => ctx)
  await asMila(async (mila) => {
    const { id } = await startThread(at(mila, 'member'), { title: 'Who has it?', ...draft() })
    await reportPost({ ...mila, actor: vera }, { kind: 'thread', id }, { reason: 'spam', note: '' })
    expect(await waitingFor(mila, mila.actor)).toEqual([
      { kind: 'reports', count: 1, age: days(0) },
    ])
    await keepPost(mila, { kind: 'thread', id })
    expect(await waitingFor(mila, mila.actor)).toEqual([])
  })
})

test('a legal notice that’s overdue counts as waiting, even if it was read', () =>
  asMila(async (base) => {
    const ctx = at(base, 'admin')
    const send = (subject: 'legal' | 'general', hoursAgo: number) =>
      sendMessage(
        { ...ctx, now: () => new Date(ctx.now().getTime() - hoursAgo * HOUR_MS) },
        {
          name: 'Vera',
          email: 'vera@example.org',
          message: 'Hello',
          subject,
          idempotencyKey: crypto.randomUUID(),
        },
        { legalNoticeHours: 24 },
      )
    await send('legal', 30)
    await send('legal', 23)
    await send('general', 30)
    const late = { kind: 'notices', count: 1, age: { n: 30, unit: 'hour' } }
    const unread = (count: number) => ({ kind: 'messages', count, age: { n: 30, unit: 'hour' } })
    // The overdue notice isn't counted twice.
    expect(await waitingFor(ctx, ctx.actor)).toEqual([late, unread(2)])
    expect(await waitingFor(ctx, base.actor)).toEqual([])
    await queue(ctx)
    for (const { text } of (await sent(ctx)).filter(({ to }) => !to.startsWith('dana')))
      expect(text).toContain('1 overdue legal notice, 30 hours old.')
    const { messages } = await contactMessages(ctx, { filter: 'all' }, settings)
    const [oldest] = messages as [ContactMessage, ...ContactMessage[]]
    await changeStatus(ctx, oldest.id, 'read')
    expect(await waitingFor(ctx, ctx.actor)).toEqual([late, unread(2)])
    await answerMessage(ctx, oldest.id, { text: 'Yes', idempotencyKey: crypto.randomUUID() })
    expect(await waitingFor(ctx, ctx.actor)).toEqual([unread(2)])
  }))

const queued = (ctx: Ctx) =>
  ctx.db.query<{ payload: WaitingPayload }>(
    sql`select payload from job_queue where kind = ${WAITING_MAIL_TASK} order by id`,
  )
const queue = async (ctx: Ctx, more: Partial<typeof settings> = {}) => {
  await ctx.db.query(sql`delete from job_queue where kind = ${WAITING_MAIL_TASK}`)
  await queueWaitingMails(ctx, { ...settings, ...more })
  return queued(ctx)
}

interface Sent {
  to: string
  subject: string
  text: string
  headers?: Record<string, string>
}

/** What goes out of the mails that are queued. */
async function sent(ctx: Ctx, more: Partial<typeof settings> = {}) {
  const mails: Sent[] = []
  const send = async (mail: object) => {
    mails.push(mail as Sent)
  }
  for (const { payload } of await queued(ctx))
    await sendWaitingMail(ctx, { send } as never, { ...settings, ...more }, payload)
  return mails.sort((one, other) => one.to.localeCompare(other.to))
}

test('each moderator and administrator gets one mail a day about what waits, without names', () =>
  asMila(async (ctx) => {
    await letAllWait(ctx)
    const rows = await queue(ctx)
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toMatch(/@|Acme|kettle/)
    const mails = await sent(ctx)
    expect(mails.map(({ to }) => to)).toEqual([
      'ada@kettle.example',
      'dana@kettle.example',
      'olga@kettle.example',
    ])
    const [ada, mila, olga] = mails as [Sent, Sent, Sent]
    expect(mila.text).toContain('1 post to review, 3 days old.')
    expect(mila.text).toContain('https://kettle.example/admin/moderation')
    expect(mila.text).not.toMatch(/claim|request|message|change/)
    expect(ada.text).toContain('1 unread message, 3 hours old.')
    expect(ada.text).not.toContain('request')
    expect(olga.text).toContain('2 company requests, the oldest 13 days old.')
    for (const mail of mails) {
      expect(mail.text).not.toMatch(/Acme|Anvils|Vera|Erin|Who has seen/)
      expect(mail.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    }
  }))

test('no mail goes out if nothing waits, or if it was decided while the mail was queued', () =>
  asMila(async (ctx) => {
    expect(await queue(ctx)).toEqual([])
    await ctx.db.query(sql`
      insert into company_requests (company_name, created_on) values ('Acme', '2026-03-01')`)
    // The owner's alone.
    expect(await queue(ctx)).toHaveLength(1)
    await ctx.db.query(sql`update company_requests set status = 'declined'`)
    expect(await sent(ctx)).toEqual([])
  }))

test('one click in the mail ends these mails, and the settings bring them back', () =>
  asMila(async (ctx) => {
    await letAllWait(ctx)
    expect(await ownWaitingMail(ctx)).toEqual({ isWanted: true })
    await queue(ctx)
    const [, mila] = await sent(ctx)
    const token = new URL(/<(.*)>/.exec(mila?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '')
    const mailed = mailedAccount(ctx.secrets, token.searchParams.get('token') ?? '')
    expect(mailed).toEqual({ id: ctx.actor.account?.id, mails: 'waiting' })
    await setWaitingMail(ctx, mailed?.id as string, false)
    expect(await ownWaitingMail(ctx)).toEqual({ isWanted: false })
    // The one on its way, too.
    expect((await sent(ctx)).map(({ to }) => to)).not.toContain('dana@kettle.example')
    expect(await queue(ctx)).toHaveLength(2)
    expect(await chooseWaitingMail(ctx, true)).toEqual({ isWanted: true })
    expect(await queue(ctx)).toHaveLength(3)
  }))

test('no mail goes to people who’ve lost the role, are suspended, act for a company or lack a second factor', () =>
  asMila(async (ctx) => {
    await letAllWait(ctx)
    await queue(ctx)
    const isTold = async (more: Partial<typeof settings> = {}) =>
      (await sent(ctx, more)).some(({ to }) => to === 'dana@kettle.example')
    expect(await isTold()).toBe(true)
    expect(await isTold({ adminSecondFactor: 'required' })).toBe(false)
    const id = ctx.actor.account?.id
    await ctx.db.query(sql`update accounts set is_suspended = true where id = ${id}`)
    expect(await isTold()).toBe(false)
    await ctx.db.query(sql`update accounts set is_suspended = false where id = ${id}`)
    await ctx.db.query(sql`
      update employer_claims set status = 'approved', domain = null where account_id = ${id}`)
    expect(await isTold()).toBe(false)
    await ctx.db.query(sql`delete from employer_claims where account_id = ${id}`)
    expect(await isTold()).toBe(true)
    await revokeModerator(ctx, 'dana@kettle.example')
    expect(await isTold()).toBe(false)
  }))
