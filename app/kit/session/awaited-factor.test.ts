import { expect, test } from 'vitest'
import { awaitsSecondFactor, type SessionWithFactors } from './awaited-factor.ts'

const tokenOf = (payload: object) =>
  `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`
const session = (aal: string, statuses: ('verified' | 'unverified')[]) =>
  ({
    access_token: tokenOf({ aal, sub: 'dana?>~' }),
    user: { factors: statuses.map((status) => ({ status })) },
  }) as unknown as SessionWithFactors

test('a session waits for its second factor until it’s verified', () => {
  expect(awaitsSecondFactor(session('aal1', ['verified']))).toBe(true)
  expect(awaitsSecondFactor(session('aal2', ['verified']))).toBe(false)
})

test('a session without a finished factor waits for nothing', () => {
  expect(awaitsSecondFactor(session('aal1', []))).toBe(false)
  expect(awaitsSecondFactor(session('aal1', ['unverified']))).toBe(false)
  expect(awaitsSecondFactor({ access_token: 'x', user: {} })).toBe(false)
})

test('a token that can’t be read counts as no second step', () => {
  expect(awaitsSecondFactor({ ...session('aal2', ['verified']), access_token: 'nonsense' })).toBe(
    true,
  )
})
