/** Who asks for which company, and what the owner makes of it, on a real database. */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { visitor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createSpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { Mail } from '#app/platform/mail/mail.server.ts'
import { callsOf, routesOf } from '#tests/support/api.ts'
import { type Cast, withDatabase } from '#tests/support/database.ts'
import { insertCompanies } from '../company-commands.server.ts'
import { companyBySlug } from '../company-queries.server.ts'
import type { CompanyForm } from '../importing/add-company.server.ts'
import { EMPTY_COMPANY } from '../importing/added-company.ts'
import { LOGO_FETCH_TASK } from '../logos/logo-commands.server.ts'
import { EMPTY_REQUEST, type RequestForm } from './company-request.ts'
import { requestHandlers } from './feature.server.ts'
import { requestContract } from './request.contract.ts'
import * as decisions from './request-commands.server.ts'
import {
  deleteRequest,
  REQUEST_APPROVED_TASK,
  type RequestApproved,
  requestCompany,
  sendApproval,
} from './request-commands.server.ts'
import { companyRequests, REQUESTER_EMAIL, requestsExport } from './request-queries.server.ts'

const { declineRequest, linkRequest } = decisions
/** The owner fills in what was asked for, and knows of doubles. */
const approveRequest = (ctx: Ctx, id: string, form: Partial<CompanyForm> = {}) =>
  decisions.approveRequest(ctx, id, {
    ...EMPTY_COMPANY,
    name: 'Acme Tea',
    isAnother: true,
    ...form,
  })

const { as, castOn } = withDatabase()

const NAMES = ['vera', 'dana', 'erin', 'ada', 'olga'] as const

/** The cast in one test, each on the same transaction. */
const cast = (work: (people: Cast) => Promise<void>) => as('vera', (ctx) => work(castOn(ctx)))

const ask = (ctx: Ctx, part: Partial<RequestForm> = {}) =>
  requestCompany(ctx, { ...EMPTY_REQUEST, companyName: 'Acme Tea', ...part })
const wish = { isNotify: true, notifyEmail: 'Vera@home.example' }

const callAs = callsOf(requestContract, requestHandlers)
const remove = (ctx: Ctx, id: string) =>
  callAs(ctx)('DELETE /api/v1/company-requests/{id}', { params: { id } })

const rows = ({ db }: Ctx) =>
  db.query<Record<string, unknown>>(sql`
    select *, to_char(created_on, 'YYYY-MM-DD') as day from company_requests order by number`)
const jobsIn = ({ db }: Ctx, kind: string) =>
  db.query<{ payload: RequestApproved }>(sql`select payload from job_queue where kind = ${kind}`)
const first = async (olga: Ctx) => {
  const [request] = (await companyRequests(olga)).requests
  if (!request) throw new Error('There is no request')
  return request
}

describe('Spec §6: asking for a company', () => {
  test.each(NAMES)('%s can request a company', (name) =>
    cast(async (people) => {
      await ask(people[name], name === 'vera' ? wish : { isNotify: true })
      const [row] = await rows(people.olga)
      const { account } = people[name].actor
      expect(row).toMatchObject({
        company_name: 'Acme Tea',
        company_website: null,
        status: 'pending',
        requested_by: account?.id ?? null,
        notify: true,
        day: '2026-03-14',
      })
      expect(await first(people.olga)).toMatchObject({
        requesterEmail: name === 'vera' ? 'vera@home.example' : `${name}@kettle.example`,
      })
    }),
  )

  test('a visitor who wants no mail leaves no address, and is listed as Anonymous', () =>
    cast(async ({ vera, olga }) => {
      await ask(vera, { notifyEmail: 'vera@home.example' })
      expect(await rows(olga)).toMatchObject([{ requester_email: null, requested_by: null }])
      expect((await first(olga)).requesterEmail).toBe('Anonymous')
    }))

  test('a visitor’s address is sealed, and a member’s stays in the account', () =>
    cast(async ({ vera, dana, olga }) => {
      await ask(vera, wish)
      await ask(dana, wish)
      const [veras, danas] = await rows(olga)
      const place = sealContext(REQUESTER_EMAIL, veras?.id as string)
      expect(olga.secrets.open(veras?.requester_email as string, place)).toBe('vera@home.example')
      expect(danas?.requester_email).toBeNull()
      expect(JSON.stringify(await rows(olga))).not.toMatch(/home\.example/i)
    }))

  test('a deleted account’s request has no requester', () =>
    cast(async ({ dana, olga }) => {
      await ask(dana, { isNotify: true })
      await olga.db.query(sql`delete from accounts where id = ${dana.actor.account?.id}`)
      const { id, requesterEmail } = await first(olga)
      expect(requesterEmail).toBe('Anonymous')
      await approveRequest(olga, id)
      expect(await jobsIn(olga, REQUEST_APPROVED_TASK)).toEqual([])
    }))
})

test.each([
  [{ companyName: ' \n ' }, 'Please enter a company name'],
  [{ companyName: 'Acme\nBcc: x@y.example' }, 'A company name must be on one line'],
  [{ companyName: 'x'.repeat(121) }, 'A company name can have at most 120 characters'],
  [{ isNotify: true }, 'Please enter your email to be notified'],
  [{ isNotify: true, notifyEmail: 'x@y.example\nBcc: z@y.example' }, expect.any(String)],
  [{ companyWebsite: 'javascript:alert(1)' }, expect.any(String)],
])('Spec §5: %j is refused with a sentence, and nothing is stored', (part, message) =>
  cast(async ({ vera }) => {
    await expect(ask(vera, part)).rejects.toMatchObject({ status: 400, message })
    expect(await rows(vera)).toEqual([])
  }),
)

describe('Spec §6, §8: the list', () => {
  test('only the owner sees the list', () =>
    cast(async (people) => {
      await ask(people.vera, wish)
      const list = (ctx: Ctx) => callAs(ctx)('GET /api/v1/company-requests')
      await expect(list(people.vera)).rejects.toMatchObject({
        status: 401,
        message: 'Authentication required',
      })
      for (const name of ['dana', 'erin', 'ada'] as const)
        await expect(list(people[name])).rejects.toMatchObject({
          status: 403,
          message: 'Access denied: Only specific admin can view company requests',
        })
      expect((await list(people.olga)).total).toBe(1)
    }))

  test('the owner needs her row in admin_users to see the list', () =>
    cast(async ({ olga }) => {
      const ctx = { ...olga, actor: { ...olga.actor, role: 'member' as const } }
      await expect(callAs(ctx)('GET /api/v1/company-requests')).rejects.toMatchObject({
        status: 403,
        message: 'Admin verification failed',
      })
      await expect(remove(ctx, crypto.randomUUID())).rejects.toMatchObject({
        status: 403,
        message: "You don't have permission to delete requests",
      })
    }))

  test('the list is newest first, page by page, and can be filtered by status', () =>
    cast(async ({ vera, olga }) => {
      await olga.db.query(sql`
        insert into company_requests (company_name, created_on, status)
        select 'Company ' || n, '2026-03-01', case when n = 7 then 'declined' else 'pending' end
          from generate_series(1, 60) n`)
      await ask(vera)
      const page = await companyRequests(olga)
      expect(page.total).toBe(61)
      expect(page.requests.map(({ companyName }) => companyName).slice(0, 2)).toEqual([
        'Acme Tea',
        'Company 60',
      ])
      const rest = await companyRequests(olga, { before: page.next })
      expect(rest.next).toBeNull()
      expect(page.requests.length + rest.requests.length).toBe(61)
      expect((await companyRequests(olga, { status: 'declined' })).requests).toMatchObject([
        { companyName: 'Company 7', createdOn: '2026-03-01' },
      ])
    }))
})

describe('S15: likely duplicates', () => {
  const known = async ({ db, now }: Ctx) => {
    const names = ['Acme', 'Acme Teas Ltd', 'The Acmé Tea Company', 'Apex', 'Zenith', 'Zeta']
    await insertCompanies(
      { db, now },
      names.map((name) => ({
        name,
        category: 'Tea',
        website: name === 'Zeta' ? 'https://www.acmetea.example/about' : null,
      })),
    )
  }
  const meant = async (ctx: Cast, companyName: string, companyWebsite = '') => {
    await ask(ctx.vera, { companyName, companyWebsite })
    return (await first(ctx.olga)).duplicates.map(({ name }) => name)
  }

  test('a request shows up to three likely duplicates, the likeliest first', () =>
    cast(async (people) => {
      await known(people.olga)
      expect(await meant(people, 'ACME')).toEqual(['Acme', 'Acme Teas Ltd', 'The Acmé Tea Company'])
      expect((await meant(people, 'Acme Tea Inc.'))[0]).toBe('The Acmé Tea Company')
      expect(await meant(people, 'Zenit')).toEqual(['Zenith'])
      expect(await meant(people, 'Wholly Else')).toEqual([])
    }))

  test('a likely duplicate can have the same website under any name', () =>
    cast(async (people) => {
      await known(people.olga)
      expect(await meant(people, 'Leaf & Pot', 'acmetea.example')).toEqual(['Zeta'])
    }))

  test('a likely duplicate is found in scripts without trigrams', () =>
    cast(async (people) => {
      await insertCompanies(people.olga, [{ name: '茶屋', category: 'Tea' }])
      expect(await meant(people, '茶屋')).toEqual(['茶屋'])
    }))

  test('a decided request shows no duplicates', () =>
    cast(async (people) => {
      await known(people.olga)
      await meant(people, 'Acme')
      await declineRequest(people.olga, (await first(people.olga)).id)
      expect((await first(people.olga)).duplicates).toEqual([])
    }))
})

describe('Spec §8: deleting', () => {
  test('only the owner can delete a request, and a second time finds nothing', () =>
    cast(async (people) => {
      await ask(people.vera)
      const { id } = await first(people.olga)
      await expect(remove(people.vera, id)).rejects.toMatchObject({
        status: 401,
        message: 'Authentication error. Please log in again.',
      })
      for (const name of ['dana', 'erin', 'ada'] as const)
        await expect(remove(people[name], id)).rejects.toMatchObject({
          status: 403,
          message: 'Access denied. Only authorized admin can delete requests.',
        })
      expect(await rows(people.olga)).toHaveLength(1)
      expect(await deleteRequest(people.olga, id)).toEqual({ count: 1 })
      expect(await deleteRequest(people.olga, id)).toEqual({ count: 0 })
      expect((await companyRequests(people.olga)).total).toBe(0)
    }))
})

describe('S15: deciding', () => {
  test('an approved request adds the company with a free slug, and looks for its logo', () =>
    cast(async ({ vera, olga }) => {
      await insertCompanies(olga, [{ name: 'Acme Tea', category: 'Tea' }])
      await ask(vera, { companyWebsite: 'acme.example' })
      const { id } = await first(olga)
      const website = 'https://acme.example'
      expect(await approveRequest(olga, id, { website })).toEqual({
        status: 'approved',
        company: { name: 'Acme Tea', path: '/acme-tea-2' },
        double: null,
      })
      const company = await companyBySlug(olga, 'acme-tea-2')
      expect(company).toMatchObject({ category: 'Other', website })
      expect(await jobsIn(olga, LOGO_FETCH_TASK)).toEqual([{ payload: { companyId: company.id } }])
      expect(await first(olga)).toMatchObject({ status: 'approved', company: { id: company.id } })
    }))

  test('Spec §6: a request like an existing company waits until the owner says it’s another', () =>
    cast(async ({ vera, olga }) => {
      await insertCompanies(olga, [{ name: 'Acme Tea', category: 'Tea' }])
      await ask(vera, wish)
      const { id } = await first(olga)
      expect(await approveRequest(olga, id, { isAnother: false })).toEqual({
        status: 'pending',
        company: null,
        double: { name: 'Acme Tea', path: '/acme-tea' },
      })
      expect(await first(olga)).toMatchObject({ status: 'pending' })
      expect(await jobsIn(olga, REQUEST_APPROVED_TASK)).toEqual([])
      const filledIn = { name: 'Acme Tea House', category: 'Tea', isAnother: false }
      expect(await approveRequest(olga, id, filledIn)).toMatchObject({ status: 'approved' })
      expect(await companyBySlug(olga, 'acme-tea-house')).toMatchObject({ category: 'Tea' })
    }))

  test('a linked request adds nothing, and mails the requester', () =>
    cast(async ({ dana, olga }) => {
      await insertCompanies(olga, [{ name: 'Acme', category: 'Tea' }])
      const acme = await companyBySlug(olga, 'acme')
      await ask(dana, { isNotify: true })
      const { id } = await first(olga)
      await expect(linkRequest(olga, id, crypto.randomUUID())).rejects.toMatchObject({
        status: 400,
      })
      expect(await linkRequest(olga, id, acme.id)).toEqual({
        status: 'approved',
        company: { name: 'Acme', path: '/acme' },
      })
      const [job] = await jobsIn(olga, REQUEST_APPROVED_TASK)
      expect(olga.secrets.open(job?.payload.sealedEmail ?? '')).toBe('dana@kettle.example')
      expect(await olga.db.query(sql`select from companies`)).toHaveLength(1)
    }))

  test('a request is decided once', () =>
    cast(async ({ vera, olga }) => {
      await ask(vera, wish)
      const { id } = await first(olga)
      expect(await declineRequest(olga, id)).toEqual({ status: 'declined', company: null })
      for (const again of [approveRequest, declineRequest])
        await expect(again(olga, id)).rejects.toMatchObject({ status: 409 })
      await expect(approveRequest(olga, crypto.randomUUID())).rejects.toMatchObject({ status: 404 })
      expect(await jobsIn(olga, REQUEST_APPROVED_TASK)).toEqual([])
      expect(await olga.db.query(sql`select from companies`)).toEqual([])
    }))

  test('the log has the owner’s decisions once, with the company’s name, and no refused ones', () =>
    cast(async ({ vera, olga }) => {
      const logged = async () =>
        (
          await olga.db.query<{ entry: string }>(
            sql`select action || ' ' || subject as entry from admin_log order by id`,
          )
        ).map(({ entry }) => entry)
      await insertCompanies(olga, [{ name: 'Acme', category: 'Tea' }])
      const acme = await companyBySlug(olga, 'acme')
      const asked = async (companyName: string) => {
        await ask(vera, { companyName })
        return (await first(olga)).id
      }
      const declined = await asked('Declined Inc')
      const deleted = await asked('Deleted Inc')
      expect(await logged()).toEqual([])
      await approveRequest(olga, await asked('Approved Inc'))
      await linkRequest(olga, await asked('Linked Inc'), acme.id)
      await declineRequest(olga, declined)
      await expect(declineRequest(olga, declined)).rejects.toMatchObject({ status: 409 })
      await deleteRequest(olga, deleted)
      await deleteRequest(olga, deleted)
      expect(await logged()).toEqual([
        'approve-request Approved Inc',
        'approve-request Linked Inc',
        'decline-request Declined Inc',
        'delete-request Deleted Inc',
      ])
    }))

  test('people who wanted no mail get none, and neither do suspended members', () =>
    cast(async ({ vera, dana, erin, olga }) => {
      for (const quiet of [vera, erin]) {
        await ask(quiet)
        await approveRequest(olga, (await first(olga)).id)
      }
      await ask(dana, { isNotify: true })
      await olga.db.query(
        sql`update accounts set is_suspended = true where id = ${dana.actor.account?.id}`,
      )
      await approveRequest(olga, (await first(olga)).id)
      expect(await jobsIn(olga, REQUEST_APPROVED_TASK)).toEqual([])
    }))

  test('the mail names the company and links to it, and the queue has no address', () =>
    cast(async ({ vera, olga }) => {
      await ask(vera, wish)
      await approveRequest(olga, (await first(olga)).id)
      const [job] = await jobsIn(olga, REQUEST_APPROVED_TASK)
      expect(JSON.stringify(job)).not.toContain('home.example')
      const mails: Mail[] = []
      const mailer = { send: async (mail: Mail) => void mails.push(mail) }
      const site = { siteName: 'Kettle', siteUrl: () => 'https://kettle.example' }
      const payload = job?.payload as RequestApproved
      await sendApproval(olga, mailer, site, payload)
      expect(mails).toMatchObject([{ to: 'vera@home.example', subject: 'Acme Tea is on Kettle' }])
      expect(mails[0]?.text).toContain('https://kettle.example/acme-tea')
      await olga.db.query(sql`delete from companies`)
      await sendApproval(olga, mailer, site, payload)
      expect(mails).toHaveLength(1)
    }))
})

test('a member’s export has her own requests and no one else’s', () =>
  cast(async ({ vera, dana, erin }) => {
    await ask(dana, { isNotify: true })
    await ask(erin, { companyName: 'Else' })
    await ask(vera, { companyName: 'Third' })
    expect(await requestsExport(dana)).toEqual({
      companyRequests: [
        {
          companyName: 'Acme Tea',
          companyWebsite: null,
          status: 'pending',
          notify: true,
          createdOn: '2026-03-14',
        },
      ],
    })
    expect(await requestsExport(vera)).toEqual({ companyRequests: [] })
  }))

const routesFor = (ctx: Ctx, { hasRateLimits = false, difficulty = 0 } = {}) =>
  routesOf(requestContract, requestHandlers, ctx, {
    hasRateLimits,
    spamChecks: createSpamChecks(difficulty),
  })
const POST = { method: 'POST', url: '/api/v1/company-requests' } as const

describe('the routes', () => {
  test('a visitor’s answer has a token and nothing else, and a member’s nothing', () =>
    cast(async ({ vera, dana }) => {
      const payload = { companyName: 'Acme', ...wish }
      const saved = await routesFor(vera).inject({ ...POST, payload })
      expect([saved.statusCode, Object.keys(saved.json())]).toEqual([201, ['notice']])
      expect(saved.json().notice).toEqual(expect.any(String))
      const danas = await routesFor(dana).inject({ ...POST, payload })
      expect(danas.json()).toEqual({ notice: null })
      const unasked = { companyName: 'Acme' }
      const quiet = await routesFor(vera).inject({ ...POST, payload: unasked })
      expect(quiet.json()).toEqual({ notice: null })
    }))

  test('no answer has an account id, key or sealed address', () =>
    cast(async ({ vera, dana, olga }) => {
      await ask(vera, wish)
      await ask(dana, { isNotify: true })
      const { body, statusCode } = await routesFor(olga).inject(POST.url)
      expect(statusCode).toBe(200)
      const kept = await rows(olga)
      for (const secret of [
        dana.actor.account?.id,
        dana.actor.authorKey,
        vera.actor.authorKey,
        kept[0]?.requester_email,
      ])
        expect(body).not.toContain(secret as string)
    }))

  test('a visitor solves a spam check, and a confirmed member doesn’t', () =>
    cast(async ({ vera, dana }) => {
      const payload = { companyName: 'Acme' }
      const settings = { difficulty: 1000 }
      const refused = await routesFor(vera, settings).inject({ ...POST, payload })
      expect(refused.statusCode).toBe(403)
      expect(await rows(vera)).toEqual([])
      const done = await routesFor(dana, settings).inject({ ...POST, payload })
      expect(done.statusCode).toBe(201)
    }))

  test('a network has a limit, so new anonymous ids don’t help', () =>
    cast(async ({ vera }) => {
      let actor = visitor
      const ctx = Object.defineProperty({ ...vera }, 'actor', { get: () => actor })
      const app = routesFor(ctx as Ctx, { hasRateLimits: true })
      const statuses = []
      for (let n = 0; n < 16; n++) {
        actor = { ...visitor, authorKey: `key ${n}` }
        statuses.push((await app.inject({ ...POST, payload: { companyName: 'A' } })).statusCode)
      }
      expect(statuses).toEqual([...Array(15).fill(201), 429])
    }))

  test.each([
    {},
    { companyName: 7 },
    { companyName: 'x'.repeat(1_000_000) },
    { companyName: '\u0000' },
    { companyName: '😀'.repeat(121) },
    { companyName: 'Acme', companyWebsite: 'javascript:alert(1)' },
  ])('bad input gets a 4xx', (payload) =>
    cast(async ({ vera }) => {
      const { statusCode } = await routesFor(vera).inject({ ...POST, payload })
      expect([400, 413]).toContain(statusCode)
    }),
  )
})
