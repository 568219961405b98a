import { expect, test } from 'vitest'
import { readConfig } from './config.server.ts'
import { securityHeaders } from './security-headers.server.ts'

const policy = (settings: Record<string, string>) =>
  securityHeaders(readConfig(settings)).find(([name]) => name === 'content-security-policy')?.[1] ??
  ''
const hosts = (text: string) => [...new Set(text.match(/https?:\/\/[^\s;]+/g))].sort()

test('decision 20: without an analytics id no other origin is let in', () => {
  expect(hosts(policy({}))).toEqual([])
  expect(
    hosts(policy({ SITE_URL: 'https://kettle.example', FALLBACK_URL: 'https://k.example' })),
  ).toEqual([])
})

test('decision 20: with one, the provider’s code and its counting, and nothing unsafe', () => {
  const open = policy({ ANALYTICS_ID: 'G-ABC123DEF4' })
  expect(hosts(open)).toEqual([
    'https://*.analytics.google.com',
    'https://*.google-analytics.com',
    'https://www.googletagmanager.com',
  ])
  expect(open).toContain("script-src 'self' https://www.googletagmanager.com;")
  expect(open).not.toContain('unsafe')
})
