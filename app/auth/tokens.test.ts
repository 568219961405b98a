import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTokens, issuerOf } from './tokens.server.ts'

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

test('a token that this process signed as its address, before an update, is good while it lives', () => {
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
