/** Claims on a real database: how someone starts and stops acting for a company, and what we keep. */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import formbody from 'node:querystring'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signedInActor } from '#app/api/auth/actor.server.ts'
import type { Actor } from '#app/api/auth/actor.ts'
import { addressHash } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Tokens } from '#app/api/auth/tokens.server.ts'
import { deleteAccount } from '#app/identity/accounts/account-commands.server.ts'
import { setSuspended } from '#app/identity/accounts/auth-server/account-admin-commands.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import type { Mail } from '#app/platform/mail/mail.server.ts'
import { routesOf } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { searchingFreely } from '#tests/support/unlimited.ts'
import { COMPANY_REFUSALS } from '../company.ts'
import { companyHandlers } from '../feature.server.ts'
import { claimContract } from './claim.contract.ts'
import { CLAIM_LIST_NAMES, CLAIM_LISTS, CLAIM_REFUSALS, type ClaimForm } from './claim.ts'
import {
  approveClaim,
  checkRecord,
  claimCompany,
  declineClaim,
  resendClaimLink,
  revokeClaim,
  sweepClaims,
  withdrawClaim,
} from './claim-commands.server.ts'
import { registerClaimLinks } from './claim-link-page.server.ts'
import {
  CLAIM_DECIDED_TASK,
  CLAIM_LINK_TASK,
  type ClaimDecided,
  type ClaimLinkWanted,
  sendClaimDecided,
  sendClaimLink,
  workEmailContext,
} from './claim-mail.server.ts'
import {
  actsFor,
  claimsExport,
  claimsToReview,
  myClaims,
  ownCompanyIds,
} from './claim-queries.server.ts'
import { requireToActFor } from './claim-rules.server.ts'
import { createTxtLookup } from './dns-record.server.ts'
import { claimHandlers } from './feature.server.ts'

const { as, castOn } = withDatabase()

const ACME = '00000000-0000-4000-8000-00000000acee'
const SITE = {
  siteName: 'Kettle',
  siteUrl: () => 'https://kettle.example',
  flags: { enableSettings: true },
}
const DAY_MS = 86_400_000

/** A company of that name, with a website. */
async function company({ db }: Ctx, website: string | null = 'https://www.acme.co.uk/about') {
  await db.query(sql`
    insert into companies (id, name, name_key, slug, website)
    values (${ACME}, 'Acme', 'acme', 'acme', ${website})`)
  return ACME
}

async function anotherCompany({ db }: Ctx, name: string) {
  const [row] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, slug, website)
    values (${name}, ${name.toLowerCase()}, ${name.toLowerCase()}, 'https://acme.co.uk')
    returning id`)
  return row?.id as string
}

const form = (more: Partial<ClaimForm> = {}): ClaimForm => ({
  method: 'mail',
  workEmail: 'Erin.Smith@acme.co.uk',
  note: 'I lead HR.',
  ...more,
})

const freely = (ctx: Ctx) => ({ ...ctx, requireMailPause: async () => {} })
const claim = (ctx: Ctx, more: Partial<ClaimForm> = {}, companyId = ACME) =>
  claimCompany(freely(ctx), companyId, form(more))

const logged = ({ db }: Ctx) => db.query(sql`select action, subject from admin_log order by id`)
const ADA: Partial<Actor> = { role: 'admin' }
/** The same database in an administrator's eyes. */
const asAdmin = (ctx: Ctx, more: Partial<Actor> = ADA) => ({
  ...ctx,
  actor: {
    ...ctx.actor,
    account: {
      ...(ctx.actor.account as NonNullable<Actor['account']>),
      id: '00000000-0000-4000-8000-000000000ada',
      username: 'Ada',
    },
    ...more,
  },
})

const role = async (ctx: Ctx) => {
  const { id = '', sessionId = '' } = ctx.actor.account ?? {}
  const claims = {
    sub: id,
    session_id: sessionId,
    session_generation: 0,
    role: 'authenticated',
    exp: 0,
    session_began: ctx.now().getTime() / 1000,
  }
  const sources = { ...ctx, tokens: {} as Tokens, adminSecondFactor: 'offered' } as const
  return (await signedInActor(sources, claims))?.role
}
const userType = async (ctx: Ctx) => {
  const [row] = await ctx.db.query<{ userType: string | null }>(sql`
    select user_metadata ->> 'user_type' as "userType" from accounts
     where id = ${ctx.actor.account?.id ?? null}`)
  return row?.userType ?? null
}
const kept = async ({ db }: Ctx) =>
  (await db.query<Record<string, unknown>>(sql`select * from employer_claims`))[0]

/** Does the waiting mail tasks, and answers the mails. */
async function post(ctx: Ctx) {
  const mails: Mail[] = []
  const mailer = {
    send: async (mail: Mail) => void mails.push(mail),
    hasRoomFor: async () => true,
  }
  const jobs = await ctx.db.query<{ kind: string; payload: object }>(sql`
    delete from job_queue where kind in (${CLAIM_LINK_TASK}, ${CLAIM_DECIDED_TASK}) returning kind, payload`)
  for (const { kind, payload } of jobs)
    if (kind === CLAIM_LINK_TASK) await sendClaimLink(ctx, mailer, SITE, payload as ClaimLinkWanted)
    else await sendClaimDecided(ctx, mailer, SITE, payload as ClaimDecided)
  return mails
}

const linkIn = (mail: Mail | undefined) => {
  const found = /https:\/\/kettle\.example(\/claims\/confirm\?token=\S+)/.exec(
    mail?.text ?? '',
  )?.[1]
  if (!found) throw new Error(`No link in the mail: ${mail?.subject}`)
  return found
}

/** The real routes, called as `ctx`. */
function routes(ctx: Ctx, { hasRateLimits = false, lookup = async () => [] as string[] } = {}) {
  const handlers = claimHandlers({ hasRateLimits, lookup })
  const app = routesOf(claimContract, handlers, ctx, { hasRateLimits })
  registerClaimLinks(app, {
    context: ctx,
    site: { siteName: 'Kettle' },
    hasRateLimits,
    htmlPage: (title, body) => `<title>${title}</title>${body}`,
  })
  return app
}

/** As a press of the page's button sends it. */
const press = (app: ReturnType<typeof routes>, url: string) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: formbody.stringify({}),
  })

/** A claim of erin's that a mail has shown. */
async function verified(ctx: Ctx, companyId = ACME) {
  const { id } = await claim(ctx, {}, companyId)
  const [mail] = await post(ctx)
  const app = routes(ctx)
  expect((await press(app, linkIn(mail))).statusCode).toBe(200)
  return id
}

async function approved(ctx: Ctx, companyId = ACME) {
  const id = await verified(ctx, companyId)
  await approveClaim(asAdmin(ctx), id)
  await post(ctx)
  return id
}

describe('by mail', () => {
  test('erin claims a company, opens the link, is approved and has the rights', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      expect(await role(ctx)).toBe('member')
      const made = await claim(ctx)
      expect(made).toEqual({
        id: expect.any(String),
        company: { id: ACME, name: 'Acme', path: '/acme', logoUrl: null },
        status: 'pending',
        method: 'mail',
        isVerified: false,
        isOwner: false,
        isOffered: false,
        wantsNews: true,
        claimedOn: '2026-03-14',
        workEmail: 'e…@acme.co.uk',
        record: null,
        answer: '',
      })
      const [mail, ...more] = await post(ctx)
      expect(more).toEqual([])
      expect(mail?.to).toBe('erin.smith@acme.co.uk')
      const url = linkIn(mail)
      const app = routes(ctx)
      // A mail scanner looks, more than once: nothing is used up.
      for (let n = 0; n < 3; n++) {
        const page = await app.inject({ method: 'GET', url })
        expect(page.statusCode).toBe(200)
        expect(page.body).toContain('Confirm my work email')
        expect(page.body).toContain('act for Acme')
        expect(page.headers['cache-control']).toBe('no-store')
      }
      expect((await myClaims(ctx))[0]?.isVerified).toBe(false)
      const done = await press(app, url)
      expect(done.statusCode).toBe(200)
      expect(done.body).toContain('Your work email is confirmed')
      expect(await myClaims(ctx)).toMatchObject([{ status: 'pending', isVerified: true }])
      // Verified doesn't mean approved.
      expect(await role(ctx)).toBe('member')
      expect(await actsFor(ctx, ACME)).toBe(false)

      expect(await approveClaim(asAdmin(ctx), made.id)).toEqual({ status: 'approved' })
      expect(await logged(ctx)).toEqual([{ action: 'approve-claim', subject: 'Acme (Erin)' }])
      expect(await role(ctx)).toBe('employer')
      expect(await userType(ctx)).toBe('employer')
      expect(await actsFor(ctx, ACME)).toBe(true)
      expect(await ownCompanyIds(ctx)).toEqual([ACME])
      await requireToActFor(ctx, ACME)
      const [told] = await post(ctx)
      expect(told).toMatchObject({
        to: 'erin@kettle.example',
        subject: 'You now act for Acme on Kettle',
      })
    }))

  test('a link works once', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await claim(ctx)
      const [mail] = await post(ctx)
      const app = routes(ctx)
      expect((await press(app, linkIn(mail))).statusCode).toBe(200)
      const again = await press(app, linkIn(mail))
      expect(again.statusCode).toBe(410)
      expect(again.body).toContain('This link no longer works')
      expect((await app.inject({ method: 'GET', url: linkIn(mail) })).statusCode).toBe(410)
    }))

  test('a link works for a day and can’t be extended', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await claim(ctx)
      const [mail] = await post(ctx)
      const url = linkIn(mail)
      const later = (ms: number) => ({ ...ctx, now: () => new Date(ctx.now().getTime() + ms) })
      const tooLate = routes(later(DAY_MS + 120_000))
      expect((await press(tooLate, url)).statusCode).toBe(410)
      const [, token = '', end = ''] = /token=([\w-]+)\.(\d+)/.exec(url) ?? []
      const moved = `/claims/confirm?token=${token}.${Number(end) + 5_000}`
      expect((await press(tooLate, moved)).statusCode).toBe(410)
      const withDeadline = routes(later(DAY_MS - 120_000))
      expect((await press(withDeadline, url)).statusCode).toBe(200)
    }))

  test('the last three links work, until one of them is used', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const { id } = await claim(ctx)
      const links = [linkIn((await post(ctx))[0])]
      for (let i = 0; i < 3; i++) {
        expect(await resendClaimLink(freely(ctx), id)).toEqual({ sent: true })
        links.push(linkIn((await post(ctx))[0]))
      }
      const app = routes(ctx)
      const look = async (link = '') => (await app.inject({ method: 'GET', url: link })).statusCode
      expect(await Promise.all(links.map(look))).toEqual([410, 200, 200, 200])
      expect((await press(app, links[1] ?? '')).statusCode).toBe(200)
      expect(await Promise.all(links.map(look))).toEqual([410, 410, 410, 410])
      expect((await kept(ctx))?.former_link_hashes).toEqual([])
      await expect(resendClaimLink(freely(ctx), id)).rejects.toMatchObject({
        status: 409,
        message: CLAIM_REFUSALS.verified,
      })
    }))

  test.each(['', 'x', `${'a'.repeat(43)}.99999999`, "' or 1=1", '%00'])(
    'a broken link is refused: %j',
    (token) =>
      as('erin', async (ctx) => {
        await company(ctx)
        await claim(ctx)
        const app = routes(ctx)
        for (const method of ['GET', 'POST'] as const) {
          const url = `/claims/confirm?token=${encodeURIComponent(token)}`
          expect((await app.inject({ method, url })).statusCode).toBe(410)
        }
        expect((await app.inject({ method: 'GET', url: '/claims/confirm' })).statusCode).toBe(410)
      }),
  )

  test('a link of a claim that was withdrawn shows nothing', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const { id } = await claim(ctx)
      const [mail] = await post(ctx)
      await withdrawClaim(ctx, id)
      expect((await press(routes(ctx), linkIn(mail))).statusCode).toBe(410)
      expect((await kept(ctx))?.is_verified).toBe(false)
    }))

  test('the mail to the work address says nothing of the account', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await claim(ctx)
      const waiting = await ctx.db.query(sql`select payload from job_queue`)
      expect(JSON.stringify(waiting)).not.toMatch(/acme\.co\.uk|token/i)
      const [mail] = await post(ctx)
      const said = `${mail?.subject} ${mail?.text} ${mail?.html}`
      for (const secret of ['Erin', 'erin@kettle', ctx.actor.account?.id])
        expect(said).not.toContain(secret)
    }))

  test('a company’s name cannot write into the page', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await ctx.db.query(sql`update companies set name = '<script>alert(1)</script>'`)
      await claim(ctx)
      const [mail] = await post(ctx)
      const page = await routes(ctx).inject({ method: 'GET', url: linkIn(mail) })
      expect(page.body).not.toContain('<script>')
    }))
})

describe('bad input gets a sentence', () => {
  const refused = (ctx: Ctx, more: Partial<ClaimForm>, status: number, message: string) =>
    expect(claim(ctx, more)).rejects.toMatchObject({ status, message })

  test.each(['gmail.com', 'proton.me', 'outlook.com', 'GMX.de'])(
    'a free-mail address can’t be a work email: %s',
    (domain) =>
      as('erin', async (ctx) => {
        await company(ctx)
        const sentence = CLAIM_REFUSALS.freeMail(domain.toLowerCase())
        await refused(ctx, { workEmail: `erin@${domain}` }, 400, sentence)
        expect(await kept(ctx)).toBeUndefined()
      }),
  )

  test('a mail provider’s own website can’t be claimed by an address there', () =>
    as('erin', async (ctx) => {
      await company(ctx, 'https://www.yahoo.com')
      const sentence = CLAIM_REFUSALS.freeMail('yahoo.com')
      await refused(ctx, { workEmail: 'erin@yahoo.com' }, 400, sentence)
    }))

  test.each([
    'erin@other.example',
    'erin@notacme.co.uk',
    'erin@acme.co.uk.evil.example',
    'erin@co.uk',
    'erin@acme',
    'erin@127.0.0.1',
    'erin@acme.co.uk.',
  ])('an address at another domain is refused: %s', (workEmail) =>
    as('erin', async (ctx) => {
      await company(ctx)
      await refused(ctx, { workEmail }, 400, CLAIM_REFUSALS.otherDomain('acme.co.uk'))
    }),
  )

  test.each([
    ['https://www.acme.co.uk', 'erin@acme.co.uk'],
    ['https://acme.co.uk', 'erin@mail.acme.co.uk'],
    ['https://careers.acme.co.uk/jobs', 'erin@acme.co.uk'],
    ['https://ACME.example', 'erin@Acme.Example'],
    ['https://bücher.example', 'erin@xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example', 'erin@bücher.example'],
    ['https://acme.github.io', 'erin@acme.github.io'],
  ])('the website %s and the address %s belong together', (website, workEmail) =>
    as('erin', async (ctx) => {
      await company(ctx, website)
      expect((await claim(ctx, { workEmail })).status).toBe('pending')
    }),
  )

  test('two companies on one shared domain are told apart', () =>
    as('erin', async (ctx) => {
      await company(ctx, 'https://acme.github.io')
      const sentence = CLAIM_REFUSALS.otherDomain('acme.github.io')
      await refused(ctx, { workEmail: 'erin@evil.github.io' }, 400, sentence)
      await refused(ctx, { workEmail: 'erin@github.io' }, 400, sentence)
    }))

  test.each(['mail', 'dns'] as const)(
    'a company without a website can’t be claimed by %s',
    (method) =>
      as('erin', async (ctx) => {
        await company(ctx, null)
        await refused(ctx, { method }, 400, CLAIM_REFUSALS.noWebsite)
      }),
  )

  test('a website without its own domain can’t be claimed', () =>
    as('erin', async (ctx) => {
      await company(ctx, 'http://192.0.2.1/')
      await refused(ctx, { method: 'dns' }, 400, CLAIM_REFUSALS.noDomain)
      await ctx.db.query(sql`update companies set website = 'https://co.uk'`)
      await refused(ctx, { method: 'dns' }, 400, CLAIM_REFUSALS.noDomain)
    }))

  test('an unknown company can’t be claimed', () =>
    as('erin', (ctx) => refused(ctx, {}, 404, COMPANY_REFUSALS.notFound)))

  test('erin can’t claim a company she already acts for or claims', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const id = await verified(ctx)
      await refused(ctx, {}, 409, CLAIM_REFUSALS.pending)
      await approveClaim(asAdmin(ctx), id)
      await refused(ctx, {}, 409, CLAIM_REFUSALS.approved)
    }))

  test.each([
    ['too long a note', { note: 'x'.repeat(1_001) }],
    ['no address', { workEmail: ' ' }],
    ['a malformed address', { workEmail: 'erin at acme.co.uk' }],
    ['an address with a line break', { workEmail: 'erin@acme.co.uk\r\nBcc: x@acme.co.uk' }],
    ['two addresses', { workEmail: 'erin@acme.co.uk,joe@acme.co.uk' }],
  ])('%s', (_, bad) =>
    as('erin', async (ctx) => {
      await company(ctx)
      await expect(claim(ctx, bad)).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/^[A-Z].{10,}/),
      })
      expect(await kept(ctx)).toBeUndefined()
    }),
  )

  test('erin can’t have more than five waiting claims', () =>
    as('erin', async (ctx) => {
      for (let n = 1; n <= 5; n++) await claim(ctx, {}, await anotherCompany(ctx, `Acme${n}`))
      const sixth = await anotherCompany(ctx, 'Acme6')
      await expect(claim(ctx, {}, sixth)).rejects.toMatchObject({
        status: 409,
        message: CLAIM_REFUSALS.tooMany,
      })
      const [first] = await myClaims(ctx)
      await withdrawClaim(ctx, first?.id as string)
      expect((await claim(ctx, {}, sixth)).status).toBe('pending')
    }))

  test('every refusal over HTTP is a 4xx', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const app = routes(ctx)
      const url = `/api/v1/companies/${ACME}/claims`
      const bodies = [
        {},
        { method: 'fax' },
        { method: 'mail', note: 'x'.repeat(6_000) },
        { method: 'mail', workEmail: 'a\0b@acme.co.uk' },
        { method: 'mail', workEmail: 1 },
      ]
      for (const payload of bodies)
        expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(400)
      const gone = await app.inject({ method: 'DELETE', url: `/api/v1/my/claims/${ACME}` })
      expect(gone.statusCode).toBe(404)
    }))
})

describe('by DNS record', () => {
  /** A name server on this machine that knows one TXT record; silent while `isSilent`. */
  const server = createSocket('udp4')
  let records: string[][] = []
  let isSilent = false
  let lookup: ReturnType<typeof createTxtLookup>
  const asked: string[] = []

  beforeAll(async () => {
    server.on('message', (question, { port, address }) => {
      if (isSilent) return
      const end = question.indexOf(0, 12) + 5
      asked.push(question.subarray(13, end - 5).toString('latin1'))
      const header = Buffer.from(question.subarray(0, 12))
      header.writeUInt16BE(records.length ? 0x8580 : 0x8583, 2)
      header.writeUInt16BE(records.length, 6)
      header.writeUInt32BE(0, 8)
      const answers = records.map((pieces) => {
        const data = Buffer.concat(
          pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])),
        )
        const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, 0])
        head.writeUInt16BE(data.length, 10)
        return Buffer.concat([head, data])
      })
      server.send(Buffer.concat([header, question.subarray(12, end), ...answers]), port, address)
    })
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    lookup = createTxtLookup({ servers: [`127.0.0.1:${server.address().port}`], wholeMs: 1_000 })
  })
  afterAll(() => void server.close())

  test('erin sets the record, a real name server shows it, and she has the rights', () =>
    as('erin', async (ctx) => {
      await company(ctx, 'https://careers.acme.co.uk')
      isSilent = false
      const { id, record, workEmail } = await claim(ctx, { method: 'dns', workEmail: 'ignored' })
      expect(workEmail).toBeNull()
      expect(record).toEqual({
        name: 'acme.co.uk',
        value: expect.stringMatching(/^kettle-verification=[\w-]{43}$/),
      })
      records = []
      expect((await checkRecord(ctx, id, lookup)).outcome).toBe('missing')
      records = [['v=spf1 -all'], ['kettle-verification=somebody-elses']]
      expect((await checkRecord(ctx, id, lookup)).outcome).toBe('missing')
      // A long record comes in pieces.
      const value = record?.value ?? ''
      records = [['v=spf1 -all'], [value.slice(0, 30), value.slice(30)]]
      const found = await checkRecord(ctx, id, lookup)
      expect(found).toMatchObject({
        outcome: 'verified',
        claim: { isVerified: true, record: null },
      })
      expect(asked.at(-1)).toContain('acme')
      await approveClaim(asAdmin(ctx), id)
      expect(await role(ctx)).toBe('employer')
    }))

  test('a silent name server keeps no one waiting', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      isSilent = true
      const { id } = await claim(ctx, { method: 'dns' })
      expect((await checkRecord(ctx, id, lookup)).outcome).toBe('no-answer')
      isSilent = false
    }))

  test('the DNS query runs outside any transaction, and a claim withdrawn meanwhile stays withdrawn', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const { id, record } = await claim(ctx, { method: 'dns' })
      const slow = async () => {
        await withdrawClaim(ctx, id)
        return [record?.value ?? '']
      }
      await expect(checkRecord(ctx, id, slow)).rejects.toMatchObject({ status: 409 })
      expect(await kept(ctx)).toMatchObject({ status: 'withdrawn', is_verified: false })
    }))

  test('a record works for one claim, not for another person’s or the next one', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const first = await claim(ctx, { method: 'dns' })
      await withdrawClaim(ctx, first.id)
      const second = await claim(ctx, { method: 'dns' })
      expect(second.record?.value).not.toBe(first.record?.value)
      const old = async () => [first.record?.value ?? '']
      expect((await checkRecord(ctx, second.id, old)).outcome).toBe('missing')
    }))

  test('a record can’t prove a claim by mail, nor a mail a claim by record', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const { id } = await claim(ctx)
      await expect(checkRecord(ctx, id, async () => [])).rejects.toMatchObject({
        message: CLAIM_REFUSALS.notByDns,
      })
      await withdrawClaim(ctx, id)
      const dns = await claim(ctx, { method: 'dns' })
      await expect(resendClaimLink(freely(ctx), dns.id)).rejects.toMatchObject({
        message: CLAIM_REFUSALS.notByMail,
      })
    }))
})

describe('administrators decide', () => {
  test('a claim without proof can’t be approved', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      for (const method of ['mail', 'dns'] as const) {
        const { id } = await claim(ctx, { method })
        await expect(approveClaim(asAdmin(ctx), id)).rejects.toMatchObject({
          status: 409,
          message: CLAIM_REFUSALS.unverified,
        })
        await withdrawClaim(ctx, id)
      }
      expect(await role(ctx)).toBe('member')
    }))

  test('a claim can’t be approved after the company’s website changed', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const id = await verified(ctx)
      await ctx.db.query(sql`update companies set website = 'https://acme.example'`)
      await expect(approveClaim(asAdmin(ctx), id)).rejects.toMatchObject({
        status: 409,
        message: CLAIM_REFUSALS.websiteChanged,
      })
    }))

  test('an administrator can’t decide their own claim, but the owner can', () =>
    as('ada', async (ctx) => {
      await company(ctx)
      const id = await verified(ctx)
      await expect(approveClaim(ctx, id)).rejects.toMatchObject({
        status: 403,
        message: CLAIM_REFUSALS.own,
      })
      const owner = { ...ctx, actor: { ...ctx.actor, role: 'owner' as const } }
      expect(await approveClaim(owner, id)).toEqual({ status: 'approved' })
    }))

  test('a decision is made once', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const id = await approved(ctx)
      const late = { status: 409, message: CLAIM_REFUSALS.decided }
      await expect(approveClaim(asAdmin(ctx), id)).rejects.toMatchObject(late)
      await expect(declineClaim(asAdmin(ctx), id, '')).rejects.toMatchObject(late)
      await revokeClaim(asAdmin(ctx), id)
      await expect(revokeClaim(asAdmin(ctx), id)).rejects.toMatchObject({
        message: CLAIM_REFUSALS.notApproved,
      })
    }))

  test('dana reads the note of her declined claim, and claims again', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const { id } = await claim(ctx)
      await post(ctx)
      await expect(declineClaim(asAdmin(ctx), id, 'x'.repeat(1_001))).rejects.toMatchObject({
        status: 400,
        message: 'A note can have at most 1,000 characters',
      })
      await declineClaim(asAdmin(ctx), id, 'Please use the address of your team.')
      expect(await logged(ctx)).toEqual([{ action: 'decline-claim', subject: 'Acme (Erin)' }])
      expect(await myClaims(ctx)).toMatchObject([
        { status: 'declined', answer: 'Please use the address of your team.' },
      ])
      const [mail] = await post(ctx)
      expect(mail?.to).toBe('erin@kettle.example')
      expect(mail?.text).toContain('Please use the address of your team.')
      expect(await claim(ctx)).toMatchObject({ status: 'pending', isVerified: false, answer: '' })
      expect(await myClaims(ctx)).toHaveLength(1)
    }))

  test('administrators see masked addresses only, in four lists', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const admin = asAdmin(ctx)
      const shown = async () => {
        const found: string[] = []
        for (const status of CLAIM_LISTS)
          if ((await claimsToReview(admin, { status })).claims.length > 0) found.push(status)
        return found
      }
      expect(Object.keys(CLAIM_LIST_NAMES)).toEqual([...CLAIM_LISTS])
      await claim(ctx)
      expect(await shown()).toEqual(['unverified'])
      await withdrawClaim(ctx, (await myClaims(ctx))[0]?.id as string)
      await post(ctx)
      expect(await shown()).toEqual(['closed'])
      const id = await verified(ctx)
      expect(await shown()).toEqual(['waiting'])
      const answer = await claimsToReview(admin, { status: 'waiting' })
      expect(answer).toEqual({
        claims: [
          {
            id,
            company: { id: ACME, name: 'Acme', path: '/acme', logoUrl: null },
            status: 'pending',
            method: 'mail',
            isVerified: true,
            isOwner: false,
            claimedOn: '2026-03-14',
            workEmail: 'e…@acme.co.uk',
            answer: '',
            username: 'Erin',
            isMine: false,
            website: 'https://www.acme.co.uk/about',
            domain: 'acme.co.uk',
            note: 'I lead HR.',
            others: 0,
          },
        ],
        next: null,
      })
      const text = JSON.stringify(answer)
      expect(text).not.toContain('erin.smith')
      expect(text).not.toContain(ctx.actor.account?.id)
      await approveClaim(admin, id)
      expect(await shown()).toEqual(['approved'])
    }))

  test('administrators read claims a page at a time', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await ctx.db.query(sql`
        insert into accounts (email_hash, email_sealed, root_sealed, made_in_month)
        select 'hash ' || n, 'sealed', 'sealed', '2026-03-01' from generate_series(1, 35) n`)
      await ctx.db.query(sql`
        insert into employer_claims (account_id, company_id, status)
        select id, ${ACME}, 'approved' from accounts where email_hash like 'hash %'`)
      const first = await claimsToReview(asAdmin(ctx), { status: 'approved' })
      expect(first.claims).toHaveLength(30)
      expect(first.claims[0]).toMatchObject({ others: 34, method: null, workEmail: null })
      const second = await claimsToReview(asAdmin(ctx), { status: 'approved', before: first.next })
      expect(second.claims).toHaveLength(5)
      expect(second.next).toBeNull()
      const ids = [...first.claims, ...second.claims].map(({ id }) => id)
      expect(new Set(ids).size).toBe(35)
    }))
})

describe('rights come and go', () => {
  test('erin’s rights end as soon as she leaves, and she can claim again', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const id = await approved(ctx)
      expect(await withdrawClaim(ctx, id)).toEqual({ status: 'withdrawn' })
      expect(await role(ctx)).toBe('member')
      expect(await userType(ctx)).toBeNull()
      expect(await actsFor(ctx, ACME)).toBe(false)
      expect(await myClaims(ctx)).toEqual([])
      await expect(withdrawClaim(ctx, id)).rejects.toMatchObject({
        status: 409,
        message: CLAIM_REFUSALS.over,
      })
      await approved(ctx)
      expect(await role(ctx)).toBe('employer')
    }))

  test('an administrator ends erin’s rights, and she hears of it', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const id = await approved(ctx)
      expect(await revokeClaim(asAdmin(ctx), id)).toEqual({ status: 'revoked' })
      expect((await logged(ctx)).slice(-1)).toEqual([
        { action: 'revoke-claim', subject: 'Acme (Erin)' },
      ])
      expect(await role(ctx)).toBe('member')
      expect(await userType(ctx)).toBeNull()
      const [mail] = await post(ctx)
      expect(mail).toMatchObject({
        to: 'erin@kettle.example',
        subject: 'You no longer act for Acme',
      })
    }))

  test('the menus change only when the last claim ends', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const first = await approved(ctx)
      const second = await approved(ctx, await anotherCompany(ctx, 'Beta'))
      await withdrawClaim(ctx, first)
      expect([await role(ctx), await userType(ctx)]).toEqual(['employer', 'employer'])
      await revokeClaim(asAdmin(ctx), second)
      expect([await role(ctx), await userType(ctx)]).toEqual(['member', null])
    }))

  test('erin’s rights end with the company', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await approved(ctx)
      await ctx.db.query(sql`delete from companies where id = ${ACME}`)
      expect([await role(ctx), await userType(ctx)]).toEqual(['member', null])
    }))

  test('erin’s other metadata stays, and a full account just has no menus', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const { id = '' } = ctx.actor.account ?? {}
      const noise = Array.from({ length: 8_100 }, (_, n) =>
        String.fromCharCode(33 + ((n * n) % 90)),
      )
      const metadata = JSON.stringify({ theme: noise.join('') })
      await ctx.db.query(
        sql`update accounts set user_metadata = ${metadata}::jsonb where id = ${id}`,
      )
      const claimId = await approved(ctx)
      expect(await role(ctx)).toBe('employer')
      await revokeClaim(asAdmin(ctx), claimId)
      const [row] = await ctx.db.query<{ keys: string[] }>(sql`
        select array(select jsonb_object_keys(user_metadata)) as keys from accounts where id = ${id}`)
      expect(row?.keys).toEqual(['theme'])
    }))

  test('several people act for one company', () =>
    as('erin', async (erin) => {
      await company(erin)
      await approved(erin)
      const dana = castOn(erin).dana
      const id = await verified(dana)
      const [seen] = (await claimsToReview(asAdmin(erin), { status: 'waiting' })).claims
      expect(seen).toMatchObject({ username: 'Dana', others: 1 })
      await approveClaim(asAdmin(erin), id)
      expect(await actsFor(dana, ACME)).toBe(true)
      await withdrawClaim(dana, id)
      expect(await actsFor(erin, ACME)).toBe(true)
    }))

  test('no one can touch another person’s claim', () =>
    as('erin', async (erin) => {
      await company(erin)
      const { id } = await claim(erin)
      const dns = await claim(erin, { method: 'dns' }, await anotherCompany(erin, 'Beta'))
      const dana = castOn(erin).dana
      const gone = { status: 404, message: CLAIM_REFUSALS.gone }
      await expect(withdrawClaim(dana, id)).rejects.toMatchObject(gone)
      await expect(resendClaimLink(freely(dana), id)).rejects.toMatchObject(gone)
      const found = async () => [dns.record?.value ?? '']
      await expect(checkRecord(dana, dns.id, found)).rejects.toMatchObject(gone)
      expect(await myClaims(dana)).toEqual([])
      expect(await claimsExport(dana)).toEqual({ companyClaims: [] })
      expect(await myClaims(erin)).toHaveLength(2)
    }))

  test('a suspension ends only the sessions, and nothing is approved meanwhile', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const id = await approved(ctx)
      const waiting = await verified(ctx, await anotherCompany(ctx, 'Beta'))
      const { id: accountId = '' } = ctx.actor.account ?? {}
      const auth = {} as Parameters<typeof setSuspended>[0]['auth']
      await setSuspended({ ...ctx, auth }, accountId, true)
      expect(await role(ctx)).toBeUndefined()
      expect(await userType(ctx)).toBe('employer')
      await expect(approveClaim(asAdmin(ctx), waiting)).rejects.toMatchObject({
        status: 409,
        message: CLAIM_REFUSALS.suspended,
      })
      await setSuspended({ ...ctx, auth }, accountId, false)
      const [row] = await ctx.db.query<{ status: string }>(
        sql`select status from employer_claims where id = ${id}`,
      )
      expect(row?.status).toBe('approved')
    }))

  test('a deleted account takes its claims along', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await approved(ctx)
      const { id = '' } = ctx.actor.account ?? {}
      await deleteAccount(ctx, { id, authorKey: ctx.actor.authorKey ?? '', posts: 'keep' })
      expect(await kept(ctx)).toBeUndefined()
    }))
})

describe('what is kept', () => {
  const columns = ['work_email_sealed', 'link_hash', 'domain'] as const

  test('a waiting claim keeps the sealed address and days, but no time', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await claim(ctx)
      await post(ctx)
      const row = await kept(ctx)
      expect(row?.claimed_on).toBe('2026-03-14')
      const text = JSON.stringify(row)
      const known = [
        'erin.smith',
        addressHash(ctx.secrets, 'erin.smith@acme.co.uk'),
        ctx.actor.authorKey,
        ctx.network,
      ]
      for (const secret of known) expect(text.toLowerCase()).not.toContain(secret?.toLowerCase())
      const place = workEmailContext(row?.id as string)
      expect(ctx.secrets.open(row?.work_email_sealed as string, place)).toBe(
        'erin.smith@acme.co.uk',
      )
      const times = await ctx.db.query(sql`
        select from information_schema.columns
         where table_name = 'employer_claims' and data_type like '%time%'`)
      expect(times).toEqual([])
    }))

  test.each([
    ['approved', (ctx: Ctx, id: string) => approveClaim(asAdmin(ctx), id)],
    ['declined', (ctx: Ctx, id: string) => declineClaim(asAdmin(ctx), id, 'No')],
    ['withdrawn', (ctx: Ctx, id: string) => withdrawClaim(ctx, id)],
  ])('no part of the address stays: %s', (status, end) =>
    as('erin', async (ctx) => {
      await company(ctx)
      const id = await verified(ctx)
      await end(ctx, id)
      const row = await kept(ctx)
      expect(row?.status).toBe(status)
      for (const column of columns) expect(row?.[column]).toBeNull()
      expect(row?.former_link_hashes).toEqual([])
      expect(row?.note).toBe(status === 'approved' ? 'I lead HR.' : '')
      const everywhere = JSON.stringify([
        row,
        await ctx.db.query(sql`select payload from job_queue`),
        await myClaims(ctx),
        await claimsToReview(asAdmin(ctx), { status: 'approved' }),
        await claimsToReview(asAdmin(ctx), { status: 'closed' }),
      ])
      expect(everywhere).not.toMatch(/erin\.smith|@acme/i)
    }),
  )

  test('the address of a decided claim disappears from the database', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await claim(ctx)
      await expect(
        ctx.db.transaction((db) => db.query(sql`update employer_claims set status = 'approved'`)),
      ).rejects.toThrow()
    }))

  test('a claim without proof ends after a month', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await claim(ctx)
      const later = (days: number) => ({
        ...ctx,
        now: () => new Date(ctx.now().getTime() + days * DAY_MS),
      })
      await sweepClaims(later(30))
      expect((await kept(ctx))?.status).toBe('pending')
      await sweepClaims(later(31))
      expect(await kept(ctx)).toMatchObject({ status: 'withdrawn', work_email_sealed: null })
      await verified(ctx)
      await sweepClaims(later(400))
      expect((await kept(ctx))?.status).toBe('pending')
    }))

  test('erin’s export has her whole claim', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      await claim(ctx)
      expect(await claimsExport(ctx)).toEqual({
        companyClaims: [
          {
            company: 'Acme',
            status: 'pending',
            method: 'mail',
            claimedOn: '2026-03-14',
            isVerified: false,
            isOwner: false,
            note: 'I lead HR.',
            answer: '',
            workEmail: 'erin.smith@acme.co.uk',
          },
        ],
      })
    }))
})

describe('over HTTP', () => {
  test('a visitor is asked to sign in, everywhere', () =>
    as('vera', async (ctx) => {
      const app = routes(ctx)
      for (const key of Object.keys(claimContract)) {
        const [method, path] = key.split(' ') as ['GET', string]
        const payload = method === 'GET' ? undefined : { method: 'dns', wantsNews: false }
        const answer = await app.inject({ method, url: path.replace('{id}', ACME), payload })
        expect([key, answer.statusCode]).toEqual([key, 401])
      }
    }))

  test('a member’s answers never say who acts for a company', () =>
    as('erin', async (erin) => {
      await company(erin)
      await approved(erin)
      const app = routes(castOn(erin).dana)
      const mine = await app.inject({ method: 'GET', url: '/api/v1/my/claims' })
      expect(mine.json()).toEqual({ claims: [] })
      for (const status of CLAIM_LISTS) {
        const url = `/api/v1/claims?status=${status}`
        expect((await app.inject({ method: 'GET', url })).statusCode).toBe(403)
      }
      // The form doesn't tell, either: it answers the same no matter who already acts for the company.
      const url = `/api/v1/companies/${ACME}/claims`
      const made = await app.inject({ method: 'POST', url, payload: { method: 'dns' } })
      expect(made.statusCode).toBe(201)
      expect(made.body).not.toContain('Erin')
    }))

  test('the company’s page, its suggestions and lists are the same before and after', () =>
    as('erin', async (erin) => {
      await company(erin)
      const vera = castOn(erin).vera
      const handlers = companyHandlers(searchingFreely)
      const publicAnswers = async () =>
        JSON.stringify([
          await handlers['GET /api/v1/companies/{id}'](vera, {
            params: { id: ACME },
            query: undefined,
            body: undefined,
          }),
          await handlers['GET /api/v1/companies/suggest'](vera, {
            params: undefined,
            query: { text: 'acme' },
            body: undefined,
          }),
          await handlers['GET /api/v1/companies/recent'](vera, {
            params: undefined,
            query: { limit: 4 },
            body: undefined,
          }),
        ])
      const before = await publicAnswers()
      expect(before).toContain('Acme')
      await approved(erin)
      expect(await publicAnswers()).toBe(before)
    }))

  test('claims per hour, mails per address and DNS queries are limited', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const app = routes(ctx, { hasRateLimits: true })
      const url = `/api/v1/companies/${ACME}/claims`
      const payload = { method: 'mail', workEmail: 'erin.smith@acme.co.uk' }
      const made = await app.inject({ method: 'POST', url, payload })
      const again = `/api/v1/my/claims/${made.json().id}/resend`
      const codes: number[] = []
      for (let n = 0; n < 5; n++)
        codes.push((await app.inject({ method: 'POST', url: again })).statusCode)
      expect(codes).toEqual([200, 200, 200, 200, 429])
      for (let n = 0; n < 4; n++) await app.inject({ method: 'POST', url, payload })
      expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(429)
      const check = `/api/v1/my/claims/${made.json().id}/check`
      for (let n = 0; n < 10; n++)
        expect((await app.inject({ method: 'POST', url: check })).statusCode).toBe(409)
      expect((await app.inject({ method: 'POST', url: check })).statusCode).toBe(429)
    }))

  test('the endpoint looks up the DNS record', () =>
    as('erin', async (ctx) => {
      await company(ctx)
      const lookup = vi.fn(async () => [] as string[])
      const app = routes(ctx, { lookup })
      const { id } = await claim(ctx, { method: 'dns' })
      const answer = await app.inject({ method: 'POST', url: `/api/v1/my/claims/${id}/check` })
      expect(answer.json()).toMatchObject({ outcome: 'missing', claim: { id } })
      expect(lookup).toHaveBeenCalledWith('acme.co.uk')
    }))
})

test('a refusal is always a sentence', () => {
  for (const refusal of Object.values(CLAIM_REFUSALS)) {
    const sentence = typeof refusal === 'function' ? refusal('acme.example') : refusal
    expect(new Refusal('conflict', sentence).message).toMatch(/^[A-Z].{12,}/)
  }
})
