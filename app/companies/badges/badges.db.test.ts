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
  badgeByCode,
  badgeFor,
  codedBadge,
  freely,
  type Holder,
  holderFor,
  issuingRequestFor,
} from '#tests/support/holders.ts'
import { answerOfIssuer, isOfIssuer, issuerOn } from '#tests/support/issuer.ts'
import { rater, settledRater } from '#tests/support/raters.ts'
import { badgeContract } from './badge.contract.ts'
import { BADGE_CODE_MINUTES, BADGE_HOLDERS_MIN, BADGE_REFUSALS } from './badge.ts'
import { askForBadge, issueBadge } from './badge-commands.server.ts'
import type { BadgeApi } from './badge-issuing.data.ts'
import * as badgeIssuing from './badge-issuing.data.ts'
import { BADGE_CODE_TASK, type BadgeCodeWanted, sendBadgeCode } from './badge-request.server.ts'
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
const ask = (ctx: Ctx, companyId: string, email = 'dana@acme.co.uk') =>
  askForBadge({ ...ctx, requireMailPause: async () => {} }, { companyId, email })
const member = settledRater
const codedFor = (ctx: Ctx, companyId: string, email = 'dana@acme.co.uk') =>
  codedBadge(ctx, { companyId, domain: DOMAIN, email })
const enter = (ctx: Ctx, holder: Holder, coded: ReturnType<typeof codedFor>) =>
  badgeByCode(ctx, issuer, { holder, ...coded, domain: DOMAIN })

/** Sends what waits. */
async function post(ctx: Ctx) {
  const mails: Mail[] = []
  const office = {
    send: async (mail: Mail) => void mails.push(mail),
    hasRoomFor: async () => true,
  }
  const jobs = await ctx.db.query<{ payload: BadgeCodeWanted }>(sql`
    delete from job_queue where kind = ${BADGE_CODE_TASK} returning payload`)
  for (const { payload } of jobs)
    await sendBadgeCode(
      ctx,
      office,
      { siteName: 'Kettle', siteUrl: () => 'https://kettle.example' },
      payload,
    )
  return { mails, jobs }
}

describe('a request for a badge', () => {
  test('dana’s request sends a code to her work address, and no table shows that anyone asked', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const { token, ...shown } = await ask(ctx, id, ' Dana@Mail.Acme.co.uk ')
      expect(shown).toEqual({ domain: DOMAIN })
      const { mails, jobs } = await post(ctx)
      expect(JSON.stringify(jobs)).not.toMatch(/acme|dana/i)
      expect(mails).toMatchObject([{ to: 'dana@mail.acme.co.uk', subject: 'Your Kettle code' }])
      // It lies where an employer can read it, and its filter looks for words.
      const said = `${mails[0]?.text}${mails[0]?.html}`
      expect(said).not.toContain(ctx.actor.account?.username)
      expect(said).not.toMatch(/acme|badge|compan|employ|work(?!er)|settings/i)
      const code = /^([\dA-Z]{3} [\dA-Z]{3})$/m.exec(`${mails[0]?.text}`)?.[1] ?? ''
      await enter(ctx, await holderFor(ctx, issuer), { token, code: code.toLowerCase() })
      await ctx.db.query(sql`delete from badge_holders`)
      expect(await ctx.db.query(sql`select from badge_holders`)).toEqual([])
      expect(await ctx.db.query(sql`select from job_queue`)).toEqual([])
    }))

  test('a request with free mail, another company’s domain or a company without one is refused', () =>
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

  test('an employer’s request is refused', () =>
    as('erin', async (ctx) => {
      const id = await acme(ctx)
      const call = callsOf(badgeContract, badgeHandlers(issuer, { hasRateLimits: false }))(ctx)
      const request = Buffer.alloc(RENEWAL_BYTES).toString('base64url')
      for (const refused of [
        () => call('POST /api/v1/my/badge', { body: { companyId: id, email: 'erin@acme.co.uk' } }),
        () =>
          call('POST /api/v1/my/badge/credential', {
            body: { ...codedFor(ctx, id), quarter: '2026-Q1', request },
          }),
      ])
        await expect(refused()).rejects.toMatchObject({
          status: 403,
          code: 'employer-not-allowed',
          message: BADGE_REFUSALS.employer,
        })
    }))

  test('an address gets only a few mails an hour, whoever asks', () =>
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

describe('entering the code', () => {
  test('dana’s code gives her a badge over her rating secret, and no table says whose it is', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      const badge = await enter(ctx, holder, codedFor(ctx, id))
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

  test('dana’s code works again, because an answer can get lost', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      const coded = codedFor(ctx, id)
      await enter(ctx, holder, coded)
      await enter(ctx, holder, coded)
      expect(await ctx.db.query(sql`select from badge_holders`)).toHaveLength(1)
    }))

  test('the same mailbox gets no second badge until the next quarter', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      await enter(ctx, holder, codedFor(ctx, id))
      const other = await member(ctx, 1)
      const others = await holderFor(other, issuer)
      for (const [who, its, email] of [
        [ctx, holder, 'dana@acme.co.uk'],
        [other, others, 'DANA@acme.co.uk'],
        [other, others, 'dana+again@acme.co.uk'],
        [other, others, 'dana@hr.acme.co.uk'],
      ] as const)
        await expect(enter(who, its, codedFor(who, id, email))).rejects.toMatchObject({
          status: 409,
          message: BADGE_REFUSALS.used,
        })
      today = '2026-04-01'
      const inApril = { ...ctx, now: () => new Date('2026-04-01T12:00:00Z') }
      await enter(inApril, holder, codedFor(inApril, id))
      expect(await ctx.db.query(sql`select from badge_holders`)).toHaveLength(2)
    }))

  test('two codes of one mailbox entered at once give one badge', async () => {
    const ctx = await as('dana', async (ctx) => ctx)
    const db = outside()
    const real = { ...ctx, db }
    const id = await acme(real)
    try {
      const holder = await holderFor(real, issuer)
      const both = await Promise.allSettled(
        [1, 2].map(() => enter(real, holder, codedFor(real, id))),
      )
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ status: 409 })
    } finally {
      await db.query(sql`delete from badge_holders`)
      await db.query(sql`delete from credential_commitments`)
      await db.query(sql`delete from credential_mailboxes`)
      await db.query(sql`delete from companies where id = ${id}`)
    }
  })

  test('a code fails for another account or quarter, after an hour, and for a made-up request', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      const other = await member(ctx, 1)
      const others = await holderFor(other, issuer)
      const coded = codedFor(ctx, id)
      await expect(enter(other, others, coded)).rejects.toMatchObject({
        status: 403,
        message: BADGE_REFUSALS.otherAccount,
      })
      const hourLater = later(ctx, BADGE_CODE_MINUTES + 1)
      await expect(enter(hourLater, holder, coded)).rejects.toMatchObject({ status: 410 })
      await enter(later(ctx, BADGE_CODE_MINUTES - 1), holder, coded)
      const before = { ...ctx, now: () => new Date('2026-03-31T23:00:00Z') }
      today = '2026-04-01'
      const after = { ...ctx, now: () => new Date('2026-04-01T01:00:00Z') }
      await expect(enter(after, holder, codedFor(before, id))).rejects.toMatchObject({
        status: 410,
      })
      for (const wrong of [
        '',
        'x',
        `${coded.token.slice(0, -4)}AAAA`,
        ctx.secrets.seal('{}'),
        // Sealed by the site, for another use.
        ctx.secrets.seal(JSON.stringify({ accountId: ctx.actor.account?.id }), 'another place'),
        codedFor({ ...ctx, secrets: createSecrets('another site') }, id).token,
      ])
        await expect(enter(ctx, holder, { ...coded, token: wrong })).rejects.toMatchObject({
          status: 410,
        })
    }))

  test('a wrong code is refused, and any code after five wrong ones, even at once', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const holder = await holderFor(ctx, issuer)
      const call = callsOf(badgeContract, badgeHandlers(issuer, { hasRateLimits: false }))(ctx)
      const purpose = { kind: 'badge', domain: DOMAIN, quarter: '2026-Q1' } as const
      const { request } = issuingRequestFor(issuer, '2026-Q1', holder.m1, holder.kept, purpose)
      const sent = (coded: { token: string; code: string }) =>
        call('POST /api/v1/my/badge/credential', {
          body: { ...coded, quarter: '2026-Q1', request },
        })
      const coded = codedFor(ctx, id)
      const wrong = { ...coded, code: codedFor(ctx, id).code }
      await expect(sent({ ...coded, code: '12345' })).rejects.toMatchObject({ status: 400 })
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => sent(wrong)))
      const statuses = tries.map((it) => it.status === 'rejected' && it.reason.status)
      expect(statuses.toSorted()).toEqual([400, 400, 400, 400, 400, 410, 410, 410])
      await expect(sent(coded)).rejects.toMatchObject({ message: BADGE_REFUSALS.tries })
      await sent(codedFor(ctx, id))
    }))

  test('a code fails without the account’s own secret', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      const coded = codedFor(ctx, id)
      const purpose = { kind: 'badge', domain: DOMAIN, quarter: '2026-Q1' } as const
      const stranger = issuingRequestFor(issuer, '2026-Q1', randomScalar(), undefined, purpose)
      const body = { ...coded, quarter: '2026-Q1', request: stranger.request }
      await expect(issueBadge(freely(ctx), body, issuer)).rejects.toMatchObject({
        status: 409,
        message: BADGE_REFUSALS.noSecret,
      })
      const holder = await holderFor(ctx, issuer)
      await expect(issueBadge(freely(ctx), body, issuer)).rejects.toMatchObject({ status: 409 })
      const lent = issuingRequestFor(issuer, '2026-Q1', randomScalar(), holder.kept, purpose)
      await expect(
        issueBadge(freely(ctx), { ...body, request: lent.request }, issuer),
      ).rejects.toMatchObject({ status: 409, message: BADGE_REFUSALS.otherSecret })
      // Nor is a request for ratings one for a badge.
      const rating = issuingRequestFor(issuer, '2026-Q1', holder.m1, holder.kept)
      await expect(
        issueBadge(freely(ctx), { ...body, request: rating.request }, issuer),
      ).rejects.toMatchObject({ status: 409 })
      // None of this has used the address up.
      expect(await ctx.db.query(sql`select from badge_holders`)).toEqual([])
      await enter(ctx, holder, coded)
    }))
})

describe('a browser', () => {
  /** What everyone can read about the company. */
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
    const account = { ...(ctx.actor.account as SignedIn), authenticatedAt: NOW.getTime() / 1000 }
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

  /** What a tab keeps after asking, and the code that came. */
  const codedHere = (ctx: Ctx, companyId: string, domain = DOMAIN) => ({
    ...codedBadge(ctx, { companyId, domain, email: 'dana@acme.co.uk' }),
    companyId,
    domain,
  })

  test('a browser reads name, domain and quarter from public answers, without identifying itself', () =>
    as('dana', async (ctx) => {
      const id = await acmeIsShown(ctx)
      const { api } = browserOf(ctx)
      const badge = await badgeIssuing.fetchBadge(api, DANA, codedHere(ctx, id))
      expect(publicly).toHaveBeenCalledWith(
        `/api/v1/companies/${id}`,
        expect.objectContaining({ credentials: 'omit', headers: {} }),
      )
      const company = { id, name: 'Acme', path: '/acme' }
      expect(badge).toMatchObject({ domain: DOMAIN, quarter: '2026-Q1', company })
      expect(badgesOf(DANA)).toEqual([badge])
    }))

  test.each([
    ['without a website', { website: null }],
    ['whose website is nobody’s domain', { website: 'https://co.uk' }],
  ])('a browser accepts no badge of a company %s', (_, other) =>
    as('dana', async (ctx) => {
      const coded = codedHere(ctx, await acmeIsShown(ctx))
      shown = { ...shown, ...other }
      const { api, sent } = browserOf(ctx)
      await expect(badgeIssuing.fetchBadge(api, DANA, coded)).rejects.toThrow(ForeignIssuer)
      expect(sent).toEqual([])
    }),
  )

  test('a browser has no badge for a subdomain or a domain the company no longer uses', () =>
    as('dana', async (ctx) => {
      const id = await acmeIsShown(ctx)
      const { api } = browserOf(ctx)
      const changed = { status: 409, message: BADGE_REFUSALS.companyChanged }
      const ofPart = codedHere(ctx, id, 'danas-team.acme.co.uk')
      await expect(badgeIssuing.fetchBadge(api, DANA, ofPart)).rejects.toMatchObject(changed)
      await ctx.db.query(
        sql`update companies set website = 'https://acme.example' where id = ${id}`,
      )
      const before = codedHere(ctx, id)
      await expect(badgeIssuing.fetchBadge(api, DANA, before)).rejects.toMatchObject(changed)
      expect(await ctx.db.query(sql`select from badge_holders`)).toEqual([])
      expect(badgesOf(DANA)).toEqual([])
    }))

  test('a browser asks for no badge of a quarter its clock doesn’t expect', () =>
    as('dana', async (ctx) => {
      const coded = codedHere(ctx, await acmeIsShown(ctx))
      const { api, sent } = browserOf(ctx)
      await holderHere(api)
      vi.setSystemTime('2031-03-14T12:00:00Z')
      await expect(badgeIssuing.fetchBadge(api, DANA, coded)).rejects.toThrow(WrongClock)
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

  test('a domain shows from the night on which it has ten badges, even after they’re forgotten', () =>
    as('dana', async (ctx) => {
      const id = await acme(ctx)
      await holders(ctx, id, 1, BADGE_HOLDERS_MIN - 1)
      await showBadges(ctx)
      expect(await shown(ctx)).toEqual([])
      await holders(ctx, id, BADGE_HOLDERS_MIN, BADGE_HOLDERS_MIN)
      expect(await shown(ctx)).toEqual([])
      expect(await showBadges(ctx, { badgeHoldersMin: 11, roomHoldersMin: 30 })).toBe(0)
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

  test('a domain doesn’t show if five of its ten badges are from the quarter before', () =>
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
