import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { createHttp } from './http.server.ts'
import { createPageCache, type RenderedPage } from './page-cache.server.ts'
import { headersByHost, securityHeaders } from './security-headers.server.ts'

const policy = (settings: Record<string, string>) =>
  securityHeaders(readConfig(settings)).find(([name]) => name === 'content-security-policy')?.[1] ??
  ''
const hosts = (text: string) => [...new Set(text.match(/https?:\/\/[^\s;]+/g))].sort()

test('S20: the policy allows no other origin without an analytics id', () => {
  expect(hosts(policy({}))).toEqual([])
  expect(
    hosts(policy({ SITE_URL: 'https://kettle.example', FALLBACK_URL: 'https://k.example' })),
  ).toEqual([])
})

test('S20: an analytics id allows the provider’s code and its counting, and nothing unsafe', () => {
  const open = policy({ ANALYTICS_ID: 'G-ABC123DEF4' })
  expect(hosts(open)).toEqual([
    'https://*.analytics.google.com',
    'https://*.google-analytics.com',
    'https://www.googletagmanager.com',
  ])
  expect(open).toContain("script-src 'self' https://www.googletagmanager.com;")
  expect(open).not.toContain('unsafe')
})

test('browsers can read the witnesses of the issuer’s keys, and nothing else there', () => {
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
  "require-trusted-types-for 'script'",
  'trusted-types kettle',
]

test('vera’s browser loads from the site only, tells no one where she was, and is in no frame', () => {
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

test('the script in each page runs by its hash, and no other runs', () => {
  const headers = Object.fromEntries(securityHeaders(readConfig({}), 'let tea = 1'))
  const hash = createHash('sha256').update('let tea = 1').digest('base64')
  expect(headers['content-security-policy']).toBe(
    POLICY.join(';').replace("script-src 'self'", `script-src 'self' 'sha256-${hash}'`),
  )
})

test('S20: files needn’t allow embedding, or make trusted types, where the provider’s code can come', () => {
  const headers = Object.fromEntries(securityHeaders(readConfig({ ANALYTICS_ID: 'G-ABC123DEF4' })))
  expect(headers).not.toHaveProperty('cross-origin-embedder-policy')
  expect(headers['content-security-policy']).not.toContain('trusted-types')
})

test('a browser that met the site by https uses only that, and a site without https works', () => {
  const headersAt = (SITE_URL: string) =>
    Object.fromEntries(securityHeaders(readConfig({ SITE_URL })))
  expect(headersAt('https://kettle.example')).toMatchObject({
    'content-security-policy': [...POLICY, 'upgrade-insecure-requests'].join(';'),
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
  expect(headersAt('http://kettle.example')).not.toHaveProperty('strict-transport-security')
})

test('the onion address doesn’t insist on TLS, and other pages name that address', async () => {
  const onion = `${'kettle'.repeat(9)}ad.onion`
  const config = readConfig({
    SITE_URL: 'https://kettle.example',
    ONION_URL: `http://${onion}`,
    LOG_LEVEL: 'silent',
  })
  const headers = headersByHost(config)
  const render = async (path: string): Promise<RenderedPage> =>
    path === '/moved' ? { status: 301, location: '/here' } : { status: 200, html: path }
  const cache = createPageCache(render, {
    headers: headers.own,
    onion: { url: `http://${onion}`, headers: headers.onion, isOnion: headers.isOnion },
  })
  const http = await createHttp({ config, pages: { keyOf: (url) => url, cache } })
  const address = await http.listen({ host: '127.0.0.1', port: 0 })
  const headersAt = async (host: string, path: string, more = {}) => {
    const asked = get(address + path, { headers: { host, ...more } })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.headers
  }
  const says = (headers: IncomingMessage['headers']) => [
    headers['content-security-policy']?.toString().includes('upgrade-insecure-requests'),
    headers['strict-transport-security'] !== undefined,
    headers['onion-location'],
  ]
  const atOnion = [false, false, undefined]
  // The first is rendered, the others are kept, and the last is known already.
  for (const more of [{}, {}, { 'accept-encoding': 'br' }]) {
    const there = `http://${onion}/a?b=1`
    expect(says(await headersAt('kettle.example', '/a?b=1', more))).toEqual([true, true, there])
    expect(says(await headersAt(onion.toUpperCase(), '/a?b=1', more))).toEqual(atOnion)
  }
  const { etag = '' } = await headersAt(onion, '/a?b=1')
  expect(says(await headersAt(onion, '/a?b=1', { 'if-none-match': etag }))).toEqual(atOnion)
  for (const path of ['/moved', '/api/v1/nothing'])
    expect(says(await headersAt(onion, path)), path).toEqual(atOnion)
  const ofApi = await headersAt('kettle.example', '/api/v1/nothing')
  expect(says(ofApi)).toEqual([true, true, undefined])
  await http.close()
})

test('the build tool can put its code into the page during development', () => {
  const config = { ...readConfig({}), isDevelopment: true }
  const [, open] = securityHeaders(config).find(([name]) => name.startsWith('content-')) ?? []
  expect(open).toContain("script-src 'self' 'unsafe-inline';style-src 'self' 'unsafe-inline';")
  expect(open).toContain("connect-src 'self' ws:;")
  expect(open).not.toContain('trusted-types')
})

test('S20: a count goes to the provider as a picture or a request', () => {
  const open = policy({ ANALYTICS_ID: 'G-ABC123DEF4' })
  const counts =
    'https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com'
  expect(open).toContain(`img-src 'self' data: ${counts};`)
  expect(open).toContain(`connect-src 'self' ${counts};`)
})
