import { expect, test } from 'vitest'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import {
  addressHash,
  addressOf,
  isAddress,
  mailboxOf,
  NEW_ACCOUNT_EMAIL,
  newAddressOf,
  plainAddress,
  sealedAddress,
  shownAddresses,
} from './addresses.server.ts'

const secrets = createSecrets('the secret key of every test')
const DANA = '00000000-0000-4000-8000-00000000da4a'
const ERIN = '00000000-0000-4000-8000-00000000e214'

test('dana’s address is found however she types it', () => {
  expect(plainAddress('  Dana@Example.com\n')).toBe('dana@example.com')
  expect(addressHash(secrets, ' Dana@Example.com')).toBe(addressHash(secrets, 'dana@example.com'))
  expect(addressHash(secrets, 'erin@example.com')).not.toBe(
    addressHash(secrets, 'dana@example.com'),
  )
})

test('every address that mail servers accept is accepted, with domains in any alphabet', () => {
  for (const email of [
    "dana.o'brien+kettle@example.com",
    'dana!#$%&*/=?^_`{|}~-x@example.com',
    'nadia@xn--80a1acny.xn--p1ai',
    'nadia@почта.рф',
    'user@münchen.example',
    'USER@MÜNCHEN.EXAMPLE',
    'a@b.co',
    '1@7.example',
  ])
    expect(isAddress(email), email).toBe(true)
  for (const email of [
    '',
    'dana',
    '@example.com',
    'dana@',
    'dana@localhost',
    '.dana@example.com',
    'dana.@example.com',
    'da..na@example.com',
    'da na@example.com',
    'dana@exa mple.com',
    'dana@-example.com',
    'dana@example..com',
    'dana@127.0.0.1',
    'dana@example.com, ada@example.com',
    'dana<ada@example.com>',
    'dana\n@example.com',
    `${'d'.repeat(65)}@example.com`,
    'dána@example.com',
  ])
    expect(isAddress(email), email).toBe(false)
})

test('an address with an international domain is stored in one form and shown as people write it', () => {
  for (const typed of ['Nadia@почта.рф', 'nadia@ПОЧТА.РФ', 'nadia@xn--80a1acny.xn--p1ai']) {
    const { sealed } = sealedAddress(secrets, DANA, typed)
    expect(addressOf(secrets, { id: DANA, emailSealed: sealed })).toBe(
      'nadia@xn--80a1acny.xn--p1ai',
    )
    const { sealed: waiting } = sealedAddress(secrets, DANA, typed, NEW_ACCOUNT_EMAIL)
    const kept = { id: DANA, emailSealed: sealed, newEmailSealed: waiting }
    expect(shownAddresses(secrets, kept)).toEqual({
      email: 'nadia@почта.рф',
      newEmail: 'nadia@почта.рф',
    })
  }
})

test('the hash of an address differs from other hashes of the same text', () => {
  const hash = addressHash(secrets, 'dana@example.com')
  expect(hash).toBe(secrets.hash('e-mail address', 'dana@example.com'))
})

test('an address is stored sealed, in its normalized form', () => {
  const { hash, sealed } = sealedAddress(secrets, DANA, ' Dana@Example.com')
  expect(hash).toBe(addressHash(secrets, 'dana@example.com'))
  expect(sealed).not.toMatch(/dana|example/i)
  expect(addressOf(secrets, { id: DANA, emailSealed: sealed })).toBe('dana@example.com')
})

test('a sealed address can’t be opened for another account, or before its link is used', () => {
  const { sealed } = sealedAddress(secrets, DANA, 'dana@example.com')
  const { sealed: waiting } = sealedAddress(secrets, DANA, 'new@example.com', NEW_ACCOUNT_EMAIL)
  expect(() => addressOf(secrets, { id: ERIN, emailSealed: sealed })).toThrow()
  expect(() => addressOf(secrets, { id: DANA, emailSealed: waiting })).toThrow()
  expect(newAddressOf(secrets, { id: DANA, newEmailSealed: waiting })).toBe('new@example.com')
  expect(newAddressOf(secrets, { id: DANA, newEmailSealed: null })).toBeNull()
})

test.each([
  ['Dana+Kettle@Example.com', 'dana@example.com'],
  ['dana.b@example.com', 'dana.b@example.com'],
  ['d.a.n.a+x@GoogleMail.com', 'dana@gmail.com'],
  ['+dana@example.com', '+dana@example.com'],
  ['dana@bücher.example', 'dana@xn--bcher-kva.example'],
])('%s is the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})
