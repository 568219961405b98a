import { expect, test } from 'vitest'
import { type Halfway, isHalfway } from './halfway.ts'

const tokenOf = (payload: object) =>
  `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`
const session = (aal: string, statuses: ('verified' | 'unverified')[]) =>
  ({
    access_token: tokenOf({ aal, sub: 'dana?>~' }),
    user: { factors: statuses.map((status) => ({ status })) },
  }) as unknown as Halfway

test('who has a factor is halfway until it is proved', () => {
  expect(isHalfway(session('aal1', ['verified']))).toBe(true)
  expect(isHalfway(session('aal2', ['verified']))).toBe(false)
})

test('who has none, or one that was never finished, is not', () => {
  expect(isHalfway(session('aal1', []))).toBe(false)
  expect(isHalfway(session('aal1', ['unverified']))).toBe(false)
  expect(isHalfway({ access_token: 'x', user: {} })).toBe(false)
})

test('a token that cannot be read says no second step was done', () => {
  expect(isHalfway({ ...session('aal2', ['verified']), access_token: 'nonsense' })).toBe(true)
})
