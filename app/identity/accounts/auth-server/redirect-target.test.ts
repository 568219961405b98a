import { expect, test } from 'vitest'
import { redirectTarget, siteOf, withParameters } from './link-page.server.ts'

const site = { siteUrl: () => 'https://kettle.example', redirectUrls: ['app://signed-in'] }
const laptop = { siteUrl: () => 'http://localhost:3000', redirectUrls: [] }

test.each([
  ['/settings?a=1#b', 'https://kettle.example/settings?a=1#b'],
  ['settings', 'https://kettle.example/settings'],
  ['https://kettle.example/x', 'https://kettle.example/x'],
  // The port that https has anyway.
  ['https://kettle.example:443/x', 'https://kettle.example/x'],
  ['app://signed-in', 'app://signed-in'],
])('a link in a mail can lead to %s', (wanted, target) => {
  expect(redirectTarget(site, wanted)).toBe(target)
})

test.each([
  undefined,
  '',
  'http://kettle.example/',
  'https://kettle.example:8443/',
  'https://evil.example/',
  'https://kettle.example.evil.example/',
  '//evil.example',
  'https://dana@kettle.example/',
  'https://:secret@kettle.example/',
  'app://signed-in/elsewhere',
  'javascript:alert(1)',
  'https://[',
  '/\\kettle.example',
  '/ settings',
  '/settings\n',
  '/settings\u0001',
  'https://localhost/',
])('a link that asks for %j leads to the site', (wanted) => {
  expect(redirectTarget(site, wanted)).toBe('https://kettle.example')
})

test('a link requested at the onion address stays there, and no other onion gets one', () => {
  const onionUrl = `http://${'kettle'.repeat(9)}ad.onion`
  const both = { ...site, onionUrl }
  const target = redirectTarget(both, `${onionUrl}/settings`)
  expect(target).toBe(`${onionUrl}/settings`)
  expect([siteOf(both, target), siteOf(both, 'app://signed-in')]).toEqual([
    onionUrl,
    'https://kettle.example',
  ])
  for (const wanted of [
    onionUrl.replace('http', 'https'),
    onionUrl.replace('//', '//www.'),
    onionUrl.replace('//', '//dana@'),
    `${onionUrl}:8080`,
    `http://${'teapot'.repeat(9)}ad.onion`,
  ])
    expect(redirectTarget(both, wanted), wanted).toBe('https://kettle.example')
  expect(redirectTarget(site, onionUrl)).toBe('https://kettle.example')
})

test.each(['localhost', '127.0.0.1', '[::1]'])('a laptop’s site can be called %s', (host) => {
  const target = `http://${host}:3000/settings`
  expect(redirectTarget(laptop, target)).toBe(target)
  expect(redirectTarget(laptop, `http://${host}:3001/settings`)).toBe('http://localhost:3000')
})

test('a laptop’s links lead to no other host', () => {
  expect(redirectTarget(laptop, 'http://evil.example:3000/')).toBe('http://localhost:3000')
})

test('a link’s token goes into the query, the fragment or both', () => {
  const target = 'https://kettle.example/a?b=1#old'
  expect(withParameters(target, { query: { code: 'c d' } })).toBe(
    'https://kettle.example/a?b=1&code=c+d#old',
  )
  expect(withParameters(target, { fragment: { token: 'x&y' } })).toBe(
    'https://kettle.example/a?b=1#token=x%26y',
  )
  expect(withParameters(target, { query: { code: 'c' }, fragment: { token: 'x' } })).toBe(
    'https://kettle.example/a?b=1&code=c#token=x',
  )
  expect(withParameters(target, {})).toBe(target)
})
