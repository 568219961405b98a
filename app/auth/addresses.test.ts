import { expect, test } from 'vitest'
import { createSecrets } from '../server/secrets.server.ts'
import {
  addressHash,
  addressOf,
  NEW_ACCOUNT_EMAIL,
  newAddressOf,
  plainAddress,
  sealedAddress,
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

test('the hash of an address is no other hash of the same text', () => {
  const hash = addressHash(secrets, 'dana@example.com')
  expect(hash).toBe(secrets.hash('e-mail address', 'dana@example.com'))
})

test('an address is kept sealed, in its plain form', () => {
  const { hash, sealed } = sealedAddress(secrets, DANA, ' Dana@Example.com')
  expect(hash).toBe(addressHash(secrets, 'dana@example.com'))
  expect(sealed).not.toMatch(/dana|example/i)
  expect(addressOf(secrets, { id: DANA, emailSealed: sealed })).toBe('dana@example.com')
})

test('an address that was copied opens for no other account, and not before its link was opened', () => {
  const { sealed } = sealedAddress(secrets, DANA, 'dana@example.com')
  const { sealed: waiting } = sealedAddress(secrets, DANA, 'new@example.com', NEW_ACCOUNT_EMAIL)
  expect(() => addressOf(secrets, { id: ERIN, emailSealed: sealed })).toThrow()
  expect(() => addressOf(secrets, { id: DANA, emailSealed: waiting })).toThrow()
  expect(newAddressOf(secrets, { id: DANA, newEmailSealed: waiting })).toBe('new@example.com')
  expect(newAddressOf(secrets, { id: DANA, newEmailSealed: null })).toBeNull()
})
