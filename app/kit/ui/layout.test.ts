/** A busy button, and the theme before the first paint. Spec §2.4, §4. */
import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Button } from './button.tsx'
import { THEME_KEY } from './theme.ts'

test('Spec §2.4: a busy button is disabled and says what it does', () => {
  const html = renderToString(
    createElement(Button, { type: 'submit', busy: true, busyLabel: 'Signing in...' }, 'Sign in'),
  )
  expect(html).toMatch(/<button [^>]*disabled=""[^>]*>.*Signing in\.\.\.<\/button>/)
})

const firstScript = readFileSync(new URL('./first-script.js', import.meta.url), 'utf8')

/** Runs the script as the browser does before it loads anything else; answers what it left behind. */
function first(page: {
  address?: string
  stored?: string | null
  session?: string | null
  visitor?: string
  connection?: { effectiveType?: string; saveData?: boolean }
  prefersDark?: boolean
}) {
  const { stored = null, session = null, visitor = null, prefersDark = false } = page
  const { address = 'https://samovar.example/' } = page
  const root = new Set<string>()
  const window: { kettleMailLink?: { query: string; fragment: string } } = {}
  const location = new URL(address)
  let shown = address
  const names = [
    'localStorage',
    'matchMedia',
    'document',
    'window',
    'location',
    'history',
    'addEventListener',
    'navigator',
  ]
  const values: Record<string, string | null> = {
    theme: stored,
    'kettle-auth': session,
    anonymousUserId: visitor,
  }
  new Function(...names, firstScript)(
    { getItem: (key: string) => values[key] ?? null },
    () => ({ matches: prefersDark }),
    {
      documentElement: {
        classList: {
          add: (...names: string[]) => names.forEach((name) => void root.add(name)),
          remove: (...names: string[]) => names.forEach((name) => void root.delete(name)),
        },
      },
      querySelector: () => null,
      addEventListener: () => {},
    },
    window,
    location,
    { state: null, replaceState: (_state: null, _title: string, url: URL) => (shown = url.href) },
    () => {},
    { connection: page.connection },
  )
  return {
    isSlow: root.has('is-slow'),
    hasBell: root.has('has-bell'),
    theme: root.has('dark') ? 'dark' : 'light',
    isEmployer: root.has('is-employer'),
    shown,
    brought: window.kettleMailLink,
  }
}

test('Spec §4: a stored theme counts only if it’s light or dark, even before the first paint', () => {
  expect(THEME_KEY).toBe('theme')
  expect(first({ stored: 'dark', prefersDark: false }).theme).toBe('dark')
  expect(first({ stored: 'light', prefersDark: true }).theme).toBe('light')
  for (const stored of [null, 'system', 'DARK', 'blue']) {
    expect(first({ stored, prefersDark: true }).theme).toBe('dark')
    expect(first({ stored, prefersDark: false }).theme).toBe('light')
  }
})

test('Spec §1: only the session makes an employer before the first paint', () => {
  const says = (user_type: unknown) => JSON.stringify({ user: { user_metadata: { user_type } } })
  expect(first({ session: says('employer') }).isEmployer).toBe(true)
  for (const session of [null, '', '{', 'null', '{}', says('member'), says(undefined)])
    expect(first({ session }).isEmployer).toBe(false)
})

test.each([
  ['/reset-password#access_token=a.b.c&refresh_token=r&type=recovery', '/reset-password'],
  ['/reset-password#error=access_denied&error_code=otp_expired', '/reset-password'],
  ['/?code=4711', '/'],
  [
    '/profile?tab=2&error=a&error_code=otp_expired&error_description=b#error_code=c',
    '/profile?tab=2',
  ],
  ['/auth/v1/verify?token=4711&type=signup', '/auth/v1/verify?type=signup'],
])('a mail link’s token leaves the address before anything else loads: %s', (at, left) => {
  const { shown, brought } = first({ address: `https://samovar.example${at}` })
  expect(shown).toBe(`https://samovar.example${left}`)
  const { search, hash } = new URL(at, 'https://samovar.example')
  expect(brought).toEqual({ query: search, fragment: hash })
})

test('an ordinary address stays the same', () => {
  const address = 'https://samovar.example/companies?search=code#list'
  expect(first({ address })).toMatchObject({ shown: address, brought: undefined })
})

test('a slow or metered connection skips the fonts, and an unknown one counts as fast', () => {
  for (const connection of [{ effectiveType: '3g' }, { effectiveType: '4g', saveData: true }])
    expect(first({ connection }).isSlow).toBe(true)
  for (const connection of [undefined, {}, { effectiveType: '4g', saveData: false }])
    expect(first({ connection }).isSlow).toBe(false)
})

test('members, and visitors who wrote from this browser, have a bell from the first paint', () => {
  expect(first({}).hasBell).toBe(false)
  expect(first({ session: '{}' }).hasBell).toBe(true)
  expect(first({ visitor: 'some-id' }).hasBell).toBe(true)
})
