/** Back to where somebody signed up. */
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

test('the page that somebody signed up on is gone back to, once', () => {
  at('/acme?tab=ratings#rate')
  noteSignUpPage()
  expect(consumeSignUpPage()).toBe('/acme?tab=ratings')
  expect(consumeSignUpPage()).toBeUndefined()
  expect(stored.size).toBe(0)
})

test('who signs up at home forgets where somebody else did', () => {
  at('/acme')
  noteSignUpPage()
  at('/')
  noteSignUpPage()
  expect(stored.size).toBe(0)
})

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'acme', ''])(
  'what could lead out of the site is not gone to: %j',
  (page) => {
    stored.set('kettle-signup-page', page)
    expect(consumeSignUpPage()).toBeUndefined()
  },
)

test('a browser that keeps nothing leads home', () => {
  at('/acme')
  vi.stubGlobal('localStorage', undefined)
  noteSignUpPage()
  expect(consumeSignUpPage()).toBeUndefined()
})
