/** Second factors of administrators, and the ends of accounts that have one. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addApp,
  good,
  halfSignedIn,
  newConfirmed,
  newWithApp,
  nextCode,
  subjectsOf,
  tokenOf,
} from '#app/identity/accounts/second-factors/factor-people.fixture.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { type AuthSite, openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { removeSecondFactors } from '../administrators/admin-commands.server.ts'

const { outside } = withDatabase()
let strict: AuthSite
let lenient: AuthSite
beforeAll(async () => {
  strict = await openAuthSite(outside(), { adminSecondFactor: 'required' })
  lenient = await openAuthSite(outside(), { adminSecondFactor: 'offered' })
})

const HOUR_MS = 3_600_000

const appoint = (id: string) => outside().query(sql`insert into admin_users (id) values (${id})`)
const me = async (site: AuthSite, token: string) =>
  (await site.call('/api/v1/me', { token })).json()

async function newAda(site: AuthSite) {
  const ada = await newConfirmed(site, 'ada')
  await appoint(ada.id)
  return ada
}

describe('ADMIN_SECOND_FACTOR', () => {
  test('required: ada is a member until she sets up a factor, and learns that she has to', async () => {
    const { client } = await newAda(strict)
    const before = await me(strict, await tokenOf(client))
    expect(before).toMatchObject({
      role: 'member',
      needsSecondFactor: true,
      awaitsSecondFactor: false,
    })
    expect(before.can).not.toContain('manageAccounts')
    const users = async () =>
      (await strict.call('/auth/v1/admin/users', { token: await tokenOf(client) })).status
    expect(await users()).toBe(403)

    await addApp(strict, client)
    expect(await me(strict, await tokenOf(client))).toMatchObject({
      role: 'admin',
      needsSecondFactor: false,
    })
    expect(await users()).toBe(200)
  })

  test('required: an employer who’s an administrator keeps acting for the company', async () => {
    const { client, id } = await newAda(strict)
    const [company] = await outside().query<{ id: string }>(sql`
      insert into companies (name, name_key, slug)
      values ('Ada and Sons', 'ada and sons', 'ada-and-sons')
      returning id`)
    await outside().query(sql`
      insert into employer_claims (account_id, company_id, status)
      values (${id}, ${company?.id}, 'approved')`)
    expect((await me(strict, await tokenOf(client))).role).toBe('employer')
  })

  test('required: olga is a member before she sets up a factor and after it’s gone', async () => {
    const own = strict.newAddress('olga')
    const site = await openAuthSite(outside(), { adminSecondFactor: 'required', ownerEmail: own })
    const { client, id } = await newConfirmed({ ...site, newAddress: () => own }, 'olga')
    await appoint(id)
    const role = async () => (await me(site, await tokenOf(client))).role
    expect(await role()).toBe('member')
    const { factorId } = await addApp(site, client)
    expect(await role()).toBe('owner')
    good(await client.mfa.unenroll({ factorId }))
    expect(await role()).toBe('member')
  })

  test('offered: ada is an administrator without a factor, and takes the second step with one', async () => {
    const { client, email } = await newAda(lenient)
    expect(await me(lenient, await tokenOf(client))).toMatchObject({
      role: 'admin',
      needsSecondFactor: false,
    })
    await addApp(lenient, client)
    const half = await halfSignedIn(lenient, email)
    expect((await me(lenient, await tokenOf(half))).role).toBe('visitor')
  })

  test('dana needs no factor, whatever the setting', async () => {
    const { client } = await newConfirmed(strict)
    expect(await me(strict, await tokenOf(client))).toMatchObject({
      role: 'member',
      needsSecondFactor: false,
    })
  })
})

describe('a session of twelve hours', () => {
  test('ada’s session ends after twelve hours, however she uses it, and dana’s doesn’t', async () => {
    const [ada, dana] = [await newAda(lenient), await newConfirmed(lenient)]
    const { factorId, secret } = await addApp(lenient, ada.client)
    const refreshToken = async () => (await ada.client.getSession()).data.session?.refresh_token
    lenient.forward(11 * HOUR_MS)
    // Neither the password nor the factor restarts the twelve hours.
    good(await ada.client.refreshSession())
    const renewed = await lenient.call('/auth/v1/reauthenticate', {
      token: await tokenOf(ada.client),
      json: { password: PASSWORD },
    })
    await ada.client.setSession(await renewed.json())
    const code = nextCode(lenient, secret)
    good(await ada.client.mfa.challengeAndVerify({ factorId, code }))
    const token = await tokenOf(ada.client)
    expect((await me(lenient, token)).role).toBe('admin')

    lenient.forward(HOUR_MS - 60_000)
    expect((await lenient.call('/api/v1/me', { token })).status).toBe(401)
    const user = await lenient.call('/auth/v1/user', { token })
    expect([user.status, (await user.json()).error_code]).toEqual([403, 'session_expired'])
    const refresh_token = (await refreshToken()) as string
    const { error } = await lenient.client().refreshSession({ refresh_token })
    expect(error).toMatchObject({ code: 'session_expired', status: 400 })
    // The session has really ended.
    const again = await lenient.client().refreshSession({ refresh_token })
    expect(again.error).toMatchObject({ code: 'refresh_token_not_found' })

    good(await dana.client.refreshSession())
    expect((await me(lenient, await tokenOf(dana.client))).role).toBe('member')
    good(await ada.client.signInWithPassword({ email: ada.email, password: PASSWORD }))
  })
})

describe('accounts that end', () => {
  test('dana gets no further if she’s suspended between the two steps', async () => {
    const { email, id, factorId, secret } = await newWithApp(lenient)
    const half = await halfSignedIn(lenient, email)
    const { id: challengeId } = good(await half.mfa.challenge({ factorId }))
    await outside().query(sql`update accounts set is_suspended = true where id = ${id}`)
    const code = nextCode(lenient, secret)
    const { error } = await half.mfa.verify({ factorId, challengeId, code })
    expect(error?.name).toBe('AuthSessionMissingError')
  })

  test('dana’s export names her factors without secrets, and they go with her account', async () => {
    const { client, id, secret } = await newWithApp(lenient)
    const token = await tokenOf(client)
    const { codes } = await (
      await lenient.call('/auth/v1/factors/recovery-codes', { token, json: {} })
    ).json()
    const taken = await (await lenient.call('/api/v1/me/export', { token })).text()
    expect(JSON.parse(taken).account).toMatchObject({
      secondFactors: [{ kind: 'totp', name: 'Phone', isVerified: true }],
      recoveryCodesLeft: 10,
    })
    expect(taken).not.toContain(secret)
    for (const code of codes) expect(taken).not.toContain(code)

    const { profile } = await me(lenient, token)
    const json = { confirmation: profile.username, posts: 'keep' }
    expect((await lenient.call('/api/v1/me/deletion', { token, json })).status).toBe(200)
    for (const table of [sql`second_factors`, sql`recovery_codes`])
      expect(await outside().query(sql`select from ${table} where account_id = ${id}`)).toEqual([])
  })
})

describe('npm run admin -- remove-second-factors', () => {
  const remove = (email: string) => {
    const db = outside()
    const { now } = lenient
    const queue = createQueue(db, { now })
    return removeSecondFactors({ db, now, queue, secrets: testSecrets, events: [] }, email)
  }

  test('npm run admin lets ada sign in without her lost phone, ends all sessions and mails her', async () => {
    const { client, email, id } = await newWithApp(lenient, 'ada')
    const token = await tokenOf(client)
    await lenient.call('/auth/v1/factors/recovery-codes', { token, json: {} })
    expect(await remove(email)).toBe(
      `${email} now logs in without a second step. We ended all their sessions and emailed them about it.`,
    )
    expect(await subjectsOf(lenient)).toEqual([
      'A second step was removed from your Kettle account',
    ])
    expect((await lenient.call('/api/v1/me', { token })).status).toBe(401)
    const codes = await outside().query(sql`select from recovery_codes where account_id = ${id}`)
    expect(codes).toEqual([])
    const again = await halfSignedIn(lenient, email)
    expect((await me(lenient, await tokenOf(again))).role).toBe('member')
  })

  test('npm run admin says so if there’s no factor to remove', async () => {
    const { email } = await newConfirmed(lenient)
    expect(await remove(email)).toBe(`${email} has no second step.`)
    await expect(remove('nobody@people.example')).rejects.toThrow(
      'nobody@people.example has no account here.',
    )
  })
})

test('dana isn’t asked for the factors of mallory, who had her address before', async () => {
  const mallory = await newWithApp(lenient, 'mallory')
  const address = lenient.newAddress('dana')
  await mallory.client.updateUser({ email: address })
  const [mail] = await lenient.post()
  const link = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  // In dana’s browser, which knows nothing of mallory’s account.
  const answer = await lenient.call('/auth/v1/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URL(link).searchParams.toString(),
  })
  const fragment = new URL(answer.headers.get('location') ?? '').hash.slice(1)
  const token = new URLSearchParams(fragment).get('access_token') as string
  expect(await me(lenient, token)).toMatchObject({ role: 'member', awaitsSecondFactor: false })
})
