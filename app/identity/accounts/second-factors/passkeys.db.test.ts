/** Passkeys as second factors, by the real client and a passkey in software. */
import { beforeAll, expect, test } from 'vitest'
import {
  addApp,
  good,
  halfSignedIn,
  newConfirmed,
  tokenOf,
} from '#app/identity/accounts/second-factors/factor-people.fixture.ts'
import { type AuthSite, openAuthSite, SITE } from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'
import { asInBrowser, softwarePasskey } from './software-passkey.fixture.ts'

const { outside } = withDatabase()
let site: AuthSite
beforeAll(async () => {
  site = await openAuthSite(outside())
})

const HERE = { rpID: 'kettle.test', origin: SITE }
const webauthn = { rpId: 'kettle.test', rpOrigins: [SITE] }
type Client = ReturnType<AuthSite['client']>
type Passkey = ReturnType<typeof softwarePasskey>

/** What the browser is asked, as the client hands it on. */
async function challengeOf(client: Client, factorId: string) {
  const challenge = good(await client.mfa.challenge({ factorId, webauthn }))
  if (challenge.type !== 'webauthn') throw new Error('no passkey was asked for')
  const { publicKey } = challenge.webauthn.credential_options
  const text = Buffer.from(publicKey.challenge as ArrayBuffer).toString('base64url')
  return { id: challenge.id, type: challenge.webauthn.type, publicKey, challenge: text }
}

const verify = (
  client: Client,
  factorId: string,
  challengeId: string,
  type: 'create' | 'request',
  response: object,
) =>
  client.mfa.verify({
    factorId,
    challengeId,
    webauthn: { ...webauthn, type, credential_response: asInBrowser(response) },
  } as unknown as Parameters<Client['mfa']['verify']>[0])

const enroll = async (client: Client, friendlyName = 'Laptop') =>
  good(await client.mfa.enroll({ factorType: 'webauthn', friendlyName })).id

async function register(client: Client, passkey: Passkey, friendlyName?: string) {
  const factorId = await enroll(client, friendlyName)
  const { id, challenge } = await challengeOf(client, factorId)
  good(await verify(client, factorId, id, 'create', passkey.create({ ...HERE, challenge })))
  return factorId
}

async function newWithPasskey() {
  const person = await newConfirmed(site)
  const passkey = softwarePasskey()
  return { ...person, passkey, factorId: await register(person.client, passkey) }
}

test('dana registers a passkey and signs in with it', async () => {
  const { client, email } = await newConfirmed(site)
  const passkey = softwarePasskey()
  const factorId = await enroll(client)
  const creation = await challengeOf(client, factorId)
  expect(creation.type).toBe('create')
  expect(creation.publicKey).toMatchObject({
    rp: { id: 'kettle.test', name: 'Kettle' },
    attestation: 'none',
    authenticatorSelection: { userVerification: 'preferred' },
    user: { name: email },
  })
  const response = passkey.create({ ...HERE, challenge: creation.challenge })
  good(await verify(client, factorId, creation.id, 'create', response))
  expect(good(await client.mfa.listFactors())).toMatchObject({
    webauthn: [{ id: factorId, friendly_name: 'Laptop', status: 'verified' }],
    totp: [],
  })

  const half = await halfSignedIn(site, email)
  const asked = await challengeOf(half, factorId)
  expect(asked.type).toBe('request')
  const allowed = (asked.publicKey as PublicKeyCredentialRequestOptions).allowCredentials
  expect(allowed?.map(({ id }) => Buffer.from(id as ArrayBuffer).toString('base64url'))).toEqual([
    passkey.id,
  ])
  const answer = passkey.get({ ...HERE, challenge: asked.challenge })
  good(await verify(half, factorId, asked.id, 'request', answer))
  expect((await half.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'password' }, { method: 'mfa/webauthn' }],
  })
})

test('an answer works once, even if it’s sent ten times at once', async () => {
  const { email, factorId, passkey } = await newWithPasskey()
  const half = await halfSignedIn(site, email)
  const { id, challenge } = await challengeOf(half, factorId)
  const answer = passkey.get({ ...HERE, challenge })
  const token = await tokenOf(half)
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const json = {
        challenge_id: id,
        webauthn: { ...webauthn, type: 'request', credential_response: answer },
      }
      return (await site.call(`/auth/v1/factors/${factorId}/verify`, { token, json })).status
    }),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
})

test('an answer of another passkey, site or challenge is refused', async () => {
  const { email, factorId, passkey } = await newWithPasskey()
  const half = await halfSignedIn(site, email)
  const { id, challenge } = await challengeOf(half, factorId)
  const answers = {
    stranger: softwarePasskey().get({ ...HERE, challenge }),
    origin: passkey.get({ ...HERE, origin: 'https://kettle.evil', challenge }),
    rpID: passkey.get({ ...HERE, rpID: 'kettle.evil', challenge }),
    challenge: passkey.get({ ...HERE, challenge: 'AAAA' }),
    registration: passkey.create({ ...HERE, challenge }),
    nothing: {},
  }
  for (const [name, answer] of Object.entries(answers)) {
    const { error } = await verify(half, factorId, id, 'request', answer)
    expect(error, name).toMatchObject({ code: 'mfa_verification_failed', status: 422 })
  }
  const asCreation = await verify(half, factorId, id, 'create', answers.registration)
  expect(asCreation.error).toMatchObject({ code: 'mfa_verification_failed' })
  good(await verify(half, factorId, id, 'request', passkey.get({ ...HERE, challenge })))
})

test('a registration that names its maker, or comes from another site, is refused', async () => {
  const { client } = await newConfirmed(site)
  const factorId = await enroll(client)
  const { id, challenge } = await challengeOf(client, factorId)
  const passkey = softwarePasskey()
  for (const response of [
    passkey.create({ ...HERE, challenge }, 'packed'),
    passkey.create({ ...HERE, origin: 'http://localhost:3000', challenge }),
    passkey.create({ ...HERE, rpID: 'localhost', challenge }),
    passkey.create({ ...HERE, challenge: 'AAAA' }),
    passkey.get({ ...HERE, challenge }),
  ])
    expect((await verify(client, factorId, id, 'create', response)).error).toMatchObject({
      code: 'mfa_verification_failed',
    })
  expect(good(await client.mfa.listFactors()).webauthn).toEqual([])
})

test('a browser at another address reads that passkeys don’t work there', async () => {
  const { client, factorId } = await newWithPasskey()
  for (const elsewhere of [
    { rpId: 'kettle.evil' },
    { rpId: 'kettle.test', rpOrigins: ['https://kettle.evil'] },
  ])
    expect(
      (await client.mfa.challenge({ factorId, webauthn: elsewhere as typeof webauthn })).error,
    ).toMatchObject({ code: 'validation_failed', status: 400 })
})

test('a registered passkey can’t be registered again', async () => {
  const { client, passkey } = await newWithPasskey()
  const { publicKey } = await challengeOf(client, await enroll(client, 'Key'))
  const { excludeCredentials } = publicKey as PublicKeyCredentialCreationOptions
  expect(
    excludeCredentials?.map(({ id }) => Buffer.from(id as ArrayBuffer).toString('base64url')),
  ).toEqual([passkey.id])
})

test('dana can’t use a code for her passkey, or her passkey for the app', async () => {
  const { client, factorId, passkey } = await newWithPasskey()
  const app = await addApp(site, client)
  const asked = await challengeOf(client, factorId)
  const byCode = await client.mfa.verify({ factorId, challengeId: asked.id, code: '123456' })
  expect(byCode.error).toMatchObject({ code: 'validation_failed' })
  const { id } = good(await client.mfa.challenge({ factorId: app.factorId }))
  const answer = passkey.get({ ...HERE, challenge: asked.challenge })
  expect((await verify(client, app.factorId, id, 'request', answer)).error).toMatchObject({
    code: 'validation_failed',
  })
})

test('a site without a name registers passkeys for localhost', async () => {
  const own = await openAuthSite(outside(), { siteUrl: () => 'http://127.0.0.1:3000' })
  const { client } = await newConfirmed(own)
  const factorId = await enroll(client)
  const token = await tokenOf(client)
  const ask = async (host: string) => {
    const path = `/auth/v1/factors/${factorId}/challenge`
    const answer = await own.call(path, { token, json: {}, headers: { host } })
    const body = await answer.json()
    return body.webauthn?.credential_options.publicKey.rp.id ?? body.error_code
  }
  expect(await ask('localhost:3000')).toBe('localhost')
  expect(await ask('127.0.0.1:3000')).toBe('validation_failed')
  expect(await ask('kettle.evil')).toBe('validation_failed')
})
