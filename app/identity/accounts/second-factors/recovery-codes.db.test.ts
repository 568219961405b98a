/** Recovery codes, as a phone that was lost makes them needed. */

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
import { slow } from '#tests/support/amounts.ts'
import { type AuthSite, openAuthSite } from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'

const { outside } = withDatabase()
let site: AuthSite
let limited: AuthSite
beforeAll(async () => {
  site = await openAuthSite(outside())
  limited = await openAuthSite(outside(), { hasRateLimits: true })
})

const MINUTE_MS = 60_000
type Client = ReturnType<AuthSite['client']>

async function post(client: Client, path: string, json: object, from?: string) {
  const answer = await (from ? limited : site).call(path, {
    token: await tokenOf(client),
    json,
    ...(from && { from }),
  })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}
const makeCodes = async (client: Client): Promise<string[]> =>
  (await post(client, '/auth/v1/factors/recovery-codes', {})).body.codes
const recover = (client: Client, code: string) => post(client, '/auth/v1/factors/recover', { code })
const left = async (client: Client) => {
  const answer = await site.call('/auth/v1/factors', { token: await tokenOf(client) })
  return (await answer.json()).recovery_codes_left
}

test('dana makes ten codes, and one of them is the second step, however she types it', async () => {
  const { client, email } = await newWithApp(site)
  expect(await left(client)).toBe(0)
  const codes = await makeCodes(client)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
  expect(await left(client)).toBe(10)
  expect(await subjectsOf(site)).toEqual([])

  const half = await halfSignedIn(site, email)
  const typed = ` ${codes[0]?.replace('-', ' ').replace(/0/g, 'O').replace(/1/g, 'l')} `
  const { status, body } = await recover(half, typed.toUpperCase())
  expect(status).toBe(200)
  await half.setSession(body)
  expect((await half.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'password' }, { method: 'mfa/recovery_code' }],
  })
  expect(await left(half)).toBe(9)
  const mails = await site.post()
  expect(mails.map(({ subject }) => subject)).toEqual([
    'A recovery code for your Kettle account was used',
  ])
  expect(JSON.stringify(mails)).not.toContain(codes[0])
})

test('a code opens the account once, even if it’s used ten times at once', async () => {
  const { client, email } = await newWithApp(site)
  const [first = '', second = ''] = await makeCodes(client)
  expect((await recover(await halfSignedIn(site, email), first)).status).toBe(200)
  const again = await recover(await halfSignedIn(site, email), first)
  expect([again.status, again.body.error_code]).toEqual([422, 'mfa_verification_failed'])

  const browsers = []
  for (let i = 0; i < 10; i++) browsers.push(await halfSignedIn(site, email))
  const answers = await Promise.all(browsers.map((half) => recover(half, second)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await left(client)).toBe(8)
})

test('the old session ends when a code is used in it, and no second code is used up', async () => {
  const { client, email } = await newWithApp(site)
  const [first = '', second = ''] = await makeCodes(client)
  const half = await halfSignedIn(site, email)
  const answers = await Promise.all([recover(half, first), recover(half, second)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  expect(await left(client)).toBe(9)
})

test('new codes end the former ones, and dana gets a mail', async () => {
  const { client, email } = await newWithApp(site)
  const [old = ''] = await makeCodes(client)
  await site.post()
  await makeCodes(client)
  expect(await subjectsOf(site)).toEqual(['Your Kettle recovery codes were replaced'])
  expect((await recover(await halfSignedIn(site, email), old)).status).toBe(422)
  expect(await left(client)).toBe(10)
})

test('if two requests make codes at the same moment, only the last codes stay', async () => {
  const { client } = await newWithApp(site)
  await Promise.all([makeCodes(client), makeCodes(client), makeCodes(client)])
  expect(await left(client)).toBe(10)
})

test('dana needs a factor, the second step and a recent proof to make codes', async () => {
  const ask = async (client: Client) => {
    const { status, body } = await post(client, '/auth/v1/factors/recovery-codes', {})
    return [status, body.error_code]
  }
  const { client } = await newConfirmed(site)
  expect(await ask(client)).toEqual([403, 'insufficient_aal'])
  const { email } = await addAppTo(client)
  expect(await ask(await halfSignedIn(site, email))).toEqual([403, 'insufficient_aal'])
  site.forward(11 * MINUTE_MS)
  expect(await ask(client)).toEqual([400, 'reauthentication_needed'])
})

const addAppTo = async (client: Client) => {
  await addApp(site, client)
  return { email: (await client.getUser()).data.user?.email as string }
}

test('the codes go with the last factor, and not before', async () => {
  const { client, factorId, secret } = await newWithApp(site)
  const { factorId: second } = await addApp(site, client, 'Tablet')
  await makeCodes(client)
  good(await client.mfa.unenroll({ factorId: second }))
  expect(await left(client)).toBe(10)
  good(await client.mfa.challengeAndVerify({ factorId, code: nextCode(site, secret) }))
  good(await client.mfa.unenroll({ factorId }))
  expect(await left(client)).toBe(0)
})

test('erin’s codes don’t open dana’s account, and no table has a readable code', async () => {
  const [dana, erin] = [await newWithApp(site), await newWithApp(site, 'erin')]
  const [code = ''] = await makeCodes(erin.client)
  expect((await recover(await halfSignedIn(site, dana.email), code)).status).toBe(422)
  const rows = await outside().query(sql`select * from recovery_codes`)
  expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''))
})

describe('guessing', () => {
  const wrong = async (client: Client, from: string) =>
    (await post(client, '/auth/v1/factors/recover', { code: '00000-00000' }, from)).status
  /** A code from the authenticator app. */
  async function wrongCode(half: Client, factorId: string, from: string) {
    const token = await tokenOf(half)
    const challenge = await limited.call(`/auth/v1/factors/${factorId}/challenge`, {
      token,
      json: {},
      from,
    })
    const { id: challenge_id } = await challenge.json()
    return limited.call(`/auth/v1/factors/${factorId}/verify`, {
      token,
      json: { challenge_id, code: '000000' },
      from,
    })
  }

  test('five wrong codes lock the app’s step for their network, and leave the other ways open', async () => {
    const { client, email, factorId, secret } = await newWithApp(site)
    const [code = ''] = await makeCodes(client)
    const half = await halfSignedIn(site, email)
    const statuses = []
    for (let i = 0; i < 6; i++)
      statuses.push((await wrongCode(half, factorId, '198.51.100.7')).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    const refused = await wrongCode(half, factorId, '198.51.100.7')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await refused.json()).error_code).toBe('over_request_rate_limit')
    // From elsewhere, and by a recovery code from here.
    expect((await wrongCode(half, factorId, '203.0.113.9')).status).toBe(422)
    good(await half.mfa.challengeAndVerify({ factorId, code: nextCode(site, secret) }))
    const other = await halfSignedIn(site, email)
    expect((await post(other, '/auth/v1/factors/recover', { code }, '198.51.100.7')).status).toBe(
      200,
    )
  })

  test('only five of forty simultaneous codes are checked', async () => {
    const { email } = await newWithApp(site)
    const half = await halfSignedIn(site, email)
    const statuses = await Promise.all(
      Array.from({ length: 40 }, () => wrong(half, '198.51.100.8')),
    )
    expect(statuses.filter((status) => status === 422)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(35)
  })

  slow.test('twenty wrong codes an hour are the limit, wherever they come from', async () => {
    const { email } = await newWithApp(site)
    const half = await halfSignedIn(site, email)
    const statuses = []
    for (let i = 0; i < 24; i++) statuses.push(await wrong(half, `203.0.113.${i}`))
    expect(statuses.filter((status) => status === 422)).toHaveLength(20)
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429])
  })
})
