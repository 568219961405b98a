/** Second factors, by the real `@supabase/auth-js` client on a real database. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addApp,
  codeOf,
  good,
  halfSignedIn,
  newConfirmed,
  newWithApp,
  nextCode,
  subjectsOf,
  tokenOf,
} from '#app/identity/accounts/second-factors/factor-people.fixture.ts'
import { type AuthSite, linkIn, openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'

const { outside } = withDatabase()
let site: AuthSite
beforeAll(async () => {
  site = await openAuthSite(outside())
})

const MINUTE_MS = 60_000
const me = async (token: string) => (await site.call('/api/v1/me', { token })).json()
const ask = (token: string, path: string, json?: object, method?: string) =>
  site.call(path, { token, ...(json && { json }), ...(method && { method }) })
const codeIn = async (answer: Response) => (await answer.json()).error_code

describe('an authenticator app', () => {
  test('dana sets up an app, signs in with it, and removes it', async () => {
    const { client, email } = await newConfirmed(site)
    const enrolled = good(
      await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone', issuer: 'Kettle' }),
    )
    expect(enrolled).toMatchObject({ type: 'totp', friendly_name: 'Phone' })
    expect(enrolled.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /)
    expect(enrolled.totp.uri).toContain(`otpauth://totp/Kettle:${encodeURIComponent(email)}?`)
    expect(good(await client.mfa.listFactors())).toMatchObject({
      all: [{ id: enrolled.id, status: 'unverified', factor_type: 'totp' }],
      totp: [],
    })

    const challenge = good(await client.mfa.challenge({ factorId: enrolled.id }))
    expect(challenge.expires_at - site.now().getTime() / 1000).toBeGreaterThan(290)
    const verified = good(
      await client.mfa.verify({
        factorId: enrolled.id,
        challengeId: challenge.id,
        code: codeOf(site, enrolled.totp.secret),
      }),
    )
    expect(verified.user.email).toBe(email)
    expect(good(await client.mfa.listFactors()).totp).toMatchObject([
      { id: enrolled.id, friendly_name: 'Phone', status: 'verified' },
    ])
    const { data: level } = await client.mfa.getAuthenticatorAssuranceLevel()
    expect(level).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'password' }, { method: 'totp' }],
    })
    expect(await subjectsOf(site)).toEqual(['A second step was added to your Kettle account'])

    const laptop = await halfSignedIn(site, email)
    expect((await laptop.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    })
    const code = nextCode(site, enrolled.totp.secret)
    good(await laptop.mfa.challengeAndVerify({ factorId: enrolled.id, code }))
    expect((await me(await tokenOf(laptop))).role).toBe('member')
    // A refresh keeps the level.
    good(await laptop.refreshSession())
    expect((await laptop.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')

    expect(good(await laptop.mfa.unenroll({ factorId: enrolled.id }))).toEqual({ id: enrolled.id })
    expect(await subjectsOf(site)).toEqual(['A second step was removed from your Kettle account'])
    expect(good(await laptop.mfa.listFactors()).all).toEqual([])
    expect((await me(await tokenOf(await halfSignedIn(site, email)))).role).toBe('member')
  })

  test('a code works once, even with another challenge', async () => {
    const { email, factorId, secret } = await newWithApp(site)
    const [phone, laptop] = [await halfSignedIn(site, email), await halfSignedIn(site, email)]
    const code = nextCode(site, secret)
    good(await phone.mfa.challengeAndVerify({ factorId, code }))
    const again = await laptop.mfa.challengeAndVerify({ factorId, code })
    expect(again.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 })
    good(await laptop.mfa.challengeAndVerify({ factorId, code: nextCode(site, secret) }))
  })

  test('ten verifications use one code at once, and one succeeds', async () => {
    const { email, factorId, secret } = await newWithApp(site)
    const browsers = []
    for (let i = 0; i < 10; i++) browsers.push(await halfSignedIn(site, email))
    const code = nextCode(site, secret)
    const answers = await Promise.all(
      browsers.map((client) => client.mfa.challengeAndVerify({ factorId, code })),
    )
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
  })

  test('an old, wrong or missing code is refused, and the challenge stays valid', async () => {
    const { email, factorId, secret } = await newWithApp(site)
    const client = await halfSignedIn(site, email)
    const old = nextCode(site, secret)
    site.forward(MINUTE_MS)
    const { id: challengeId } = good(await client.mfa.challenge({ factorId }))
    for (const code of [old, '000000', '', 'abcdef', '0'.repeat(100)])
      expect((await client.mfa.verify({ factorId, challengeId, code })).error?.status).toBe(422)
    good(await client.mfa.verify({ factorId, challengeId, code: codeOf(site, secret) }))
  })

  test('a challenge is valid for five minutes, for one session, one factor and one use', async () => {
    const { email, client, factorId, secret } = await newWithApp(site)
    const [half, other] = [await halfSignedIn(site, email), await halfSignedIn(site, email)]
    const expired = { code: 'mfa_challenge_expired', status: 422 }
    const challengeOf = async (of: typeof half) => good(await of.mfa.challenge({ factorId })).id
    const verify = async (of: typeof half, challengeId: string) =>
      (await of.mfa.verify({ factorId, challengeId, code: nextCode(site, secret) })).error

    const old = await challengeOf(half)
    site.forward(5 * MINUTE_MS)
    expect(await verify(half, old)).toMatchObject(expired)
    expect(await verify(half, await challengeOf(other))).toMatchObject(expired)
    expect(await verify(half, 'x')).toMatchObject(expired)
    // Sealed by the site, and no challenge.
    expect(await verify(half, testSecrets.seal('{}'))).toMatchObject(expired)

    const once = await challengeOf(client)
    expect(await verify(client, once)).toBeNull()
    expect(await verify(client, once)).toMatchObject(expired)
  })

  test('erin can’t challenge, verify or remove dana’s factor', async () => {
    const dana = await newWithApp(site)
    const erin = await newConfirmed(site, 'erin')
    const { factorId } = dana
    const notFound = { code: 'mfa_factor_not_found', status: 404 }
    expect((await erin.client.mfa.challenge({ factorId })).error).toMatchObject(notFound)
    expect((await erin.client.mfa.unenroll({ factorId })).error).toMatchObject(notFound)
    const { id: challengeId } = good(await dana.client.mfa.challenge({ factorId }))
    const code = nextCode(site, dana.secret)
    const { error } = await erin.client.mfa.verify({ factorId, challengeId, code })
    expect(error).toMatchObject(notFound)
  })

  test('dana needs a confirmed address and a recent proof to set up an app', async () => {
    const client = site.client()
    await client.signUp({ email: site.newAddress(), password: PASSWORD })
    await site.post()
    const enroll = async (of: typeof client) =>
      (await of.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })).error
    expect(await enroll(client)).toMatchObject({ code: 'email_not_confirmed' })
    const dana = await newConfirmed(site)
    site.forward(11 * MINUTE_MS)
    expect(await enroll(dana.client)).toMatchObject({ code: 'reauthentication_needed' })
  })

  test('a repeated name, an eleventh factor and an unknown kind are refused', async () => {
    const { client } = await newWithApp(site)
    const enroll = async (friendlyName: string) =>
      (await client.mfa.enroll({ factorType: 'totp', friendlyName })).error
    expect(await enroll(' Phone ')).toMatchObject({ code: 'mfa_factor_name_conflict', status: 422 })
    for (let i = 2; i <= 10; i++) await addApp(site, client, `Phone ${i}`)
    expect(await enroll('Phone 11')).toMatchObject({
      code: 'too_many_enrolled_mfa_factors',
      status: 422,
    })
    const phone = await ask(await tokenOf(client), '/auth/v1/factors', { factor_type: 'phone' })
    expect(await codeIn(phone)).toBe('validation_failed')
  })

  test('starting many apps at once leaves one, and never more than ten', async () => {
    const { client } = await newWithApp(site)
    const begun = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        client.mfa.enroll({ factorType: 'totp', friendlyName: `Tablet ${i}` }),
      ),
    )
    expect(begun.every(({ error }) => error === null)).toBe(true)
    const { all } = good(await client.mfa.listFactors())
    expect(all.map(({ status }) => status).sort()).toEqual(['unverified', 'verified'])
  })

  test('an app’s secret is sealed, and using it changes no row', async () => {
    const { client, id, email, factorId, secret } = await newWithApp(site)
    const rows = () => outside().query(sql`select * from second_factors where account_id = ${id}`)
    const before = await rows()
    expect(JSON.stringify(before)).not.toContain(secret)
    expect(JSON.stringify(before)).not.toContain('Phone')
    const half = await halfSignedIn(site, email)
    good(await half.mfa.challengeAndVerify({ factorId, code: nextCode(site, secret) }))
    good(await client.refreshSession())
    expect(await rows()).toEqual(before)
  })
})

describe('before the second step', () => {
  test('dana is a visitor until her second step, which is all she can do', async () => {
    const { email, factorId } = await newWithApp(site)
    const half = await halfSignedIn(site, email)
    const token = await tokenOf(half)
    expect(await me(token)).toMatchObject({
      role: 'visitor',
      profile: null,
      email: null,
      awaitsSecondFactor: true,
      needsSecondFactor: false,
    })
    for (const [path, json] of [
      ['/api/v1/me/export', undefined],
      ['/api/v1/me/deletion', { confirmation: 'x', posts: 'keep' }],
    ] as const)
      expect((await ask(token, path, json)).status, path).toBe(401)

    const refused: [string, object | undefined, string][] = [
      ['/auth/v1/user', { password: 'a better horse 10' }, 'PUT'],
      ['/auth/v1/user', { data: { word: 'tea' } }, 'PUT'],
      ['/auth/v1/reauthenticate', { password: PASSWORD }, 'POST'],
      ['/auth/v1/resend', { type: 'email_change', email }, 'POST'],
      ['/auth/v1/logout?scope=global', {}, 'POST'],
      ['/auth/v1/logout?scope=others', {}, 'POST'],
      ['/auth/v1/factors', { factor_type: 'totp' }, 'POST'],
      ['/auth/v1/factors/recovery-codes', {}, 'POST'],
      [`/auth/v1/factors/${factorId}`, undefined, 'DELETE'],
      ['/auth/v1/admin/users', undefined, 'GET'],
    ]
    for (const [path, json, method] of refused) {
      const answer = await ask(token, path, json, method)
      expect([path, answer.status, await codeIn(answer)]).toEqual([path, 403, 'insufficient_aal'])
    }

    expect((await half.getUser()).data.user?.email).toBe(email)
    expect(good(await half.mfa.listFactors()).totp).toHaveLength(1)
    expect((await ask(token, '/auth/v1/factors')).status).toBe(200)
    good(await half.mfa.challenge({ factorId }))
    // A refresh doesn't count as the second step.
    good(await half.refreshSession())
    expect((await me(await tokenOf(half))).role).toBe('visitor')
    expect((await half.signOut({ scope: 'local' })).error).toBeNull()
  })

  test('someone with only the password can’t pass the second step with an unfinished factor', async () => {
    const { client, email } = await newWithApp(site)
    const begun = good(await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' }))
    const mallory = await halfSignedIn(site, email)
    const code = codeOf(site, begun.totp.secret)
    const { error } = await mallory.mfa.challengeAndVerify({ factorId: begun.id, code })
    expect(error).toMatchObject({ code: 'insufficient_aal', status: 403 })
    const { id: challengeId } = good(await client.mfa.challenge({ factorId: begun.id }))
    const verified = await mallory.mfa.verify({ factorId: begun.id, challengeId, code })
    expect(verified.error).toMatchObject({ code: 'insufficient_aal' })
  })

  test('a session from before the factor ends when the factor is verified', async () => {
    const { client, email } = await newConfirmed(site)
    const laptop = await halfSignedIn(site, email)
    const [access, { data }] = [await tokenOf(laptop), await laptop.getSession()]
    await addApp(site, client)
    expect((await ask(access, '/api/v1/me')).status).toBe(401)
    const refresh_token = data.session?.refresh_token as string
    const refreshed = await site.client().refreshSession({ refresh_token })
    expect(refreshed.error).toMatchObject({ code: 'refresh_token_not_found' })
    expect((await me(await tokenOf(client))).role).toBe('member')
  })

  test('a reset link alone changes no password, because the second step comes first', async () => {
    const { email, factorId, secret } = await newWithApp(site)
    await site.client().resetPasswordForEmail(email)
    const [mail] = await site.post()
    const half = site.client()
    const token_hash = linkIn(mail).searchParams.get('token') as string
    good(await half.verifyOtp({ token_hash, type: 'recovery' }))
    const password = 'a better horse 10'
    expect((await half.updateUser({ password })).error).toMatchObject({ code: 'insufficient_aal' })
    expect((await me(await tokenOf(half))).role).toBe('visitor')
    good(await half.mfa.challengeAndVerify({ factorId, code: nextCode(site, secret) }))
    expect((await half.updateUser({ password })).error).toBeNull()
    const after = await site.client().signInWithPassword({ email, password })
    expect(after.error).toBeNull()
  })
})

describe('confirming again', () => {
  test('dana’s password keeps the second level, and her second factor alone confirms it’s her, too', async () => {
    const { client, factorId, secret } = await newWithApp(site)
    const change = async () =>
      (await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' })).error?.code
    site.forward(11 * MINUTE_MS)
    expect(await change()).toBe('reauthentication_needed')
    expect((await client.mfa.unenroll({ factorId })).error?.code).toBe('reauthentication_needed')
    const answer = await ask(await tokenOf(client), '/auth/v1/reauthenticate', {
      password: PASSWORD,
    })
    await client.setSession(await answer.json())
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
    expect(await change()).toBeUndefined()

    site.forward(11 * MINUTE_MS)
    expect(await change()).toBe('reauthentication_needed')
    good(await client.mfa.challengeAndVerify({ factorId, code: nextCode(site, secret) }))
    expect(await change()).toBeUndefined()
  })

  test('removing a factor signs out all other devices', async () => {
    const { client, email, factorId, secret } = await newWithApp(site)
    const laptop = await halfSignedIn(site, email)
    good(await laptop.mfa.challengeAndVerify({ factorId, code: nextCode(site, secret) }))
    good(await client.mfa.unenroll({ factorId }))
    expect((await ask(await tokenOf(laptop), '/api/v1/me')).status).toBe(401)
    expect((await me(await tokenOf(client))).role).toBe('member')
  })
})
