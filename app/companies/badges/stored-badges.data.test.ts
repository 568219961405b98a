/** What a browser holds of badges: only what still proves something is offered. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetHolder, storeHolder } from '#app/identity/credentials/holder.data.ts'
import { badgesOf, forgetBadge, isOfThisQuarter, keepBadge } from './stored-badges.data.ts'

const DANA = 'dana'
const SECRET = { m1: 'a'.repeat(43), r: 'b'.repeat(43) }
const badge = (over = {}) => ({
  domain: 'acme.example',
  company: { id: 'acme', name: 'Acme', path: '/acme' },
  quarter: '2026-Q1',
  m1: SECRET.m1,
  publicKey: 'key',
  issued: 'issued',
  ...over,
})

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-14T12:00:00Z') })
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  storeHolder(DANA, SECRET)
})
afterEach(() => {
  forgetHolder(DANA)
  for (const { domain } of badgesOf(DANA)) forgetBadge(DANA, domain)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a browser stores one badge per domain and account until its owner forgets it', () => {
  keepBadge(DANA, badge({ quarter: '2025-Q4' }))
  keepBadge(DANA, badge())
  keepBadge(DANA, badge({ domain: 'globex.example' }))
  expect(badgesOf(DANA).map(({ domain, quarter }) => [domain, quarter])).toEqual([
    ['acme.example', '2026-Q1'],
    ['globex.example', '2026-Q1'],
  ])
  expect(badgesOf('somebody else')).toEqual([])
  forgetBadge(DANA, 'acme.example')
  expect(badgesOf(DANA).map(({ domain }) => domain)).toEqual(['globex.example'])
})

test('a badge is valid until the next quarter ends, and only with its own secret', () => {
  keepBadge(DANA, badge())
  expect(badgesOf(DANA).map(isOfThisQuarter)).toEqual([true])
  vi.setSystemTime('2026-06-30T12:00:00Z')
  expect(badgesOf(DANA).map(isOfThisQuarter)).toEqual([false])
  vi.setSystemTime('2026-07-01T12:00:00Z')
  expect(badgesOf(DANA)).toEqual([])
  vi.setSystemTime('2026-03-14T12:00:00Z')
  storeHolder(DANA, { ...SECRET, m1: 'c'.repeat(43) })
  expect(badgesOf(DANA)).toEqual([])
  storeHolder(DANA, SECRET)
  expect(badgesOf(DANA)).toHaveLength(1)
})
