import { expect, test } from 'vitest'
import {
  APP_CODE,
  codesLeftText,
  type Factor,
  inGroups,
  passkeyProblem,
  recoveryFile,
  unusedFactorName,
  waysOf,
} from './second-step.ts'

const app: Factor = { id: 'a', kind: 'totp', name: 'Authenticator app' }
const key: Factor = { id: 'k', kind: 'webauthn', name: 'Passkey' }

test('an app comes before a passkey, and a recovery code is always last', () => {
  expect(waysOf([key, app], true)).toEqual(['app', 'passkey', 'recovery'])
  expect(waysOf([key], true)).toEqual(['passkey', 'recovery'])
  expect(waysOf([], true)).toEqual(['recovery'])
})

test('a browser without passkeys offers none, even to people who have one elsewhere', () => {
  expect(waysOf([key, app], false)).toEqual(['app', 'recovery'])
  expect(waysOf([key], false)).toEqual(['recovery'])
})

test('a second factor gets a name of its own among its kind', () => {
  expect(unusedFactorName('totp', [])).toBe('Authenticator app')
  expect(unusedFactorName('totp', [app, key])).toBe('Authenticator app 2')
  expect(unusedFactorName('webauthn', [{ ...key, name: 'Passkey 2' }])).toBe('Passkey')
})

test('a code can be pasted with spaces and hyphens, and only six digits count', () => {
  expect(APP_CODE.tidy(' 123 456\n')).toBe('123456')
  expect(APP_CODE.tidy('123-4567')).toBe('123456')
  expect(APP_CODE.tidy('code')).toBe('')
  expect(APP_CODE.problem(APP_CODE.tidy('12 34'))).toBe('Please enter all 6 digits')
  expect(APP_CODE.problem(APP_CODE.tidy('12 34 56'))).toBeUndefined()
})

test('a secret is shown in groups of four', () => {
  expect(inGroups('JBSWY3DPEHPK3PXP')).toBe('JBSW Y3DP EHPK 3PXP')
  expect(inGroups('JBSWY')).toBe('JBSW Y')
  expect(inGroups('')).toBe('')
})

test('the file says whose codes it has, with each on its own line', () => {
  const site = { siteName: 'Samovar', siteUrl: 'https://samovar.example' }
  const lines = recoveryFile(['aaaa-bbbb', 'cccc-dddd'], site).split('\r\n')
  expect(lines[0]).toBe('Recovery codes for Samovar (https://samovar.example)')
  expect(lines.slice(-3)).toEqual(['aaaa-bbbb', 'cccc-dddd', ''])
})

test('the number of codes left fits its words', () => {
  expect([0, 1, 7].map(codesLeftText)).toEqual(['None left', '1 left', '7 left'])
})

test('a passkey that fails is a sentence, whatever the browser throws', () => {
  const thrown = (name: string) => Object.assign(new Error('x'), { name })
  expect(passkeyProblem(thrown('NotAllowedError'))).toContain('canceled')
  expect(passkeyProblem(thrown('InvalidStateError'))).toContain('already')
  expect(passkeyProblem(thrown('NoSuchError'))).toContain('couldn’t use a passkey')
  expect(passkeyProblem(undefined)).toContain('couldn’t use a passkey')
})
