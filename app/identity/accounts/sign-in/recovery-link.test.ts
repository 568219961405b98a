import { expect, test } from 'vitest'
import { recoveryTokens } from './recovery-link.ts'

test('S8: a reset link’s fragment has the tokens of its own session', () => {
  const link = '#access_token=a.b.c&expires_in=3600&refresh_token=r&token_type=bearer&type=recovery'
  expect(recoveryTokens(link)).toEqual({ access_token: 'a.b.c', refresh_token: 'r' })
  expect(recoveryTokens(`${link.slice(1)}&state=#`)).toEqual(recoveryTokens(link))
  expect(recoveryTokens('access_token=a#b&refresh_token=r&type=recovery')?.access_token).toBe('a#b')
})

test.each([
  '',
  '#',
  '#access_token=a&type=recovery',
  '#refresh_token=r&type=recovery',
  '#access_token=&refresh_token=r&type=recovery',
  '#access_token=a&refresh_token=r&type=signup',
  '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid',
  '#access_token=a&refresh_token=r&type=recovery&error=access_denied',
  '#access_token=a&refresh_token=r&type=recovery&error_code=otp_expired',
  '#access_token=a&refresh_token=r',
])('Spec §5: a reset link without a token in its fragment is invalid: %s', (fragment) => {
  expect(recoveryTokens(fragment)).toBeUndefined()
})
