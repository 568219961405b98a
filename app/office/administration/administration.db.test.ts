/** The administrators' panel on a real database, over the real routes, with real tokens. */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { type AuthSettings, actorOf } from '#app/api/auth/actor.server.ts'
import { type Role, visitor } from '#app/api/auth/actor.ts'
import { sealedAddress } from '#app/api/auth/addresses.server.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createRefreshTokenExchanges } from '#app/api/auth/refresh-token-exchanges.server.ts'
import { createTokens } from '#app/api/auth/tokens.server.ts'
import { bindContract } from '#app/api/bind.server.ts'
import { SUBJECT_MAX } from '#app/identity/accounts/administrators/admin-action.ts'
import {
  grantAdmin,
  revokeAdmin,
} from '#app/identity/accounts/administrators/admin-commands.server.ts'
import {
  ADMIN_ACTED_TASK,
  logAdminAct,
  logQueuedAct,
} from '#app/identity/accounts/administrators/admin-log.server.ts'
import {
  managedAccounts,
  whyNot,
} from '#app/identity/accounts/administrators/managed-accounts.server.ts'
import {
  changeManagedUser,
  deleteUser,
} from '#app/identity/accounts/auth-server/account-admin-commands.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { FLAGS_BY_DEFAULT } from '#app/platform/operations/flags.ts'
import { giveErinHerCompany, OWNER_EMAIL, testRoot } from '#tests/people.ts'
import { bareHttp, openPolicies } from '#tests/support/api.ts'
import { SITE, usualSigningKey } from '#tests/support/auth-site.ts'
import { NOW, testSecrets, withDatabase } from '#tests/support/database.ts'
import { aThread, startThread } from '#tests/support/unlimited.ts'
import { adminLog, logCsv, logEntries } from './admin-log-queries.server.ts'
import { administrationContract, type User } from './administration.contract.ts'
import { USER_ACTS, type UserAct } from './administration.ts'
import { adminStats } from './administration-queries.server.ts'
import { administrationHandlers } from './feature.server.ts'

const { as, castOn, outside, somebodyWaits } = withDatabase()

const tokens = createTokens({
  keys: [await usualSigningKey()],
  issuer: `${SITE}/auth/v1`,
  lifetime: 3600,
})
const auth: AuthSettings = {
  tokens,
  exchanges: createRefreshTokenExchanges(testSecrets),
  siteName: 'Kettle',
  siteUrl: () => SITE,
  autoconfirm: true,
  redirectUrls: [],
  ownerEmail: OWNER_EMAIL,
  adminSecondFactor: 'offered',
}

const UNREAD = { findings: [], isOwn: false }
const CHECKS = {
  address: () => [],
  mail: async () => [],
  launch: async () => ({ mailboxes: UNREAD, terms: UNREAD, rules: UNREAD }),
}

/** The panel's routes in this transaction. Returns status and body as that person's browser gets them. */
async function openPanel(ctx: Ctx, { signedInAgoS = 0 } = {}) {
  const app = bareHttp()
  bindContract(
    app,
    administrationContract,
    administrationHandlers(auth, CHECKS, FLAGS_BY_DEFAULT),
    {
      contextOf: async (identity) => ({
        ...ctx,
        network: identity.network,
        actor: await actorOf({ ...ctx, ...auth }, identity),
      }),
      policies: openPolicies(),
    },
  )
  return async (who: string, key: string, { path = {}, query = {}, body }: Asked = {}) => {
    const token = who === 'vera' ? undefined : await tokenOf(ctx, who, signedInAgoS)
    const [method, pattern = ''] = key.split(' ')
    const url = pattern.replace(/\{(\w+)\}/g, (_, name) => path[name as 'handle'] ?? '')
    const answer = await app.inject({
      method: method as 'GET',
      url,
      query,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(body && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.json(), text: answer.body }
  }
}
interface Asked {
  path?: { handle?: string; step?: string }
  query?: Record<string, string>
  body?: object
}

/** Of a session of the account's first generation, also where a suspension has ended that. */
async function tokenOf({ db, now }: Ctx, username: string, signedInAgoS: number) {
  const [profile] = await db.query<{ accountId: string }>(sql`
    select account_id as "accountId" from profiles where username_key = ${username}`)
  const amr = [{ method: 'password', timestamp: now().getTime() / 1000 - signedInAgoS }]
  const session = { session_id: randomUUID(), session_generation: 0, amr }
  return tokens.sign({ ...session, role: 'authenticated' }, profile?.accountId ?? randomUUID())
    .token
}

interface Somebody {
  username?: string | null
  email?: string
  isConfirmed?: boolean
  isSuspended?: boolean
  isAdmin?: boolean
  isModerator?: boolean
}

/** An account more; answers its id. */
async function settle(ctx: Ctx, somebody: Somebody = {}) {
  const {
    username = 'Mallory',
    isConfirmed = true,
    isSuspended = false,
    isAdmin,
    isModerator,
  } = somebody
  const id = randomUUID()
  const { hash, sealed } = sealedAddress(
    ctx.secrets,
    id,
    somebody.email ?? `${username ?? 'nameless'}@people.example`,
  )
  await ctx.db.query(sql`
    insert into accounts
      (id, email_hash, email_sealed, root_sealed, is_email_confirmed, is_suspended, made_in_month)
    values (${id}, ${hash}, ${sealed}, ${testRoot(ctx.secrets, id)}, ${isConfirmed}, ${isSuspended},
            '2026-02-01')`)
  if (username !== null)
    await ctx.db.query(sql`
      insert into profiles (account_id, username, username_key)
      values (${id}, ${username}, ${username.toLowerCase()})`)
  if (isAdmin) await ctx.db.query(sql`insert into admin_users (id) values (${id})`)
  if (isModerator) await ctx.db.query(sql`insert into moderators (id) values (${id})`)
  return id
}

const accounts = managedAccounts(auth)
/** As the acting person finds this account on the panel. */
async function find(ctx: Ctx, search: string): Promise<User> {
  const { users } = await accounts.list(ctx, { list: 'all', search })
  return users[0] as User
}

/** The usernames of a list's first page. */
const named = async (ctx: Ctx, query: Parameters<typeof accounts.list>[1]) =>
  (await accounts.list(ctx, query)).users.map(({ username }) => username)

/** Does what main does with the acts that accounts tell of. */
async function logAdminActs(ctx: Ctx) {
  const told = await ctx.db.query<{ payload: { sealed: string } }>(
    sql`select payload from job_queue where kind = ${ADMIN_ACTED_TASK}`,
  )
  for (const { payload } of told) await logQueuedAct(ctx, payload)
  return told
}
const entriesOf = async (ctx: Ctx) =>
  (await adminLog(ctx, {})).entries.map(({ admin, action, subject }) => [admin, action, subject])

const refused = (status: number, message?: RegExp) =>
  expect.objectContaining({ status, ...(message && { message: expect.stringMatching(message) }) })

const KEYS = Object.keys(administrationContract) as (keyof typeof administrationContract)[]
const actIn = (key: string) => /\{handle\}\/([\w-]+)$/.exec(key)?.[1]

describe('Spec §6: the panel is for administrators', () => {
  /** Who signs the request, and what is answered; the owner alone appoints administrators. */
  const TABLE = {
    //            visitor member employer moderator admin owner suspended
    'GET /api/v1/administration/stats': [401, 403, 403, 403, 200, 200, 401],
    'GET /api/v1/administration/waiting': [401, 403, 403, 200, 200, 200, 401],
    'GET /api/v1/administration/set-up': [401, 403, 403, 403, 403, 200, 401],
    'PUT /api/v1/administration/set-up/{step}': [401, 403, 403, 403, 403, 200, 401],
    'GET /api/v1/my/waiting-mail': [401, 403, 403, 200, 200, 200, 401],
    'PUT /api/v1/my/waiting-mail': [401, 403, 403, 200, 200, 200, 401],
    'GET /api/v1/administration/users': [401, 403, 403, 403, 200, 200, 401],
    'POST /api/v1/administration/users/{handle}/grant': [401, 403, 403, 403, 403, 200, 401],
    'POST /api/v1/administration/users/{handle}/revoke': [401, 403, 403, 403, 403, 200, 401],
    'POST /api/v1/administration/users/{handle}/grant-moderator': [
      401, 403, 403, 403, 200, 200, 401,
    ],
    'POST /api/v1/administration/users/{handle}/revoke-moderator': [
      401, 403, 403, 403, 200, 200, 401,
    ],
    'POST /api/v1/administration/users/{handle}/suspend': [401, 403, 403, 403, 200, 200, 401],
    'POST /api/v1/administration/users/{handle}/unsuspend': [401, 403, 403, 403, 200, 200, 401],
    'POST /api/v1/administration/users/{handle}/deletion': [401, 403, 403, 403, 200, 200, 401],
    'GET /api/v1/administration/log': [401, 403, 403, 403, 200, 200, 401],
  } satisfies Record<(typeof KEYS)[number], number[]>
  const WHO = ['vera', 'dana', 'erin', 'mila', 'ada', 'olga', 'sam'] as const
  const cases = KEYS.flatMap((key) =>
    WHO.map((who, at) => [key, who, TABLE[key][at] as number] as const),
  )

  test.each(cases)('%s as %s: %i', (key, who, status) =>
    as('olga', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      await settle(ctx, { username: 'Sam', isSuspended: true })
      await settle(ctx, { username: 'Mila', isModerator: true })
      const act = actIn(key)
      await settle(ctx, {
        isAdmin: act === 'revoke',
        isModerator: act === 'revoke-moderator',
        isSuspended: act === 'unsuspend',
      })
      const { handle } = await find(ctx, 'Mallory')
      const before = await snapshot(ctx)
      const answer = await (await openPanel(ctx))(who, key, {
        path: { handle, step: 'rules' },
        ...(act === 'deletion' && { body: { confirmation: 'Mallory' } }),
        ...(key.startsWith('PUT') && {
          body: key.endsWith('/waiting-mail') ? { isWanted: true } : { isDone: true },
        }),
      })
      expect(answer.status).toBe(status)
      if (status !== 200) {
        expect(answer.body.error.message).toMatch(/^[A-Z].+\w\.?$/)
        expect(await snapshot(ctx)).toEqual(before)
      }
    }),
  )

  test('olga, who signed in an hour ago, confirms it’s her before she changes a role or deletes an account', () =>
    as('olga', async (ctx) => {
      await settle(ctx)
      const { handle } = await find(ctx, 'Mallory')
      const ask = await openPanel(ctx, { signedInAgoS: 3_600 })
      const before = await snapshot(ctx)
      for (const act of ['grant', 'revoke', 'grant-moderator', 'revoke-moderator', 'deletion']) {
        const answer = await ask('olga', `POST /api/v1/administration/users/{handle}/${act}`, {
          path: { handle },
          ...(act === 'deletion' && { body: { confirmation: 'Mallory' } }),
        })
        expect(answer.status).toBe(403)
        expect(answer.body.error.message).toBe('Please confirm it’s you first')
      }
      expect(await snapshot(ctx)).toEqual(before)
    }))

  test('ada loses the panel as soon as she’s dismissed, even with the same token', () =>
    as('olga', async (ctx) => {
      const ask = await openPanel(ctx)
      const stats = 'GET /api/v1/administration/stats'
      expect((await ask('ada', stats)).status).toBe(200)
      await accounts.act(ctx, (await find(ctx, 'Ada')).handle, 'revoke')
      expect((await ask('ada', stats)).status).toBe(403)
    }))

  const snapshot = async ({ db }: Ctx) => [
    await db.query(sql`select id, is_suspended from accounts order by id`),
    await db.query(sql`select id from admin_users order by id`),
    await db.query(sql`select id from moderators order by id`),
    await db.query(sql`select mark from ended_sessions order by mark`),
    await db.query(sql`select from job_queue`),
    await db.query(sql`select from admin_log`),
  ]
})

describe('who may do what to whom', () => {
  const at = (role: Role) => ({ ...visitor, role })
  const user = {
    role: 'member',
    isModerator: false,
    isMe: false,
    isConfirmed: true,
    isSuspended: false,
  } as const
  const actsOf = (role: Role, them: Partial<Parameters<typeof whyNot>[1]>) =>
    USER_ACTS.filter((act) => !whyNot(at(role), { ...user, ...them }, act))

  test.each([
    ['visitor', {}, []],
    ['member', {}, []],
    ['employer', {}, []],
    ['moderator', {}, []],
    ['admin', {}, ['grant-moderator', 'suspend', 'delete']],
    ['admin', { role: 'employer' }, ['suspend', 'delete']],
    ['admin', { role: 'moderator', isModerator: true }, ['revoke-moderator', 'suspend', 'delete']],
    // The role rests while they act for a company.
    ['admin', { role: 'employer', isModerator: true }, ['revoke-moderator', 'suspend', 'delete']],
    ['admin', { isSuspended: true }, ['unsuspend', 'delete']],
    ['admin', { role: 'admin' }, []],
    ['admin', { role: 'owner' }, []],
    ['admin', { role: 'admin', isMe: true }, []],
    ['owner', {}, ['grant', 'grant-moderator', 'suspend', 'delete']],
    [
      'owner',
      { role: 'moderator', isModerator: true },
      ['grant', 'revoke-moderator', 'suspend', 'delete'],
    ],
    ['owner', { isConfirmed: false }, ['suspend', 'delete']],
    ['owner', { isSuspended: true }, ['unsuspend', 'delete']],
    ['owner', { role: 'admin' }, ['revoke', 'suspend', 'delete']],
    ['owner', { role: 'admin', isSuspended: true }, ['revoke', 'unsuspend', 'delete']],
    ['owner', { role: 'owner', isMe: true }, []],
  ] as const)('%s, to %j: %j', (role, them, acts) => {
    expect(actsOf(role, them)).toEqual(acts)
  })
})

describe('Spec §7.2: Admin stats', () => {
  test('the panel counts accounts, companies, threads and pending requests', () =>
    as('olga', async (ctx) => {
      const exact = (count: number) => ({ count, isExact: true })
      const before = await adminStats(ctx)
      expect(before.users).toEqual(exact(4))
      // Made without a browser, so without a profile.
      await settle(ctx, { username: null })
      await giveErinHerCompany(ctx.db)
      await startThread(ctx, aThread())
      await ctx.db.query(sql`
        insert into company_requests (company_name, status, created_on)
        select 'Acme', status, '2026-03-14' from unnest(array['pending', 'approved', 'declined', 'pending']) status`)
      expect(await adminStats(ctx)).toEqual({
        users: exact(5),
        companies: exact(before.companies.count + 1),
        discussions: exact(1),
        pendingRequests: exact(2),
        undelivered: [],
        backup: null,
      })
      // Only the owner may open them.
      expect((await adminStats(castOn(ctx).ada)).pendingRequests).toEqual(exact(0))
    }))

  test('the panel names undelivered mails by kind and reason only', () =>
    as('ada', async (ctx) => {
      await ctx.db.query(sql`
        insert into job_queue (kind, payload, due_at, given_up, given_up_on)
        select kind, '{"sealedEmail": "sealed"}', null, reason, '2026-03-14'
          from (values ('account-mail', 'refused-address'), ('account-mail', 'refused-address'),
                       ('digest-mail', 'tried-too-often'), ('account-deleted', 'tried-too-often'))
            as put (kind, reason)`)
      expect((await adminStats(ctx)).undelivered).toEqual([
        { kind: 'account-mail', reason: 'refused-address', count: 2 },
        { kind: 'digest-mail', reason: 'tried-too-often', count: 1 },
      ])
    }))

  test('beyond 50,000 accounts the panel shows an estimate and marks it as one', () =>
    as('ada', async (ctx) => {
      await ctx.db.query(sql`
        insert into accounts (email_hash, email_sealed, root_sealed, made_in_month)
        select 'hash ' || n, 'sealed', 'sealed', '2026-02-01' from generate_series(1, 60000) n`)
      const fresh = (await adminStats(ctx)).users
      expect(fresh).toMatchObject({ isExact: false })
      expect(fresh.count).toBeGreaterThanOrEqual(50_000)
      await ctx.db.query(sql`analyze accounts`)
      expect((await adminStats(ctx)).users).toEqual({ count: 60_000, isExact: false })
    }))
})

describe('finding accounts', () => {
  test('ada finds an account by part of its username or by its whole address, in any case', () =>
    as('ada', async (ctx) => {
      await settle(ctx, { username: null, email: 'new@people.example' })
      for (const search of ['Dana', 'dANA', 'Dana@kettle.example', 'DANA@KETTLE.EXAMPLE'])
        expect(await find(ctx, search), search).toMatchObject({ username: 'Dana' })
      expect(await find(ctx, 'new@people.example')).toMatchObject({ username: null })
      for (const search of ['Dan', 'ana', 'AN', 'd', 'Da'])
        expect((await named(ctx, { search })).includes('Dana'), search).toBe(search !== 'AN')
      for (const search of ['xana', '%', '_ana', 'dana@', '@kettle.example', 'd…@kettle.example'])
        expect(await find(ctx, search), search).toBeUndefined()
    }))

  test('S28: olga sees an address’s first letter and domain, and each account’s role and state', () =>
    as('olga', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      await settle(ctx, { isSuspended: true, isConfirmed: false })
      const seen = async (name: string) => {
        const { handle, ...view } = await find(ctx, name)
        expect(handle.length).toBeGreaterThan(20)
        return view
      }
      expect(await seen('Dana')).toEqual({
        username: 'Dana',
        address: 'd…@kettle.example',
        role: 'member',
        isConfirmed: true,
        isSuspended: false,
        isMe: false,
        joined: expect.stringMatching(/^20\d\d-\d\d$/),
        acts: ['grant', 'grant-moderator', 'suspend', 'delete'],
      })
      expect(await seen('Erin')).toMatchObject({ role: 'employer' })
      expect(await seen('Ada')).toMatchObject({
        role: 'admin',
        acts: ['revoke', 'suspend', 'delete'],
      })
      expect(await seen('Olga')).toMatchObject({ role: 'owner', isMe: true, acts: [] })
      expect(await seen('Mallory')).toMatchObject({
        isConfirmed: false,
        isSuspended: true,
        acts: ['unsuspend', 'delete'],
      })
    }))

  test('the owner’s address alone makes no one an owner without an administrator’s row', () =>
    as('ada', async (ctx) => {
      await ctx.db.query(sql`
        delete from admin_users where id = (select account_id from profiles where username = 'Olga')`)
      expect(await find(ctx, 'Olga')).toMatchObject({ role: 'member' })
    }))

  test('lists continue in order of username, and the short ones hold only their own accounts', () =>
    as('ada', async (ctx) => {
      const names = Array.from({ length: 65 }, (_, n) => `Person-${String(n).padStart(2, '0')}`)
      for (const [n, username] of names.entries())
        await settle(ctx, { username, isSuspended: n % 2 === 0, isAdmin: n === 64 })
      await settle(ctx, { username: null })
      const walk = async (list: 'all' | 'administrators' | 'suspended') => {
        const seen: (string | null)[] = []
        let after: string | undefined
        do {
          const page = await accounts.list(ctx, { list, after })
          expect(page.users.length).toBeLessThanOrEqual(30)
          seen.push(...page.users.map(({ username }) => username))
          after = page.next ?? undefined
        } while (after)
        return seen
      }
      expect(await walk('all')).toEqual(['Ada', 'Dana', 'Erin', 'Olga', ...names, null])
      expect(await walk('administrators')).toEqual(['Ada', 'Olga', 'Person-64'])
      expect(await walk('suspended')).toEqual(names.filter((_, n) => n % 2 === 0))
    }))

  test('ada can list, find and suspend an account made without a browser', () =>
    as('ada', async (ctx) => {
      for (let n = 10; n < 75; n++)
        await settle(ctx, { username: null, email: `nameless-${n}@people.example` })
      const walk = async (list: 'all' | 'suspended') => {
        const seen: User[] = []
        let after: string | undefined
        do {
          const page = await accounts.list(ctx, { list, after })
          expect(page.users.length).toBeLessThanOrEqual(30)
          seen.push(...page.users)
          after = page.next ?? undefined
        } while (after)
        return seen
      }
      const all = await walk('all')
      expect(all.map(({ username }) => username)).toEqual([
        ...['Ada', 'Dana', 'Erin', 'Olga'],
        ...Array(65).fill(null),
      ])
      expect(new Set(all.map(({ handle }) => handle)).size).toBe(69)
      const { handle } = await find(ctx, 'nameless-10@people.example')
      await accounts.act(ctx, handle, 'suspend')
      expect(await walk('suspended')).toMatchObject([{ username: null, isSuspended: true }])
      expect(await walk('all')).toHaveLength(69)
      await accounts.act(ctx, (await walk('suspended'))[0]?.handle as string, 'unsuspend')
      expect(await walk('suspended')).toEqual([])
      for (const after of ['ada', '1:ada', '0:', '0:~', '0:~x', `0:~${ctx.secrets.seal('nobody')}`])
        await expect(accounts.list(ctx, { list: 'all', after })).rejects.toMatchObject({
          status: 400,
        })
    }))

  test('ada filters accounts by the month they joined and by whether they’re confirmed', () =>
    as('ada', async (ctx) => {
      await settle(ctx, { isConfirmed: false })
      await settle(ctx, { username: 'Sam' })
      const { months } = await accounts.list(ctx, {})
      expect(months).toContain('2026-02')
      expect(months).toEqual([...new Set(months)].sort().reverse())
      expect(await named(ctx, { joined: '2026-02' })).toEqual(['Mallory', 'Sam'])
      expect(await named(ctx, { joined: '2026-02', confirmed: 'yes' })).toEqual(['Sam'])
      expect(await named(ctx, { confirmed: 'no' })).toEqual(['Mallory'])
      expect(await named(ctx, { search: 'a', joined: '2026-02' })).toEqual([])
      expect(await named(ctx, { search: 'all', joined: '2026-02' })).toEqual(['Mallory'])
      expect(await named(ctx, { joined: '2025-01' })).toEqual([])
      expect((await find(ctx, 'Mallory')).joined).toBe('2026-02')
    }))

  test('ada sorts accounts by role or status, and by username within each, across pages', () =>
    as('ada', async (ctx) => {
      await giveErinHerCompany(ctx.db)
      const names = Array.from({ length: 35 }, (_, n) => `Person-${String(n).padStart(2, '0')}`)
      for (const [n, username] of names.entries())
        await settle(ctx, { username, isSuspended: n > 32, isConfirmed: n % 16 !== 0 })
      await settle(ctx, { username: null })
      const walk = async (sort: 'role' | 'status') => {
        const seen: (string | null)[] = []
        let after: string | undefined
        do {
          const page = await accounts.list(ctx, { sort, after })
          seen.push(...page.users.map(({ username }) => username))
          after = page.next ?? undefined
        } while (after)
        return seen
      }
      expect(await walk('role')).toEqual(['Ada', 'Olga', 'Erin', 'Dana', ...names, null])
      const unconfirmed = ['Person-00', 'Person-16', 'Person-32']
      const usual = names.slice(0, 33).filter((name) => !unconfirmed.includes(name))
      expect(await walk('status')).toEqual([
        ...['Person-33', 'Person-34'],
        ...unconfirmed,
        ...['Ada', 'Dana', 'Erin', 'Olga', ...usual, null],
      ])
    }))

  test('the panel answers 400 to a broken page marker, filter or overlong search', () =>
    as('ada', async (ctx) => {
      const ask = await openPanel(ctx)
      const users = 'GET /api/v1/administration/users'
      for (const query of [
        { after: "'; drop" },
        { after: 'x'.repeat(101) },
        { list: 'everybody' },
        { joined: '2026-13' },
        { sort: 'month' },
        { search: 'x'.repeat(255) },
      ] as Record<string, string>[])
        expect((await ask('ada', users, { query })).status, JSON.stringify(query)).toBe(400)
      for (const after of ['x', '-1', '9'.repeat(20)])
        expect(
          (await ask('ada', 'GET /api/v1/administration/log', { query: { after } })).status,
        ).toBe(400)
      for (const query of [
        { from: '2026-02-30' },
        { from: '0000-03-14' },
        { from: '2026-03-02', to: '2026-03-01' },
        { action: 'guess' },
        { about: 'x'.repeat(201) },
      ] as Record<string, string>[])
        expect(
          (await ask('ada', 'GET /api/v1/administration/log', { query })).status,
          JSON.stringify(query),
        ).toBe(400)
      expect(await ask('ada', users, { query: { search: 'a\u0000b@c' } })).toMatchObject({
        status: 400,
      })
      // Letters that no name has find no one and break nothing.
      for (const search of ['Zoë', '%_', '…'])
        expect((await ask('ada', users, { query: { search } })).body.users).toEqual([])
    }))
})

describe('acting on accounts', () => {
  test('ada suspends an account, which ends every session, and lifts it again', () =>
    as('ada', async (ctx) => {
      const id = await settle(ctx)
      await ctx.db.query(sql`
        insert into one_time_tokens (token_hash, account_id, kind, method, over_on)
        values ('x', ${id}, 'recovery', 'recovery', '2099-01-01')`)
      const { handle } = await find(ctx, 'Mallory')
      expect(await accounts.act(ctx, handle, 'suspend')).toMatchObject({
        isSuspended: true,
        acts: ['unsuspend', 'delete'],
      })
      expect(await ctx.db.query(sql`select mark from ended_sessions`)).toHaveLength(1)
      expect(
        await ctx.db.query(sql`select from one_time_tokens where account_id = ${id}`),
      ).toHaveLength(0)
      // The same handle: it names the account, whatever became of it.
      await expect(accounts.act(ctx, handle, 'suspend')).rejects.toEqual(refused(409))
      expect(await accounts.act(ctx, handle, 'unsuspend')).toMatchObject({ isSuspended: false })
      await expect(accounts.act(ctx, handle, 'unsuspend')).rejects.toEqual(refused(409))
    }))

  test('olga appoints and dismisses administrators, but no unconfirmed or suspended account', () =>
    as('olga', async (ctx) => {
      await settle(ctx, { isConfirmed: false })
      await settle(ctx, { username: 'Sam', isSuspended: true })
      const act = async (name: string, act: Exclude<UserAct, 'delete'>) =>
        accounts.act(ctx, (await find(ctx, name)).handle, act)
      expect(await act('Dana', 'grant')).toMatchObject({ role: 'admin' })
      await expect(act('Dana', 'grant')).rejects.toEqual(refused(409, /already/))
      expect(await act('Dana', 'revoke')).toMatchObject({ role: 'member' })
      await expect(act('Dana', 'revoke')).rejects.toEqual(refused(409, /isn’t an administrator/))
      await expect(act('Mallory', 'grant')).rejects.toEqual(refused(409, /isn’t confirmed/))
      await expect(act('Sam', 'grant')).rejects.toEqual(refused(409, /suspended/))
      expect(
        await ctx.db.query(sql`select from admin_users join accounts using (id)
          where not is_email_confirmed or is_suspended`),
      ).toHaveLength(0)
    }))

  test('ada appoints and dismisses moderators, and only members can become one', () =>
    as('ada', async (ctx) => {
      await settle(ctx, { isConfirmed: false })
      await settle(ctx, { username: 'Sam', isSuspended: true })
      await giveErinHerCompany(ctx.db)
      const act = async (name: string, act: Exclude<UserAct, 'delete'>) =>
        accounts.act(ctx, (await find(ctx, name)).handle, act)
      expect(await act('Dana', 'grant-moderator')).toMatchObject({ role: 'moderator' })
      await expect(act('Dana', 'grant-moderator')).rejects.toEqual(refused(409, /already/))
      const listed = await accounts.list(ctx, { list: 'moderators' })
      expect(listed.users.map(({ username }) => username)).toEqual(['Dana'])
      expect(await act('Dana', 'revoke-moderator')).toMatchObject({ role: 'member' })
      await expect(act('Dana', 'revoke-moderator')).rejects.toEqual(
        refused(409, /isn’t a moderator/),
      )
      await expect(act('Mallory', 'grant-moderator')).rejects.toEqual(
        refused(409, /isn’t confirmed/),
      )
      await expect(act('Sam', 'grant-moderator')).rejects.toEqual(refused(409, /suspended/))
      await expect(act('Erin', 'grant-moderator')).rejects.toEqual(refused(409, /for a company/))
      await expect(act('Olga', 'grant-moderator')).rejects.toEqual(refused(403))
      expect(await ctx.db.query(sql`select from moderators`)).toEqual([])
      await logAdminActs(ctx)
      expect(await entriesOf(ctx)).toEqual([
        ['Ada', 'revoke-moderator', 'Dana'],
        ['Ada', 'grant-moderator', 'Dana'],
      ])
    }))

  test('a moderator who becomes an administrator is a plain member once she’s dismissed', () =>
    as('olga', async (ctx) => {
      const { handle } = await find(ctx, 'Dana')
      await accounts.act(ctx, handle, 'grant-moderator')
      expect(await accounts.act(ctx, handle, 'grant')).toMatchObject({ role: 'admin' })
      expect(await accounts.act(ctx, handle, 'revoke')).toMatchObject({ role: 'member' })
    }))

  test.each(['revoke', 'suspend', 'unsuspend', 'grant'] as const)(
    'nobody can %s oneself, and an administrator rules over none',
    (act) =>
      as('ada', async (ctx) => {
        for (const name of ['Ada', 'Olga'])
          await expect(accounts.act(ctx, (await find(ctx, name)).handle, act)).rejects.toEqual(
            refused(403),
          )
        const olga = { ...ctx, actor: { ...ctx.actor, role: 'owner' as const } }
        await expect(accounts.act(olga, (await find(olga, 'Ada')).handle, act)).rejects.toEqual(
          refused(403, /your own account/),
        )
      }),
  )

  test('deleting wants the username typed; what was written stays, and the job knows no name', () =>
    as('ada', async (ctx) => {
      const id = await settle(ctx)
      const { handle } = await find(ctx, 'Mallory')
      for (const typed of ['', 'mallory', 'Mallory2', 'Dana'])
        await expect(accounts.delete(ctx, handle, typed)).rejects.toEqual(refused(400))
      await accounts.delete(ctx, handle, ' Mallory ')
      expect(await ctx.db.query(sql`select from accounts where id = ${id}`)).toHaveLength(0)
      const [job] = await ctx.db.query<{ payload: { posts: string; sealedAccount: string } }>(
        sql`select payload from job_queue where kind = 'account-deleted'`,
      )
      expect(job?.payload.posts).toBe('keep')
      expect(ctx.secrets.open(job?.payload.sealedAccount as string)).toBe(id)
      await expect(accounts.delete(ctx, handle, 'Mallory')).rejects.toEqual(refused(404))
    }))

  test('an account without a name yet is deleted as "User"', () =>
    as('ada', async (ctx) => {
      await settle(ctx, { username: null, email: 'new@people.example' })
      const { handle } = await find(ctx, 'new@people.example')
      await accounts.delete(ctx, handle, 'User')
      expect(await find(ctx, 'new@people.example')).toBeUndefined()
    }))

  test('a handle that’s made up, or sealed for something else, finds no account', () =>
    as('olga', async (ctx) => {
      for (const handle of [
        'x',
        'x'.repeat(200),
        ctx.actor.account?.id as string,
        ctx.actor.account?.emailSealed as string,
        ctx.secrets.seal(crypto.randomUUID()),
        ctx.secrets.seal("' or true --"),
      ])
        await expect(accounts.act(ctx, handle, 'suspend')).rejects.toEqual(
          refused(404, /This account no longer exists/),
        )
    }))
})

/** `db` whose transactions wait for `until` before a statement that holds `words`. */
function pausing(db: Database, words: string, until: () => Promise<void>): Database {
  return {
    ...db,
    query: async (statement, options) => {
      if (statement.text.includes(words)) await until()
      return db.query(statement, options)
    },
    transaction: (work) => db.transaction((inner) => work(pausing(inner, words, until))),
  }
}

describe('of a grant and a suspension at once one wins: no suspended account becomes an administrator', () => {
  const ORDERS = [
    ['grant', 'suspend', 'insert into admin_users', 'the panel'],
    ['suspend', 'grant', 'update accounts set is_suspended', 'the panel'],
    ['grant', 'suspend', 'insert into admin_users', '/auth/v1'],
    ['suspend', 'grant', 'update accounts set is_suspended', '/auth/v1'],
  ] as const
  // Only a server runs two transactions at a time.
  test.each(ORDERS)(
    'while the %s has looked and not written yet, the %s waits and looks after it: %s over %s',
    async (first, second, write, way) => {
      const people = { grant: await as('olga', keep), suspend: await as('ada', keep) }
      const db = outside()
      const id = await settle({ ...people.grant, db }, { username: `Race-${first}` })
      const { handle } = await find({ ...people.grant, db }, `Race-${first}`)
      const act = (name: 'grant' | 'suspend', db: Database): Promise<unknown> => {
        const ctx = { ...people[name], db }
        return name === 'suspend' && way === '/auth/v1'
          ? changeManagedUser({ ...ctx, auth }, ctx.actor, id, { isSuspended: true })
          : accounts.act(ctx, handle, name)
      }

      let late: Promise<unknown> = Promise.resolve()
      const early = act(
        first,
        pausing(db, write, async () => {
          late = act(second, db)
          await Promise.race([late.catch(() => {}), somebodyWaits()])
        }),
      )
      await early
      await expect(late).rejects.toMatchObject({ status: first === 'grant' ? 403 : 409 })
      const rows = await db.query<{ isSuspended: boolean; isAdmin: boolean }>(sql`
        select is_suspended as "isSuspended",
               exists (select from admin_users where id = accounts.id) as "isAdmin"
          from accounts where id = ${id}`)
      expect(rows).toEqual([{ isSuspended: first === 'suspend', isAdmin: first === 'grant' }])
      await db.query(sql`delete from accounts where id = ${id}`)
      await db.query(sql`delete from job_queue where kind = ${ADMIN_ACTED_TASK}`)
    },
  )

  const keep = async (ctx: Ctx) => ctx
})

describe('the administrators’ log', () => {
  test('the log has every act on an account once, from any place and any person', () =>
    as('olga', async (ctx) => {
      const id = await settle(ctx)
      const acts = ['grant', 'revoke', 'suspend', 'unsuspend'] as const
      for (const act of acts) await accounts.act(ctx, (await find(ctx, 'Mallory')).handle, act)
      const authCtx = { ...ctx, auth }
      await changeManagedUser(authCtx, ctx.actor, id, { isSuspended: true })
      await changeManagedUser(authCtx, ctx.actor, id, { isSuspended: true })
      await changeManagedUser(authCtx, 'service', id, {
        isEmailConfirmed: true,
        isSuspended: false,
      })
      await grantAdmin(ctx, 'mallory@people.example')
      await grantAdmin(ctx, 'mallory@people.example')
      await revokeAdmin(ctx, 'mallory@people.example')
      await accounts.delete(ctx, (await find(ctx, 'Mallory')).handle, 'Mallory')
      const sams = await settle(ctx, { username: 'Sam' })
      await deleteUser(authCtx, 'service', sams)
      const told = await logAdminActs(ctx)
      expect(JSON.stringify(told)).not.toMatch(/Mallory|Olga|suspend/)
      // A task may be done twice.
      await logAdminActs(ctx)
      const sorted = (await entriesOf(ctx)).map((entry) => entry.join(' ')).sort()
      expect(sorted).toEqual(
        [
          'Olga grant-administrator Mallory',
          'Olga revoke-administrator Mallory',
          'Olga suspend-account Mallory',
          'Olga unsuspend-account Mallory',
          'Olga suspend-account Mallory',
          'The operator unsuspend-account Mallory',
          'The operator change-account Mallory',
          'The operator grant-administrator Mallory',
          'The operator revoke-administrator Mallory',
          'Olga delete-account Mallory',
          'The operator delete-account Sam',
        ].sort(),
      )
      const { entries } = await adminLog(ctx, {})
      expect(entries.map(({ day }) => day)).toEqual(Array(11).fill(NOW.toISOString().slice(0, 10)))
    }))

  test('the log has the minute of what administrators do to each other, and the day of all else', () =>
    as('olga', async (ctx) => {
      const at = (moment: string) => ({ ...ctx, now: () => new Date(moment) })
      await settle(ctx)
      const act = async (act: Exclude<UserAct, 'delete'>) =>
        accounts.act(at('2026-03-14T09:26:53Z'), (await find(ctx, 'Mallory')).handle, act)
      for (const each of ['suspend', 'unsuspend', 'grant', 'revoke'] as const) await act(each)
      await grantAdmin(at('2026-03-14T10:00:00Z'), 'mallory@people.example')
      await logAdminActs(ctx)
      await logAdminAct(at('2026-03-14T11:59:59Z'), {
        action: 'import-companies',
        subject: '3 companies',
      })
      const kept = (await adminLog(ctx, {})).entries.map(({ action, admin, minute }) =>
        [action, admin, minute].join(' '),
      )
      expect(kept.sort()).toEqual(
        [
          'suspend-account Olga ',
          'unsuspend-account Olga ',
          'grant-administrator Olga 2026-03-14T09:26:00Z',
          'revoke-administrator Olga 2026-03-14T09:26:00Z',
          'grant-administrator The operator ',
          'import-companies Olga 2026-03-14T11:59:00Z',
        ].sort(),
      )
    }))

  test('ada filters the log by who, what, about what and when, page by page', () =>
    as('ada', async (ctx) => {
      const on = (day: string, username = 'Ada') => ({
        ...ctx,
        actor: { ...ctx.actor, account: { ...ctx.actor.account, username } as never },
        now: () => new Date(`${day}T12:34:56Z`),
      })
      for (let n = 1; n <= 40; n++)
        await logAdminAct(on('2026-03-01'), { action: 'add-company', subject: `Anvils ${n}` })
      await logAdminAct(on('2026-03-02', 'Olga'), { action: 'add-company', subject: '100% Acme' })
      await logAdminAct(on('2026-03-03'), { action: 'decline-request', subject: 'Acme' })
      const subjects = async (filters: Parameters<typeof adminLog>[1]) =>
        (await adminLog(ctx, filters)).entries.map(({ subject }) => subject)
      expect(await subjects({ about: ' acme' })).toEqual(['Acme', '100% Acme'])
      expect(await subjects({ about: '0%' })).toEqual(['100% Acme'])
      expect(await subjects({ about: '_cme' })).toEqual([])
      expect(await subjects({ who: 'Olga' })).toEqual(['100% Acme'])
      expect(await subjects({ who: 'Ol\0ga', action: 'add-company' })).toEqual(['100% Acme'])
      expect(await subjects({ action: 'decline-request' })).toEqual(['Acme'])
      expect(await subjects({ from: '2026-03-02' })).toEqual(['Acme', '100% Acme'])
      expect(await subjects({ from: '2026-03-02', to: '2026-03-02' })).toEqual(['100% Acme'])
      const first = await adminLog(ctx, { about: 'anvils', to: '2026-03-01' })
      expect(first.entries).toHaveLength(30)
      expect(first.admins).toEqual(['Ada', 'Olga'])
      const second = await adminLog(ctx, { about: 'anvils', after: first.next ?? undefined })
      expect(second.entries.map(({ subject }) => subject).at(-1)).toBe('Anvils 1')
      expect(second.next).toBeNull()
    }))

  test('the log links to companies and accounts that exist, and to nothing that’s gone', () =>
    as('olga', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      await settle(ctx)
      await logAdminAct(ctx, { action: 'add-company', subject: 'Gone', companyId: randomUUID() })
      await logAdminAct(ctx, { action: 'add-company', subject: 'Hers', companyId })
      await accounts.act(ctx, (await find(ctx, 'Mallory')).handle, 'suspend')
      await accounts.delete(ctx, (await find(ctx, 'Mallory')).handle, 'Mallory')
      await logAdminActs(ctx)
      const hrefs = (await adminLog(ctx, {})).entries.map(({ action, subject, href }) => [
        `${action} ${subject}`,
        href,
      ])
      expect(Object.fromEntries(hrefs)).toEqual({
        'add-company Gone': null,
        'add-company Hers': '/erin-and-sons',
        'suspend-account Mallory': '/admin?section=users&name=Mallory',
        'delete-account Mallory': null,
      })
    }))

  test('ada downloads the filtered log as a file in which a spreadsheet calculates nothing', () =>
    as('ada', async (ctx) => {
      await ctx.db.query(sql`
        insert into admin_log (done_on, admin_name, action, subject)
        select '2026-03-14', 'Ada', 'add-company', 'Company ' || n from generate_series(1, 2000) n`)
      await logAdminAct(ctx, { action: 'add-company', subject: '=1+1' })
      await logAdminAct(ctx, { action: 'delete-company', subject: 'Not asked for' })
      const filters = { action: 'add-company' } as const
      let text = ''
      const first = await logEntries(ctx, filters, { limit: 1_000 })
      for await (const part of logCsv(ctx, filters, first)) text += part
      const rows = text.split('\r\n')
      const time = NOW.toISOString().slice(11, 16)
      expect(rows[0]).toBe('day,time (UTC),administrator,did,subject,before,after')
      expect(rows[1]).toBe(`2026-03-14,${time},Ada,added the company,'=1+1,,`)
      expect(rows[2]).toBe('2026-03-14,,Ada,added the company,Company 2000,,')
      expect(rows.at(-2)).toBe('2026-03-14,,Ada,added the company,Company 1,,')
      expect(rows).toHaveLength(2_003)
    }))

  test('the log leaves out what was refused', () =>
    as('ada', async (ctx) => {
      await expect(accounts.act(ctx, (await find(ctx, 'Olga')).handle, 'suspend')).rejects.toEqual(
        refused(403),
      )
      expect(await logAdminActs(ctx)).toHaveLength(0)
    }))

  test('the log takes other features’ acts, without addresses and cut to size', () =>
    as('ada', async (ctx) => {
      await logAdminAct(ctx, { action: 'approve-request', subject: 'Acme for bob@acme.example ' })
      await logAdminAct(ctx, { action: 'import-companies', subject: '12\ncompanies\u0000' })
      await logAdminAct(ctx, { action: 'delete-request', subject: '𝒳'.repeat(300) })
      const [long, imported, approved] = await entriesOf(ctx)
      expect(approved).toEqual(['Ada', 'approve-request', 'Acme for …'])
      expect(imported).toEqual(['Ada', 'import-companies', '12 companies'])
      expect(long?.[2]?.length).toBeLessThanOrEqual(SUBJECT_MAX)
    }))

  test('the log continues newest first, and keeps the acts of a deleted account', () =>
    as('ada', async (ctx) => {
      for (let n = 1; n <= 70; n++)
        await logAdminAct(ctx, { action: 'import-companies', subject: `${n} companies` })
      const id = ctx.actor.account?.id
      await ctx.db.query(sql`delete from accounts where id = ${id}`)
      const first = await adminLog(ctx, {})
      const second = await adminLog(ctx, { after: first.next ?? undefined })
      const third = await adminLog(ctx, { after: second.next ?? undefined })
      const seen = [...first.entries, ...second.entries, ...third.entries]
      expect(seen.map(({ subject }) => subject)).toEqual(
        Array.from({ length: 70 }, (_, n) => `${70 - n} companies`),
      )
      expect(third.next).toBeNull()
      expect(seen[0]?.admin).toBe('Ada')
    }))

  test('the log keeps an administrator’s act even if she leaves before it’s written', () =>
    as('ada', async (ctx) => {
      await settle(ctx)
      await accounts.act(ctx, (await find(ctx, 'Mallory')).handle, 'suspend')
      await ctx.db.query(sql`delete from accounts where id = ${ctx.actor.account?.id}`)
      await logAdminActs(ctx)
      expect(await entriesOf(ctx)).toEqual([['Ada', 'suspend-account', 'Mallory']])
    }))
})

describe('the panel’s answers', () => {
  test('the panel’s answers have no account id, author key, whole address or time', () =>
    as('olga', async (ctx) => {
      const ids = await ctx.db.query<{ id: string }>(sql`select id from accounts`)
      const mallory = await settle(ctx)
      const ask = await openPanel(ctx)
      const answers = []
      for (const list of ['all', 'administrators', 'suspended'])
        answers.push(await ask('olga', 'GET /api/v1/administration/users', { query: { list } }))
      answers.push(
        await ask('olga', 'GET /api/v1/administration/users', {
          query: { search: 'mallory@people.example' },
        }),
      )
      for (const act of ['grant', 'revoke', 'suspend', 'unsuspend'] as const) {
        const { handle } = await find(ctx, 'Mallory')
        answers.push(
          await ask('olga', `POST /api/v1/administration/users/{handle}/${act}`, {
            path: { handle },
          }),
        )
      }
      await logAdminActs(ctx)
      const log = await ask('olga', 'GET /api/v1/administration/log')
      answers.push(await ask('olga', 'GET /api/v1/administration/stats'))
      expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200))
      expect(log.status).toBe(200)
      // Appointing is an act among administrators; what is done to an ordinary account has a day.
      expect(log.text).toMatch(/T\d\d:\d\d:00Z/)
      const text = [...answers, { text: log.text.replace(/"minute":"[^"]+"/g, '') }]
        .map((answer) => answer.text)
        .join()
      for (const id of [...ids.map((row) => row.id), mallory]) {
        expect(text).not.toContain(id)
        expect(text).not.toContain(authorKeyOfAccount(ctx.secrets, id))
      }
      expect(text).not.toMatch(/\w{2}@|T\d\d:|sealed|made_?in|author_?key|account_?id|session/i)
      expect(text).toContain('m…@people.example')
    }))

  test('two answers give the same account different handles', () =>
    as('ada', async (ctx) => {
      expect((await find(ctx, 'Dana')).handle).not.toBe((await find(ctx, 'Dana')).handle)
    }))

  test('the log’s table refuses a time with seconds', () =>
    as('ada', async (ctx) => {
      await expect(
        ctx.db.query(sql`
          insert into admin_log (done_on, done_at, admin_name, action, subject)
          values ('2026-03-14', '2026-03-14T09:26:01Z', 'Ada', 'add-company', 'Acme')`),
      ).rejects.toThrow(/done_at/)
    }))
})
