/** Back to the page where someone signed up. */
import { beforeEach, expect, test, vi } from 'vitest'
import { consumeSignUpPage, noteSignUpPage } from './sign-up-page.ts'

const stored = new Map<string, string>()
const at = (path: string) => vi.stubGlobal('location', new URL(path, 'https://samovar.example'))
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

test('dana returns once to the page she signed up on', () => {
  at('/acme?tab=ratings#rate')
  noteSignUpPage()
  expect(consumeSignUpPage()).toBe('/acme?tab=ratings')
  expect(consumeSignUpPage()).toBeUndefined()
  expect(stored.size).toBe(0)
})

test('dana’s sign-up at home forgets another one’s page', () => {
  at('/acme')
  noteSignUpPage()
  at('/')
  noteSignUpPage()
  expect(stored.size).toBe(0)
})

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'acme', ''])(
  'an address that could leave the site isn’t followed: %j',
  (page) => {
    stored.set('kettle-signup-page', page)
    expect(consumeSignUpPage()).toBeUndefined()
  },
)

test('a browser that can’t store anything leads home', () => {
  at('/acme')
  vi.stubGlobal('localStorage', undefined)
  noteSignUpPage()
  expect(consumeSignUpPage()).toBeUndefined()
})
