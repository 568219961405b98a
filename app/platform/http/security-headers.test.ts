import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { securityHeaders } from './security-headers.server.ts'

const policy = (settings: Record<string, string>) =>
  securityHeaders(readConfig(settings)).find(([name]) => name === 'content-security-policy')?.[1] ??
  ''
const hosts = (text: string) => [...new Set(text.match(/https?:\/\/[^\s;]+/g))].sort()

test('S20: without an analytics id no other origin is let in', () => {
  expect(hosts(policy({}))).toEqual([])
  expect(
    hosts(policy({ SITE_URL: 'https://kettle.example', FALLBACK_URL: 'https://k.example' })),
  ).toEqual([])
})

test('S20: with one, the provider’s code and its counting, and nothing unsafe', () => {
  const open = policy({ ANALYTICS_ID: 'G-ABC123DEF4' })
  expect(hosts(open)).toEqual([
    'https://*.analytics.google.com',
    'https://*.google-analytics.com',
    'https://www.googletagmanager.com',
  ])
  expect(open).toContain("script-src 'self' https://www.googletagmanager.com;")
  expect(open).not.toContain('unsafe')
})

test('browsers may read the witnesses of the issuer’s keys, and nothing else there', () => {
  const open = policy({
    ISSUER_WITNESSES: 'https://one.example/list.json, https://two.example/keys',
  })
  expect(hosts(open)).toEqual(['https://one.example', 'https://two.example'])
  expect(open).toContain("connect-src 'self' https://one.example https://two.example;")
})

const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

test('vera’s browser loads from the site only, tells nobody where she was, and is in no frame', () => {
  const headers = Object.fromEntries(securityHeaders(readConfig({})))
  expect(headers).toMatchObject({
    'content-security-policy': POLICY.join(';'),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'x-content-type-options': 'nosniff',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  })
  expect(headers).not.toHaveProperty('strict-transport-security')
})

test('the script that stands in each page runs by its hash, and no other', () => {
  const headers = Object.fromEntries(securityHeaders(readConfig({}), 'let tea = 1'))
  const hash = createHash('sha256').update('let tea = 1').digest('base64')
  expect(headers['content-security-policy']).toBe(
    POLICY.join(';').replace("script-src 'self'", `script-src 'self' 'sha256-${hash}'`),
  )
})

test('S20: where the provider’s code may come, its files need not allow to be embedded', () => {
  const headers = Object.fromEntries(securityHeaders(readConfig({ ANALYTICS_ID: 'G-ABC123DEF4' })))
  expect(headers).not.toHaveProperty('cross-origin-embedder-policy')
})

test('a browser that met the site by https asks for it by nothing else; a site without it may be asked', () => {
  const headersAt = (SITE_URL: string) =>
    Object.fromEntries(securityHeaders(readConfig({ SITE_URL })))
  expect(headersAt('https://kettle.example')).toMatchObject({
    'content-security-policy': [...POLICY, 'upgrade-insecure-requests'].join(';'),
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
  expect(headersAt('http://kettle.example')).not.toHaveProperty('strict-transport-security')
})

test('while screens are made, the build tool may put its code into the page', () => {
  const config = { ...readConfig({}), development: true }
  const [, open] = securityHeaders(config).find(([name]) => name.startsWith('content-')) ?? []
  expect(open).toContain("script-src 'self' 'unsafe-inline';style-src 'self' 'unsafe-inline';")
  expect(open).toContain("connect-src 'self' ws:;")
})

test('S20: what is counted goes to the provider as a picture or a request', () => {
  const open = policy({ ANALYTICS_ID: 'G-ABC123DEF4' })
  const counts =
    'https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com'
  expect(open).toContain(`img-src 'self' data: ${counts};`)
  expect(open).toContain(`connect-src 'self' ${counts};`)
})
