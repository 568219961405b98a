/** Badges on a real database: who gets one, what it is good for, and from when on it is seen. D64. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SignedIn } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { randomScalar } from '#app/api/credential/group.ts'
import { credentialContract } from '#app/identity/credentials/credential.contract.ts'
import { RENEWAL_BYTES } from '#app/identity/credentials/credential.ts'
import { credentialHandlers } from '#app/identity/credentials/feature.server.ts'
import { forgetHolder } from '#app/identity/credentials/holder.data.ts'
import { forgetIssuerKeys } from '#app/identity/credentials/issuer-keys.data.ts'
import { credentialOf } from '#app/identity/credentials/issuing.data.ts'
import { ForeignIssuer, WrongClock } from '#app/identity/credentials/issuing-problem.data.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import type { Mail } from '#app/platform/mail/mail.server.ts'
import { callsOf } from '#tests/support/api.ts'
import { later, NOW, withDatabase } from '#tests/support/database.ts'
import {
  badgeByLink,
  badgeFor,
  type Holder,
  holderFor,
  issuingRequestFor,
} from '#tests/support/holders.ts'
import { answerOfIssuer, isOfIssuer, issuerOn } from '#tests/support/issuer.ts'
import { rater, settledRater } from '#tests/support/raters.ts'
import { badgeContract } from './badge.contract.ts'
import { BADGE_HOLDERS_MIN, BADGE_LINK_HOURS, BADGE_REFUSALS } from './badge.ts'
import { askForBadge, companyOfLink, issueBadge } from './badge-commands.server.ts'
import type { BadgeApi } from './badge-issuing.data.ts'
import * as badgeIssuing from './badge-issuing.data.ts'
import {
  BADGE_LINK_JOB,
  type BadgeLinkWanted,
  makeBadgeLink,
  sendBadgeLink,
} from './badge-link.server.ts'
import { badgeHandlers } from './feature.server.ts'
import { showBadges } from './post-badges.server.ts'
import { badgesOf, forgetBadges } from './stored-badges.data.ts'

const { as, outside } = withDatabase()
let today = '2026-03-14'
const issuer = issuerOn(() => today)
afterAll(() => issuer.stop())
afterEach(() => {
  today = '2026-03-14'
})

const DOMAIN = 'acme.co.uk'
async function acme({ db }: Ctx, website: string | null = 'https://www.acme.co.uk/about') {
  const [company] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, website) values ('Acme', 'acme', ${website}) returning id`)
  return company?.id as string
}
const freely = (ctx: Ctx) => ({ ...ctx, requireMailPause: async () => {} })
const ask = (ctx: Ctx, companyId: string, email = 'dana@acme.co.uk') =>
  askForBadge(freely(ctx), { companyId, email })
const member = settledRater
const linkOf = (ctx: Ctx, companyId: string, email = 'dana@acme.co.uk') =>
  makeBadgeLink(ctx, {
    accountId: ctx.actor.account?.id as string,
    companyId,
    domain: DOMAIN,
    email,
  })
const open = (ctx: Ctx, holder: Holder, token: string) =>
  badgeByLink(ctx, issuer, { holder, token, domain: DOMAIN })

/** Sends what waits. */
async function post(ctx: Ctx) {
  const mails: Mail[] = []
  const office = {
    send: async (mail: Mail) => void mails.push(mail),
    hasRoomFor: async () => true,
  }
  const jobs = await ctx.db.query<{ payload: BadgeLinkWanted }>(sql`
    delete from job_queue where kind = ${BADGE_LINK_JOB} returning payload`)
  for (const { payload } of jobs)
    await sendBadgeLink(
      ctx,
      office,
      { siteName: 'Kettle', siteUrl: () => 'https://kettle.example' },
      payload,
    )
  return { mails, jobs }
}

describe('asking for a badge', () => {
  test('sends a link to the work address, and no table says that anybody asked', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      expect(await ask(ctx, id, ' Dana@Mail.Acme.co.uk ')).toEqual({ isSent: true, domain: DOMAIN })
      const { mails, jobs } = await post(ctx)
      expect(JSON.stringify(jobs)).not.toMatch(/acme|dana/i)
      expect(mails).toMatchObject([{ to: 'dana@mail.acme.co.uk', subject: 'Confirm this address' }])
      const text = `${mails[0]?.text}`
      // It lies where an employer can read it.
      expect(text).not.toContain(ctx.actor.account?.username)
      const token = decodeURIComponent(/\/badge#(\S+)/.exec(text)?.[1] ?? '')
      // A domain or a quarter that only this answer named could be hers alone.
      expect(await companyOfLink(ctx, token)).toEqual({ companyId: id })
      expect(await ctx.db.query(sql`select from badge_holders`)).toEqual([])
      expect(await ctx.db.query(sql`select from job_queue`)).toEqual([])
    }))

  test('free mail, another company’s domain, and a company without one are refused in a sentence', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      for (const [email, message] of [
        ['dana@gmail.com', BADGE_REFUSALS.freeMail('gmail.com')],
        ['dana@mail.googlemail.com', BADGE_REFUSALS.freeMail('mail.googlemail.com')],
        ['dana@globex.example', BADGE_REFUSALS.otherDomain(DOMAIN)],
        ['dana@notacme.co.uk', BADGE_REFUSALS.otherDomain(DOMAIN)],
        ['dana@co.uk', BADGE_REFUSALS.otherDomain(DOMAIN)],
      ] as const)
        await expect(ask(ctx, id, email)).rejects.toMatchObject({ status: 400, message })
      await ctx.db.query(sql`update companies set website = null where id = ${id}`)
      await expect(ask(ctx, id)).rejects.toMatchObject({ message: BADGE_REFUSALS.noWebsite })
      await ctx.db.query(sql`update companies set website = 'http://10.0.0.1' where id = ${id}`)
      await expect(ask(ctx, id)).rejects.toMatchObject({ message: BADGE_REFUSALS.noDomain })
      await expect(ask(ctx, randomUUID())).rejects.toMatchObject({ status: 404 })
      expect((await post(ctx)).mails).toEqual([])
    }))

  test('employers get none', () =>
    as('erin', async (ctx) => {
      const id = await acme(ctx)
      const call = callsOf(badgeContract, badgeHandlers(issuer, { hasRateLimits: false }))(ctx)
      const token = linkOf(ctx, id)
      const request = Buffer.alloc(RENEWAL_BYTES).toString('base64url')
      for (const refused of [
        () => call('POST /api/v1/my/badge', { body: { companyId: id, email: 'erin@acme.co.uk' } }),
        () => call('POST /api/v1/my/badge/link', { body: { token } }),
        () =>
          call('POST /api/v1/my/badge/credential', {
            body: { token, quarter: '2026-Q1', request },
          }),
      ])
        await expect(refused()).rejects.toMatchObject({
          status: 403,
          code: 'employer',
          message: BADGE_REFUSALS.employer,
        })
    }))

  test('an address gets a few mails in an hour, whoever names it', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const handlers = badgeHandlers(issuer, { hasRateLimits: true })
      const sent = { params: undefined, query: undefined }
      const asked = (n: number, email: string) =>
        handlers['POST /api/v1/my/badge'](rater(ctx, n), {
          ...sent,
          body: { companyId: id, email },
        } as never)
      for (let n = 0; n < 3; n++) await asked(n, 'carl@acme.co.uk')
      await expect(asked(4, 'Carl@acme.co.uk')).rejects.toMatchObject({ status: 429 })
      await asked(5, 'eve@acme.co.uk')
    }))
})

describe('opening the link', () => {
  test('gives a badge over the secret that one rates with, and keeps whose it is nowhere', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      const badge = await open(ctx, holder, linkOf(ctx, id))
      expect(badge.m1).toBe(holder.m1)
      const rows = await ctx.db.query<Record<string, unknown>>(sql`select * from badge_holders`)
      expect(rows).toHaveLength(1)
      expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual([
        'address_hash',
        'domain',
        'link_hash',
        'quarter',
      ])
      expect(rows[0]).toMatchObject({ domain: DOMAIN, quarter: '2026-Q1' })
    }))

  test('may be done again with the same link, as an answer can be lost', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      const token = linkOf(ctx, id)
      await open(ctx, holder, token)
      await open(ctx, holder, token)
      expect(await ctx.db.query(sql`select from badge_holders`)).toHaveLength(1)
    }))

  test('with another link for the same mailbox is refused, until the next quarter', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      await open(ctx, holder, linkOf(ctx, id))
      const other = await member(ctx, 1)
      const others = await holderFor(other, issuer)
      for (const [who, its, email] of [
        [ctx, holder, 'dana@acme.co.uk'],
        [other, others, 'DANA@acme.co.uk'],
        [other, others, 'dana+again@acme.co.uk'],
        [other, others, 'dana@hr.acme.co.uk'],
      ] as const)
        await expect(open(who, its, linkOf(who, id, email))).rejects.toMatchObject({
          status: 409,
          message: BADGE_REFUSALS.used,
        })
      today = '2026-04-01'
      const inApril = { ...ctx, now: () => new Date('2026-04-01T12:00:00Z') }
      await open(inApril, holder, linkOf(inApril, id))
      expect(await ctx.db.query(sql`select from badge_holders`)).toHaveLength(2)
    }))

  test('of two links at the same moment one has the badge', async () => {
    const ctx = await as('dana', async (ctx) => ctx)
    const db = outside()
    const real = { ...ctx, db }
    const id = await acme(real)
    try {
      const holder = await holderFor(real, issuer)
      const both = await Promise.allSettled([1, 2].map(() => open(real, holder, linkOf(real, id))))
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ status: 409 })
    } finally {
      await db.query(sql`delete from badge_holders`)
      await db.query(sql`delete from credential_commitments`)
      await db.query(sql`delete from credential_mailboxes`)
      await db.query(sql`delete from companies where id = ${id}`)
    }
  })

  test('is refused to another account, after a day, in another quarter, and for what is no link', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      const other = await member(ctx, 1)
      const others = await holderFor(other, issuer)
      const token = linkOf(ctx, id)
      await expect(open(other, others, token)).rejects.toMatchObject({
        status: 403,
        message: BADGE_REFUSALS.otherAccount,
      })
      await expect(companyOfLink(other, token)).rejects.toMatchObject({ status: 403 })
      const nextDay = later(ctx, BADGE_LINK_HOURS * 60 + 1)
      await expect(open(nextDay, holder, token)).rejects.toMatchObject({ status: 410 })
      await open(later(ctx, BADGE_LINK_HOURS * 60 - 1), holder, token)
      const before = { ...ctx, now: () => new Date('2026-03-31T23:00:00Z') }
      today = '2026-04-01'
      const after = { ...ctx, now: () => new Date('2026-04-01T01:00:00Z') }
      await expect(open(after, holder, linkOf(before, id))).rejects.toMatchObject({ status: 410 })
      for (const wrong of [
        '',
        'x',
        `${token.slice(0, -4)}AAAA`,
        ctx.secrets.seal('{}'),
        // Sealed by the site, for another use.
        ctx.secrets.seal(JSON.stringify({ accountId: ctx.actor.account?.id }), 'another place'),
        makeBadgeLink(
          { secrets: createSecrets('another site'), now: () => NOW },
          {
            accountId: ctx.actor.account?.id as string,
            companyId: id,
            domain: DOMAIN,
            email: 'dana@acme.co.uk',
          },
        ),
      ])
        await expect(companyOfLink(ctx, wrong)).rejects.toMatchObject({ status: 410 })
    }))

  test('is refused over another secret than the account’s, and without one', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const token = linkOf(ctx, id)
      const purpose = { kind: 'badge', domain: DOMAIN, quarter: '2026-Q1' } as const
      const stranger = issuingRequestFor(issuer, '2026-Q1', randomScalar(), undefined, purpose)
      const body = { token, quarter: '2026-Q1', request: stranger.request }
      await expect(issueBadge(ctx, body, issuer)).rejects.toMatchObject({
        status: 409,
        message: BADGE_REFUSALS.noSecret,
      })
      const holder = await holderFor(ctx, issuer)
      await expect(issueBadge(ctx, body, issuer)).rejects.toMatchObject({ status: 409 })
      const lent = issuingRequestFor(issuer, '2026-Q1', randomScalar(), holder.kept, purpose)
      await expect(
        issueBadge(ctx, { ...body, request: lent.request }, issuer),
      ).rejects.toMatchObject({ status: 409, message: BADGE_REFUSALS.otherSecret })
      // Nor is a request for ratings one for a badge.
      const rating = issuingRequestFor(issuer, '2026-Q1', holder.m1, holder.kept)
      await expect(
        issueBadge(ctx, { ...body, request: rating.request }, issuer),
      ).rejects.toMatchObject({ status: 409 })
      // None of this has used the address up.
      expect(await ctx.db.query(sql`select from badge_holders`)).toEqual([])
      await open(ctx, holder, token)
    }))
})

describe('a browser', () => {
  /** What everybody reads of the company. */
  let shown: { id: string; name: string; slug: string | null; website: string | null }
  const publicly = vi.fn(async (path: string, _how: RequestInit) => {
    if (isOfIssuer(path)) return answerOfIssuer(issuer, path)
    return new Response(JSON.stringify(shown))
  })
  const DANA = 'danas-profile'
  const contract = { ...badgeContract, ...credentialContract }
  const calls = callsOf(contract, {
    ...badgeHandlers(issuer, { hasRateLimits: false }),
    ...credentialHandlers(issuer),
  })
  function browserOf(ctx: Ctx) {
    const account = { ...(ctx.actor.account as SignedIn), provedAt: NOW.getTime() / 1000 }
    const call = calls({ ...ctx, actor: { ...ctx.actor, account } })
    const sent: string[] = []
    const api = (async (endpoint: string, input: never) => {
      sent.push(endpoint)
      return call(endpoint as never, input)
    }) as unknown as BadgeApi
    return { api, sent }
  }
  async function acmeIsShown(ctx: Ctx) {
    const id = await acme(ctx)
    shown = { id, name: 'Acme', slug: 'acme', website: 'https://www.acme.co.uk/about' }
    return id
  }

  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    })
    vi.stubGlobal('fetch', publicly)
    publicly.mockClear()
  })
  afterEach(() => {
    forgetHolder(DANA)
    forgetBadges(DANA)
    forgetIssuerKeys()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('takes name, domain and quarter from what everybody reads, asked for as anybody', () =>
    as('dana', async (ctx) => {
      const id = await acmeIsShown(ctx)
      const { api } = browserOf(ctx)
      const token = linkOf(ctx, id)
      const company = await badgeIssuing.companyOfLink(api, token)
      expect(company).toEqual({ id, name: 'Acme', path: '/acme', domain: DOMAIN })
      expect(publicly).toHaveBeenCalledExactlyOnceWith(
        `/api/v1/companies/${id}`,
        expect.objectContaining({ credentials: 'omit', headers: {} }),
      )
      const badge = await badgeIssuing.fetchBadge(api, DANA, { token, company })
      expect(badge).toMatchObject({ domain: DOMAIN, quarter: '2026-Q1', company: { id } })
      expect(badgesOf(DANA)).toEqual([badge])
    }))

  test.each([
    ['without a website', { website: null }],
    ['whose website is nobody’s domain', { website: 'https://co.uk' }],
    ['that is another one', { id: randomUUID() }],
  ])('takes no badge of a company %s', (_, other) =>
    as('dana', async (ctx) => {
      const token = linkOf(ctx, await acmeIsShown(ctx))
      shown = { ...shown, ...other }
      const { api } = browserOf(ctx)
      await expect(badgeIssuing.companyOfLink(api, token)).rejects.toThrow(ForeignIssuer)
    }),
  )

  test('has no badge by a link for a part of the domain, or for one that the company has left', () =>
    as('dana', async (ctx) => {
      const id = await acmeIsShown(ctx)
      const { api } = browserOf(ctx)
      const changed = { status: 409, message: BADGE_REFUSALS.companyChanged }
      const accountId = ctx.actor.account?.id as string
      const about = { accountId, companyId: id, email: 'dana@acme.co.uk' }
      const token = makeBadgeLink(ctx, { ...about, domain: 'danas-team.acme.co.uk' })
      const company = await badgeIssuing.companyOfLink(api, token)
      await expect(badgeIssuing.fetchBadge(api, DANA, { token, company })).rejects.toMatchObject(
        changed,
      )
      await ctx.db.query(
        sql`update companies set website = 'https://acme.example' where id = ${id}`,
      )
      const before = { token: linkOf(ctx, id), company }
      await expect(badgeIssuing.fetchBadge(api, DANA, before)).rejects.toMatchObject(changed)
      expect(await ctx.db.query(sql`select from badge_holders`)).toEqual([])
      expect(badgesOf(DANA)).toEqual([])
    }))

  test('asks for no badge of a quarter that its clock does not know', () =>
    as('dana', async (ctx) => {
      const token = linkOf(ctx, await acmeIsShown(ctx))
      const { api, sent } = browserOf(ctx)
      const company = await badgeIssuing.companyOfLink(api, token)
      await holderHere(api)
      vi.setSystemTime('2031-03-14T12:00:00Z')
      await expect(badgeIssuing.fetchBadge(api, DANA, { token, company })).rejects.toThrow(
        WrongClock,
      )
      expect(sent).not.toContain('POST /api/v1/my/badge/credential')
    }))

  const holderHere = (api: BadgeApi) => credentialOf(api, DANA)
})

describe('a domain', () => {
  const shown = ({ db }: Ctx) => db.query(sql`select domain from badge_domains`)
  async function holders(ctx: Ctx, companyId: string, from: number, to: number) {
    for (let n = from; n <= to; n++) {
      const who = await member(ctx, n)
      const holder = await holderFor(who, issuer)
      await badgeFor(who, issuer, {
        holder,
        companyId,
        domain: DOMAIN,
        email: `person${n}@acme.co.uk`,
      })
    }
  }

  test('is shown after the night on which ten have a badge, and stays shown when they are forgotten', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      await holders(ctx, id, 1, BADGE_HOLDERS_MIN - 1)
      await showBadges(ctx)
      expect(await shown(ctx)).toEqual([])
      await holders(ctx, id, BADGE_HOLDERS_MIN, BADGE_HOLDERS_MIN)
      expect(await shown(ctx)).toEqual([])
      expect(await showBadges(ctx)).toBe(1)
      expect(await shown(ctx)).toEqual([{ domain: DOMAIN }])
      expect(await showBadges(ctx)).toBe(0)
      const at = (day: string) => ({ ...ctx, now: () => new Date(`${day}T12:00:00Z`) })
      await showBadges(at('2026-06-30'))
      expect(await ctx.db.query(sql`select from badge_holders`)).toHaveLength(BADGE_HOLDERS_MIN)
      await showBadges(at('2026-07-01'))
      expect(await ctx.db.query(sql`select from badge_holders`)).toEqual([])
      expect(await shown(ctx)).toEqual([{ domain: DOMAIN }])
    }))

  test('has not ten when five of them are of the quarter before', () =>
    as('dana', async (ctx) => {
      for (let n = 0; n < BADGE_HOLDERS_MIN; n++)
        await ctx.db.query(sql`
          insert into badge_holders (address_hash, link_hash, domain, quarter)
          values (${Buffer.alloc(32, n + 1)}, ${Buffer.alloc(32, n + 1)}, ${DOMAIN},
                  ${n % 2 === 0 ? '2026-Q1' : '2025-Q4'})`)
      await showBadges(ctx)
      expect(await shown(ctx)).toEqual([])
    }))
})
