/** Profiles, roles, export and the end of accounts. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { signedInActor } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { type AuthSite, openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'
import { changeUsername, deleteOwnAccount, makeProfile } from './account-commands.server.ts'
import { accountExport } from './account-queries.server.ts'
import { grantAdmin, listAdmins, revokeAdmin } from './administrators/admin-commands.server.ts'
import { sweepSessions } from './auth-server/session-commands.server.ts'
import { generateUsername } from './username.ts'

const { as, outside } = withDatabase()
let site: AuthSite
beforeAll(async () => {
  site = await openAuthSite(outside())
})

async function newMember(data: object = {}) {
  const email = site.newAddress()
  const client = site.client()
  const signedUp = await client.signUp({ email, password: PASSWORD, options: { data } })
  const { session } = signedUp.data
  if (!session) throw signedUp.error ?? new Error('no session')
  return { email, client, token: session.access_token, id: session.user.id }
}
const me = async (token?: string) => (await site.call('/api/v1/me', { token })).json()

describe('GET /api/v1/me', () => {
  test('vera is a visitor, and learns what visitors can do', async () => {
    expect(await me()).toMatchObject({ role: 'visitor', profile: null, email: null })
  })

  test('Spec §4: dana’s first request makes her profile, with the name from her sign-up', async () => {
    const { token, email, id } = await newMember({ username: 'CandidTeapot4711' })
    const first = await me(token)
    expect(first).toMatchObject({
      role: 'member',
      email,
      isEmailConfirmed: false,
      whyNotRate: { code: 'unconfirmed' },
      profile: { id, username: 'CandidTeapot4711', cred: 0 },
    })
    expect(first.profile.memberSince).toMatch(/^\d{4}-\d{2}$/)
    expect(await me(token)).toEqual(first)
  })

  test.each(['', 'Admin', 'a b', 'CandidTeapot4711', 7])(
    'a name that can’t be used (%j) is replaced by a generated one',
    async (username) => {
      await me((await newMember({ username: 'CandidTeapot4711' })).token)
      const { profile } = await me((await newMember({ username })).token)
      expect(profile.username).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+\d{3,4}$/)
    },
  )

  test('four first requests at once make one profile', async () => {
    const { token, id } = await newMember()
    const answers = await Promise.all([1, 2, 3, 4].map(() => me(token)))
    expect(new Set(answers.map(({ profile }) => profile.username)).size).toBe(1)
    expect(await site.db.query(sql`select from profiles where account_id = ${id}`)).toHaveLength(1)
  })

  test('a header without a valid token gets a 401 and a sentence, and isn’t a visitor', async () => {
    for (const authorization of ['Bearer', 'Bearer x', 'Basic abc', 'Bearer a.b.c', '']) {
      const answer = await site.call('/api/v1/me', { headers: { authorization } })
      expect(answer.status, authorization).toBe(401)
      expect((await answer.json()).error).toMatchObject({ code: 'sign-in-required' })
    }
  })

  test('a visitor is asked to sign in for what only members can do', async () => {
    for (const [method, path] of [
      ['PATCH', '/api/v1/me/profile'],
      ['GET', '/api/v1/me/export'],
      ['POST', '/api/v1/me/deletion'],
    ] as const) {
      const json =
        method === 'GET' ? undefined : { username: 'Newname', confirmation: 'x', posts: 'keep' }
      expect((await site.call(path, { method, json })).status).toBe(401)
    }
  })
})

describe('roles', () => {
  const roleOf = (ctx: Ctx, ownerEmail?: string) =>
    signedInActor(
      { ...ctx, tokens: site.tokens, ownerEmail, adminSecondFactor: 'offered' },
      {
        sub: ctx.actor.account?.id as string,
        session_id: ctx.actor.account?.sessionId as string,
        session_generation: 0,
        role: 'authenticated',
        exp: 0,
        session_began: ctx.now().getTime() / 1000,
      },
    ).then((actor) => actor?.role)

  test('Spec §6: a row makes an administrator, a row and the one address the owner, a claim an employer', async () => {
    await as('dana', async (ctx) => expect(await roleOf(ctx)).toBe('member'))
    await as('ada', async (ctx) => expect(await roleOf(ctx)).toBe('admin'))
    await as('olga', async (ctx) => expect(await roleOf(ctx)).toBe('admin'))
    await as('olga', async (ctx) => expect(await roleOf(ctx, ' Olga@Kettle.example')).toBe('owner'))
    await as('olga', async (ctx) => {
      await ctx.db.query(sql`delete from admin_users`)
      expect(await roleOf(ctx, 'olga@kettle.example')).toBe('member')
    })
  })

  test('S10: an approved claim makes an employer, and saying so doesn’t', () =>
    as('erin', async (ctx) => {
      expect(await roleOf(ctx)).toBe('member')
      await giveErinHerCompany(ctx.db)
      expect(await roleOf(ctx)).toBe('employer')
      await ctx.db.query(sql`update employer_claims set status = 'revoked'`)
      expect(await roleOf(ctx)).toBe('member')
    }))
})

describe('usernames', () => {
  test('dana takes another name, in her own spelling', () =>
    as('dana', async (ctx) => {
      expect(await changeUsername(ctx, 'Dana_the-2nd')).toMatchObject({ username: 'Dana_the-2nd' })
      expect(await makeProfile(ctx)).toBe('Dana_the-2nd')
      // It's still her own, because only the case differs.
      expect(await changeUsername(ctx, 'DANA_THE-2ND')).toMatchObject({ username: 'DANA_THE-2ND' })
    }))

  test.each(['Ada', 'ada', 'ADA'])('a name that someone has is taken: %s', (name) =>
    as('dana', async (ctx) => {
      await expect(changeUsername(ctx, name)).rejects.toMatchObject({
        status: 409,
        message: 'This username is taken',
      })
      expect(await makeProfile(ctx)).toBe('Dana')
    }),
  )

  test.each(['ab', 'a'.repeat(25), 'has space', 'ünï', 'a.b', '___', 'Admin', 'K-e_ttle', ''])(
    'an invalid name is refused: %j',
    (name) =>
      as('dana', (ctx) => expect(changeUsername(ctx, name)).rejects.toMatchObject({ status: 400 })),
  )

  test('generated names hardly ever collide', () => {
    const names = new Set(Array.from({ length: 1_000 }, () => generateUsername()))
    expect(names.size).toBeGreaterThan(990)
  })
})

describe('leaving', () => {
  test('dana’s export has everything about her, and nothing about others', async () => {
    const { token, email, id } = await newMember({ username: 'Exporting1', user_type: 'employer' })
    await me(token)
    const answer = await site.call('/api/v1/me/export', { token })
    const { account } = await answer.json()
    expect(account).toMatchObject({
      id,
      email,
      username: 'Exporting1',
      settings: { user_type: 'employer' },
      sessions: 'not stored: only your browser knows where you’re signed in',
    })
    expect(JSON.stringify(account)).not.toContain('argon2')
    await as('dana', async (ctx) => {
      // Every column that an account has is told, so a new one has to be thought of here.
      const columns = await ctx.db.query<{ name: string }>(sql`
        select column_name as name from information_schema.columns
         where table_name = 'accounts' and table_schema = current_schema() order by 1`)
      expect(columns.map(({ name }) => name)).toEqual([
        'email_hash',
        'email_sealed',
        'id',
        'is_email_confirmed',
        'is_suspended',
        'made_in_month',
        'new_email_hash',
        'new_email_sealed',
        'password_hash',
        // Keys are made from it. It says nothing about a person.
        'root_sealed',
        'user_metadata',
      ])
      expect(Object.keys(await accountExport(ctx, ctx.actor.account?.id as string))).toHaveLength(
        15,
      )
    })
  })

  test('dana deletes her account by typing her username, and its address is free again', async () => {
    const { token, email, id } = await newMember({ username: 'Leaving1' })
    await me(token)
    const leave = (confirmation: string) =>
      site.call('/api/v1/me/deletion', { token, json: { confirmation, posts: 'keep' } })
    expect((await leave('leaving1')).status).toBe(400)
    expect((await leave('Leaving1')).status).toBe(200)
    expect((await site.call('/api/v1/me', { token })).status).toBe(401)
    for (const table of [sql`profiles`, sql`one_time_tokens`])
      expect(await site.db.query(sql`select from ${table} where account_id = ${id}`)).toHaveLength(
        0,
      )
    const { error } = await site.client().signUp({ email, password: PASSWORD })
    expect(error).toBeNull()
  })

  test('a visitor has no account to delete', () =>
    as('vera', (ctx) =>
      expect(deleteOwnAccount(ctx, '', 'keep')).rejects.toMatchObject({ status: 401 }),
    ))

  test('the end of a session is forgotten after four months, and the end of a generation never', () =>
    as('dana', async (ctx) => {
      const id = ctx.actor.account?.id
      await ctx.db.query(sql`
        insert into ended_sessions (mark, month)
        values ('long ago', '2025-10-01'), ('four months ago', '2025-11-01'), ('for good', null)`)
      await ctx.db.query(sql`
        insert into one_time_tokens (token_hash, account_id, kind, method, over_on)
        values ('over', ${id}, 'code', 'otp', '2026-03-13'), ('today', ${id}, 'code', 'otp', '2026-03-14')`)
      await sweepSessions(ctx)
      const marks = await ctx.db.query<{ mark: string }>(sql`
        select mark from ended_sessions order by mark`)
      expect(marks.map(({ mark }) => mark)).toEqual(['for good', 'four months ago'])
      const links = await ctx.db.query<{ hash: string }>(sql`
        select token_hash as hash from one_time_tokens`)
      expect(links).toEqual([{ hash: 'today' }])
    }))

  test('a clock that’s years ahead doesn’t forget ended sessions', () =>
    as('dana', async (ctx) => {
      await ctx.db.query(sql`
        insert into ended_sessions (mark, month)
        values ('this month', date_trunc('month', current_date))`)
      await sweepSessions({ ...ctx, now: () => new Date('2199-01-01') })
      expect(await ctx.db.query(sql`select mark from ended_sessions`)).toHaveLength(1)
    }))
})

describe('managing accounts', () => {
  const asService = async () => ({ token: site.tokens.signForService(60) })
  const asAdmin = async () => {
    const { token, id, email } = await newMember()
    await site.db.query(sql`insert into admin_users (id) values (${id})`)
    return { token, id, email }
  }
  const users = (path: string, init: Parameters<typeof site.call>[1]) =>
    site.call(`/auth/v1/admin/users${path}`, init)

  test('an operator’s program adds, reads, changes and deletes accounts', async () => {
    const service = await asService()
    const email = site.newAddress('made')
    const made = await users('', {
      ...service,
      json: { email, password: PASSWORD, email_confirm: true, user_metadata: { a: 1 } },
    })
    const user = await made.json()
    expect(user).toMatchObject({ email, user_metadata: { a: 1 } })
    expect(user.email_confirmed_at).toBeDefined()
    expect((await users('', { ...service, json: { email } })).status).toBe(422)
    const moved = site.newAddress('moved')
    const changed = await users(`/${user.id}`, {
      ...service,
      method: 'PUT',
      json: { email: moved, password: 'a better horse 10' },
    })
    expect((await changed.json()).email).toBe(moved)
    const { error } = await site
      .client()
      .signInWithPassword({ email: moved, password: 'a better horse 10' })
    expect(error).toBeNull()
    expect((await users(`/${user.id}`, service)).status).toBe(200)
    expect((await users(`/${user.id}`, { ...service, method: 'DELETE' })).status).toBe(200)
    expect((await users(`/${user.id}`, service)).status).toBe(404)
    expect((await users('/nonsense', service)).status).toBe(400)
  })

  test('an operator’s program lists accounts in pages, with their number', async () => {
    const answer = await users('?page=1&per_page=2', await asService())
    expect((await answer.json()).users).toHaveLength(2)
    expect(Number(answer.headers.get('x-total-count'))).toBeGreaterThan(4)
    expect(answer.headers.get('link')).toMatch(/page=2&per_page=2>; rel="next"/)
    for (const query of ['?page=0', '?per_page=1000', '?page=x'])
      expect((await users(query, await asService())).status).toBe(400)
  })

  test('S28: an administrator’s program sees masked addresses, and can suspend but not take over', async () => {
    const admin = await asAdmin()
    const dana = await newMember({ username: 'Taken1' })
    const seen = await (await users(`/${dana.id}`, admin)).json()
    expect(seen.email).toBe('d…@people.example')
    expect(JSON.stringify(seen)).not.toContain(dana.email)
    const change = (json: object) => users(`/${dana.id}`, { ...admin, method: 'PUT', json })
    for (const json of [
      { password: 'a better horse 10' },
      { email: site.newAddress('ada') },
      { email_confirm: true },
      { user_metadata: { user_type: 'employer' } },
      { ban_duration: '24h', password: 'a better horse 10' },
    ])
      expect((await change(json)).status).toBe(403)
    expect((await change({ ban_duration: '24h' })).status).toBe(200)
    expect((await site.call('/api/v1/me', { token: dana.token })).status).toBe(401)
    expect((await change({ ban_duration: 'none' })).status).toBe(200)
    const again = await site.client().signInWithPassword({ email: dana.email, password: PASSWORD })
    expect(again.error).toBeNull()
  })

  test('an administrator can’t change other administrators’ accounts', async () => {
    const [ada, other] = [await asAdmin(), await asAdmin()]
    const ban = { method: 'PUT', json: { ban_duration: '24h' } }
    expect((await users(`/${other.id}`, { ...ada, ...ban })).status).toBe(403)
    expect((await users(`/${other.id}`, { ...ada, method: 'DELETE' })).status).toBe(403)
  })

  test('the owner can’t suspend or delete her own account', async () => {
    const ownerEmail = site.newAddress('olga')
    const hers = await openAuthSite(outside(), { ownerEmail })
    const { data } = await hers.client().signUp({ email: ownerEmail, password: PASSWORD })
    const { id, token } = { id: data.user?.id, token: data.session?.access_token }
    await site.db.query(sql`insert into admin_users (id) values (${id})`)
    for (const init of [{ method: 'DELETE' }, { method: 'PUT', json: { ban_duration: '24h' } }]) {
      const answer = await hers.call(`/auth/v1/admin/users/${id}`, { token, ...init })
      expect(answer.status, init.method).toBe(403)
      expect((await answer.json()).msg).toBe('You can’t do this to your own account')
    }
    expect(await (await hers.call('/api/v1/me', { token })).json()).toMatchObject({ role: 'owner' })
  })

  test('a member can’t manage accounts', async () => {
    const dana = await newMember()
    for (const init of [{}, { method: 'PUT', json: {} }, { method: 'DELETE' }])
      expect((await users(`/${dana.id}`, { token: dana.token, ...init })).status).toBe(403)
    expect((await users('', { token: dana.token })).status).toBe(403)
    expect(
      (await users('', { token: dana.token, json: { email: site.newAddress() } })).status,
    ).toBe(403)
  })

  test('npm run admin grants the role to a confirmed address, lists administrators, and revokes it', () =>
    as('dana', async (ctx) => {
      const admins = async () =>
        (await listAdmins(ctx)).filter((email) => email.endsWith('@kettle.example'))
      await expect(grantAdmin(ctx, 'nobody@kettle.example')).rejects.toThrow(/no account/)
      await ctx.db.query(
        sql`update accounts set is_email_confirmed = false where id = ${ctx.actor.account?.id}`,
      )
      await expect(grantAdmin(ctx, 'dana@kettle.example')).rejects.toThrow(/isn’t confirmed/)
      await ctx.db.query(
        sql`update accounts set is_email_confirmed = true where id = ${ctx.actor.account?.id}`,
      )
      expect(await grantAdmin(ctx, 'Dana@kettle.example')).toMatch(/is now an administrator/)
      expect(await admins()).toEqual([
        'ada@kettle.example',
        'dana@kettle.example',
        'olga@kettle.example',
      ])
      expect(await revokeAdmin(ctx, 'dana@kettle.example')).toMatch(/no longer an administrator/)
      expect(await admins()).toEqual(['ada@kettle.example', 'olga@kettle.example'])
      // A typo in the address mustn't read as if someone had lost the role.
      await expect(revokeAdmin(ctx, 'aad@kettle.example')).rejects.toThrow(/no account/)
      expect(await revokeAdmin(ctx, 'dana@kettle.example')).toMatch(/isn’t an administrator/)
    }))
})
