import { expect, test } from 'vitest'
import { createSecrets } from '../server/secrets.server.ts'
import { addressHash, plainAddress, sealedAddress } from './addresses.server.ts'

const secrets = createSecrets('the secret key of every test')

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
  const { hash, sealed } = sealedAddress(secrets, ' Dana@Example.com')
  expect(hash).toBe(addressHash(secrets, 'dana@example.com'))
  expect(sealed).not.toMatch(/dana|example/i)
  expect(secrets.open(sealed)).toBe('dana@example.com')
})
