/** Spec §7.3: the call that notifies the owner, and what it can't be used for. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import type { Mail } from '#app/platform/mail/mail.server.ts'
import { OWNER_EMAIL } from '#tests/people.ts'
import { bareHttp } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { EMPTY_REQUEST } from './company-request.ts'
import { requestCompany } from './request-commands.server.ts'
import {
  noticeToken,
  REQUEST_NOTICE_TASK,
  registerRequestNotices,
  requestOfToken,
  sendRequestNotice,
} from './request-notice.server.ts'

const { as } = withDatabase()

const URL = '/functions/v1/notify-company-request'
const MEMBERS_TOKEN = 'eyJ.member.token'
const payload = {
  companyName: 'Acme Tea',
  companyWebsite: 'Not provided',
  requesterEmail: 'vera@home.example',
}

/** `ctx` is who MEMBERS_TOKEN belongs to; no other token is one. */
function routesFor(ctx: Ctx, { hasRateLimits = false } = {}) {
  const app = bareHttp()
  const contextOf = async ({ authorization }: RequestIdentity) => {
    if (authorization !== `Bearer ${MEMBERS_TOKEN}`) throw new Refusal('sign-in-required', 'No')
    return ctx
  }
  registerRequestNotices(app, { context: ctx, contextOf, hasRateLimits })
  return (token: string | undefined, body: object = payload) =>
    app.inject({
      method: 'POST',
      url: URL,
      payload: body,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
}

const ask = (ctx: Ctx, companyName = 'Acme Tea', isNotify = true) =>
  requestCompany(ctx, {
    ...EMPTY_REQUEST,
    companyName,
    isNotify,
    notifyEmail: 'vera@home.example',
  })
const notices = ({ db }: Ctx) =>
  db.query<{ payload: { requestId: string } }>(
    sql`select payload from job_queue where kind = ${REQUEST_NOTICE_TASK}`,
  )

test('a visitor’s token sends the owner one notice, however often it’s used', () =>
  as('vera', async (vera) => {
    const { notice } = await ask(vera)
    const call = routesFor(vera)
    for (let n = 0; n < 3; n++) {
      const { statusCode, body } = await call(notice ?? '')
      expect([statusCode, JSON.parse(body)]).toEqual([200, { success: true }])
    }
    expect(await notices(vera)).toHaveLength(1)
  }))

test('a member’s access token sends the owner a notice of the member’s own request only', () =>
  as('dana', async (dana) => {
    const call = routesFor(dana)
    expect((await call(MEMBERS_TOKEN)).statusCode).toBe(403)
    await ask({ ...dana, actor: { ...dana.actor, account: null } })
    expect((await call(MEMBERS_TOKEN)).statusCode).toBe(403)
    await ask(dana, 'Acme Tea', false)
    expect((await call(MEMBERS_TOKEN)).statusCode).toBe(403)
    await ask(dana)
    expect((await call(MEMBERS_TOKEN)).statusCode).toBe(200)
    expect(await notices(dana)).toHaveLength(1)
  }))

test('an access token that’s missing, wrong, another’s or expired is refused', () =>
  as('vera', async (vera) => {
    const { notice } = await ask(vera)
    const call = routesFor(vera)
    const [id, end, mark] = (notice ?? '').split('.')
    const another = noticeToken(vera, crypto.randomUUID())
    for (const token of [undefined, 'anon', `${id}.${Number(end) + 1}.${mark}`])
      expect((await call(token)).statusCode).toBe(401)
    expect((await call(another)).statusCode).toBe(403)
    const later = { ...vera, now: () => new Date(vera.now().getTime() + 11 * 60_000) }
    expect(requestOfToken(vera, notice ?? '')).toBe(id)
    expect(requestOfToken(later, notice ?? '')).toBeUndefined()
    expect((await routesFor(later)(notice ?? '')).statusCode).toBe(401)
    expect(await notices(vera)).toEqual([])
  }))

test('a notice in another shape than Spec §7.3’s is a 4xx, and a token works only for its company', () =>
  as('vera', async (vera) => {
    const { notice } = await ask(vera)
    const call = routesFor(vera)
    for (const body of [{}, { ...payload, companyName: 7 }, []])
      expect((await call(notice ?? '', body)).statusCode).toBe(400)
    expect((await call(notice ?? '', { ...payload, companyName: 'Else' })).statusCode).toBe(403)
    expect(await notices(vera)).toEqual([])
  }))

test('a network has a limited number of notices', () =>
  as('vera', async (vera) => {
    const call = routesFor(vera, { hasRateLimits: true })
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await call('wrong')).statusCode)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  }))

test('Spec §7.3: only the owner gets the mail, which says what was saved and who asked', () =>
  as('vera', async (vera) => {
    const { notice } = await ask(vera, 'Acme <b>Tea</b>')
    const call = routesFor(vera)
    await call(notice ?? '', {
      companyName: 'Acme <b>Tea</b>',
      companyWebsite: 'https://evil.example',
      requesterEmail: 'someone@else.example',
    })
    const [job] = await notices(vera)
    expect(Object.keys(job?.payload ?? {})).toEqual(['requestId'])
    const mails: Mail[] = []
    const mailer = { send: async (mail: Mail) => void mails.push(mail) }
    const site = { siteName: 'Kettle', siteUrl: () => 'https://kettle.example' }
    const requestId = job?.payload.requestId ?? ''
    await sendRequestNotice(vera, mailer, site, { requestId })
    expect(mails).toEqual([])
    await sendRequestNotice(vera, mailer, { ...site, ownerEmail: OWNER_EMAIL }, { requestId })
    expect(mails).toMatchObject([{ to: OWNER_EMAIL, subject: 'Company request: Acme <b>Tea</b>' }])
    expect(mails[0]?.text).toContain('Website: Not provided')
    expect(mails[0]?.html).not.toContain('<b>Tea')
    expect(mails[0]?.text).toContain('Requested by: vera@home.example')
    expect(JSON.stringify(mails)).not.toMatch(/evil\.example|else\.example/)
  }))

test('Spec §7.3: the server fills in a member’s address, which is stored nowhere else', () =>
  as('dana', async (dana) => {
    await ask(dana)
    const call = routesFor(dana)
    await call(MEMBERS_TOKEN, { ...payload, requesterEmail: '' })
    const [job] = await notices(dana)
    expect(Object.keys(job?.payload ?? {})).toEqual(['requestId'])
    const [kept] = await dana.db.query<{ email: string | null }>(
      sql`select requester_email as email from company_requests`,
    )
    expect(kept?.email).toBeNull()
    const mails: Mail[] = []
    await sendRequestNotice(
      dana,
      { send: async (mail) => void mails.push(mail) },
      { siteName: 'Kettle', siteUrl: () => 'https://kettle.example', ownerEmail: OWNER_EMAIL },
      { requestId: job?.payload.requestId ?? '' },
    )
    expect(mails[0]?.to).toBe(OWNER_EMAIL)
    expect(mails[0]?.text).toContain('Requested by: dana@kettle.example')
  }))
