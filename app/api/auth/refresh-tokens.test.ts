import { expect, test } from 'vitest'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import {
  dayNumber,
  firstToken,
  isOver,
  laterToken,
  newAuthentication,
  type RefreshToken,
  readToken,
  SESSION_DAYS,
  writeToken,
} from './refresh-tokens.server.ts'

const secrets = createSecrets('the secret key of every test')
const AT = new Date('2026-03-14T09:26:53.900Z')
const token: RefreshToken = {
  accountId: '89abcdef-0123-4567-89ab-cdef01234567',
  sessionId: '01234567-89ab-cdef-0123-456789abcdef',
  generation: 3,
  number: 7,
  method: 'otp',
  lastDay: dayNumber(AT) + SESSION_DAYS,
  begunAt: 1_773_480_413,
  authenticatedAt: 1_773_480_513,
  second: { method: 'mfa/webauthn', at: 1_773_480_613 },
}
const days = (count: number) => new Date(AT.getTime() + count * 86_400_000)

test('dana’s refresh token is read back as it was issued', () => {
  expect(readToken(secrets, writeToken(secrets, token))).toEqual(token)
  for (const method of ['password', 'recovery'] as const)
    for (const second of [null, { method: 'totp', at: 5 } as const]) {
      const far = {
        ...token,
        method,
        second,
        number: 4_000_000_000,
        generation: 4_100_000_000,
      }
      expect(readToken(secrets, writeToken(secrets, far))).toEqual(far)
    }
})

test('a session begins with 0, and its token is good for 90 days', () => {
  const { number: _, lastDay: __, ...session } = token
  const first = firstToken({ ...session, ...newAuthentication(AT) }, AT)
  expect(first).toMatchObject({ number: 0, begunAt: 1_773_480_413, authenticatedAt: 1_773_480_413 })
  expect(first.second).toBeNull()
  expect(SESSION_DAYS).toBe(90)
  expect([isOver(first, AT), isOver(first, days(90)), isOver(first, days(91))]).toEqual([
    false,
    false,
    true,
  ])
})

test('two tabs that ask at once get the same next token, which is good for 90 days from then', () => {
  const next = laterToken(token, { number: 8, generation: 4 }, days(1))
  const inTheEvening = laterToken(
    token,
    { number: 8, generation: 4 },
    new Date('2026-03-15T22:00Z'),
  )
  expect(next).toEqual({ ...token, number: 8, generation: 4, lastDay: token.lastDay + 1 })
  expect(writeToken(secrets, next)).toBe(writeToken(secrets, inTheEvening))
})

test('a token ends with the site’s signature of the rest', () => {
  const bytes = Buffer.from(writeToken(secrets, token), 'base64url')
  expect(bytes).toHaveLength(72)
  const mark = secrets.hash('refresh token', bytes.subarray(0, 56).toString('hex'))
  expect(bytes.subarray(56)).toEqual(Buffer.from(mark, 'base64url').subarray(0, 16))
})

test('a token with any byte changed is refused', () => {
  const bytes = Buffer.from(writeToken(secrets, token), 'base64url')
  for (const at of bytes.keys()) {
    const forged = Buffer.from(bytes)
    forged[at] = (forged[at] ?? 0) ^ 1
    expect(readToken(secrets, forged.toString('base64url'))).toBeUndefined()
  }
})

test('a token from another site, of another length or in another alphabet is refused', () => {
  const text = writeToken(secrets, token)
  expect(readToken(createSecrets('another key'), text)).toBeUndefined()
  for (const other of [
    '',
    'x',
    text.slice(4),
    text.slice(0, -4),
    `${text}AAAA`,
    `${text}=`,
    ` ${text}`,
  ])
    expect(readToken(secrets, other)).toBeUndefined()
})
