import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDecoder } from 'fast-jwt'
import { describe, expect, test } from 'vitest'
import { createTokens, issuerOf, readSigningKeys, type SigningKey } from './tokens.server.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', kid: 'test' }]

/** A process of a site without SITE_URL, as it is since tokens hang on no port. */
const processAt = (url: string) =>
  createTokens({
    keys,
    issuer: issuerOf(undefined),
    formerIssuer: () => `${url}/auth/v1`,
    lifetime: 60,
  })
const signed = (issuer: string) =>
  createTokens({ keys, issuer, lifetime: 60 }).sign({ role: 'authenticated' }, 'dana').token

test('without SITE_URL a token of one process is good at another, on whichever port', () => {
  const { token } = processAt('http://127.0.0.1:3000').sign({ role: 'authenticated' }, 'dana')
  expect(processAt('http://127.0.0.1:3001').verify(token)).toMatchObject({ sub: 'dana' })
})

test('a token signed before an update stays valid until it expires', () => {
  const token = signed('http://127.0.0.1:3000/auth/v1')
  expect(processAt('http://127.0.0.1:3000').verify(token)).toMatchObject({ sub: 'dana' })
  expect(processAt('http://127.0.0.1:3001').verify(token)).toBeUndefined()
})

test('a site with an address takes its own tokens only', () => {
  const site = createTokens({ keys, issuer: issuerOf('https://kettle.example'), lifetime: 60 })
  expect(site.verify(signed('https://kettle.example/auth/v1'))).toMatchObject({ sub: 'dana' })
  expect(site.verify(signed('https://other.example/auth/v1'))).toBeUndefined()
  expect(site.verify(signed(issuerOf(undefined)))).toBeUndefined()
})

describe('checking a token', () => {
  const iss = issuerOf('https://kettle.example')
  const at = new Date('2026-03-14T09:26:53.700Z')
  const exp = Math.floor(at.getTime() / 1000) + 60
  const site = () => createTokens({ keys, issuer: iss, lifetime: 60, now: () => at })
  const text = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  /** By hand, because a library wouldn't sign each of these. */
  const signedWith = (claims: object, kid = 'test') => {
    const body = `${text({ alg: 'ES256', kid })}.${text(claims)}`
    const mark = sign('sha256', Buffer.from(body), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${body}.${mark.toString('base64url')}`
  }
  const good = { sub: 'dana', role: 'authenticated', aud: 'authenticated', iss, exp }

  test('valid claims and a known key make a token valid', () => {
    expect(site().verify(signedWith(good))).toMatchObject(good)
  })

  test.each([
    ['another audience', { ...good, aud: 'anon' }],
    ['another issuer', { ...good, iss: 'https://other.example/auth/v1' }],
    ['no end', { ...good, exp: undefined }],
    ['an end that is a text', { ...good, exp: String(exp) }],
    ['no role', { ...good, role: undefined }],
    ['an end that is now', { ...good, exp: exp - 60 }],
  ])('a token isn’t valid with %s', (_, claims) => {
    expect(site().verify(signedWith(claims))).toBeUndefined()
  })

  test.each(['', 'x', 'a.b.c', `${'a'.repeat(40)}.${'b'.repeat(40)}.`])(
    'something that isn’t a token is refused: %j',
    (given) => {
      expect(site().verify(given)).toBeUndefined()
    },
  )

  test('a token without a signature, with a wrong one or by an unknown key is refused', () => {
    const [, body] = signedWith(good).split('.')
    expect(site().verify(`${text({ alg: 'none', kid: 'test' })}.${body}.`)).toBeUndefined()
    const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const forged = { ...other.export({ format: 'jwk' }), alg: 'ES256', kid: 'test' }
    const forger = createTokens({ keys: [forged], issuer: iss, lifetime: 60, now: () => at })
    expect(site().verify(forger.sign({ role: 'authenticated' }, 'dana').token)).toBeUndefined()
    expect(site().verify(signedWith(good, 'unknown'))).toBeUndefined()
  })

  test('a token expires to the second, even if it’s cached', () => {
    let now = at
    const clocked = createTokens({ keys, issuer: iss, lifetime: 60, now: () => now })
    const { token, expiresAt } = clocked.sign({ role: 'authenticated' }, 'dana')
    expect(expiresAt).toBe(exp)
    expect(clocked.lifetime).toBe(60)
    expect(clocked.verify(token)).toMatchObject({ sub: 'dana' })
    now = new Date((exp - 1) * 1000)
    expect(clocked.verify(token)).toMatchObject({ sub: 'dana' })
    now = new Date(exp * 1000)
    expect(clocked.verify(token)).toBeUndefined()
  })

  test('a token lives as long as it says, even if the second changes while it’s made', () => {
    let seconds = exp - 60
    const hurried = createTokens({
      keys,
      issuer: iss,
      lifetime: 60,
      now: () => new Date(seconds++ * 1000),
    })
    const { token, expiresAt } = hurried.sign({ role: 'authenticated' }, 'dana')
    const { payload } = createDecoder({ complete: true })(token)
    expect(payload.exp - payload.iat).toBe(60)
    expect(payload.exp).toBe(expiresAt)
  })

  test('a token has its claims', () => {
    const decode = createDecoder({ complete: true })
    const iat = Math.floor(at.getTime() / 1000)
    const { header, payload } = decode(
      site().sign({ role: 'authenticated', aud: 'x' }, 'dana').token,
    )
    expect(header).toMatchObject({ alg: 'ES256', kid: 'test' })
    expect(payload).toMatchObject({ aud: 'authenticated', iss, iat, exp, sub: 'dana' })
    const service = decode(site().signForService(5)).payload
    expect(service).toMatchObject({ role: 'service_role', exp: iat + 5 })
    expect(service.sub).toBeUndefined()
  })
})

describe('the keys of AUTH_SIGNING_KEYS', () => {
  const tokensOf = (...given: SigningKey[]) =>
    createTokens({ keys: given, issuer: 'test', lifetime: 60 })
  const ec = keys[0] as (typeof keys)[0]

  test('the first key signs, all verify, and a key without an id is named by its position', () => {
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const second = { ...rsa.export({ format: 'jwk' }), alg: 'RS256' }
    const both = tokensOf(ec, second)
    const { token } = tokensOf(ec).sign({ role: 'authenticated' }, 'dana')
    expect(both.verify(token)).toMatchObject({ sub: 'dana' })
    const turned = tokensOf({ ...second, kid: 'key-2' }, ec)
    const byRsa = turned.sign({ role: 'authenticated' }, 'erin').token
    expect(both.verify(byRsa)).toMatchObject({ sub: 'erin' })
    expect(both.jwks.keys.map(({ kid }) => kid)).toEqual(['test', 'key-2'])
  })

  test('a key works only with its own algorithm', () => {
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const site = tokensOf({ ...rsa.export({ format: 'jwk' }), alg: 'RS256', kid: 'rsa' })
    const { token } = site.sign({ role: 'authenticated' }, 'dana')
    const [, claims] = token.split('.')
    const signedBy = (alg: string, hash: string) => {
      const head = Buffer.from(JSON.stringify({ alg, kid: 'rsa' })).toString('base64url')
      const body = `${head}.${claims}`
      return `${body}.${sign(hash, Buffer.from(body), rsa).toString('base64url')}`
    }
    expect(site.verify(signedBy('RS256', 'sha256'))).toMatchObject({ sub: 'dana' })
    expect(site.verify(signedBy('RS512', 'sha512'))).toBeUndefined()
  })

  test('only the public part is published', () => {
    const { keys: told } = tokensOf(ec).jwks
    const { kty, crv, x, y } = ec
    const rest = { kty, crv, x, y, alg: 'ES256', kid: 'test', use: 'sig', key_ops: ['verify'] }
    expect(told).toEqual([rest])
  })

  test('a wrong algorithm, a public key, a broken key and no key each get a sentence', () => {
    const { d: _, ...open } = ec
    expect(() => tokensOf()).toThrow('AUTH_SIGNING_KEYS doesn’t contain a key.')
    expect(() => tokensOf(ec, { ...ec, alg: 'HS256' })).toThrow(
      'Key 2 in AUTH_SIGNING_KEYS can’t be used: alg must be ES256 or RS256.',
    )
    expect(() => tokensOf(open)).toThrow(
      'Key 1 in AUTH_SIGNING_KEYS can’t be used: it isn’t a private key.',
    )
    expect(() => tokensOf({ ...ec, x: 'x' })).toThrow('Key 1 in AUTH_SIGNING_KEYS can’t be used: ')
  })

  test('without the setting, the site makes a key and keeps it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kettle-keys-'))
    try {
      const made = await readSigningKeys({ dataDir, signingKeys: undefined })
      expect(made).toMatchObject([{ alg: 'ES256', crv: 'P-256', kid: expect.stringMatching(/./) }])
      expect(createPrivateKey({ key: made[0] as SigningKey, format: 'jwk' }).type).toBe('private')
      expect(await readSigningKeys({ dataDir, signingKeys: undefined })).toEqual(made)
      expect(await readSigningKeys({ dataDir, signingKeys: keys })).toBe(keys)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
