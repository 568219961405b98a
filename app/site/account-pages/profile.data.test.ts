import { beforeEach, expect, test, vi } from 'vitest'
import { profileOf } from '#app/identity/accounts/profile.data.ts'
import { anonymousId } from '#app/kit/session/visitor-id.data.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

test('Spec §3, §9: a visitor is Anonymous, with an id of 128 random bits, no cred, and this month', () => {
  vi.setSystemTime('2026-03-14T09:00:00Z')
  expect(profileOf({ status: 'signed-out' })).toEqual({
    id: expect.stringMatching(/^anon-[0-9a-f]{32}$/),
    username: 'Anonymous',
    cred: 0,
    memberSince: '2026-03',
  })
  vi.useRealTimers()
})

test('the anonymous id stays the same, and is the one the browser stores', () => {
  const id = anonymousId()
  expect(anonymousId()).toBe(id)
  expect(stored.get('anonymousUserId')).toBe(id)
  stored.set('anonymousUserId', 'anon-from-before')
  expect(anonymousId()).toBe('anon-from-before')
})

test('a browser that can’t store anything has one id until the page closes', () => {
  const refuse = () => {
    throw new Error('blocked')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
  expect(anonymousId()).toMatch(/^anon-/)
  expect(anonymousId()).toBe(anonymousId())
})

test('a member has her own profile, and none while it loads', () => {
  const profile = { id: 'an-id', username: 'CandidTeapot4711', cred: 3, memberSince: '2026-03' }
  const me = {
    role: 'member' as const,
    userType: null,
    profile,
    email: null,
    newEmail: null,
    isEmailConfirmed: true,
    awaitsSecondFactor: false,
    needsSecondFactor: false,
    can: [],
    whyNotRate: null,
  }
  expect(profileOf({ status: 'signed-in', me })).toBe(profile)
  expect(profileOf({ status: 'loading' })).toBeUndefined()
  expect(profileOf({ status: 'signed-in' })).toBeUndefined()
})
