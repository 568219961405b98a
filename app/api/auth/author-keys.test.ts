import { expect, test } from 'vitest'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { authorKeyOfAccount, authorKeyOfVisitor } from './author-keys.server.ts'

const secrets = createSecrets('the secret key of every test')
const ID = `anon-${'0123456789abcdef'.repeat(2)}`

test('two browsers have two different author keys', () => {
  const key = authorKeyOfVisitor(secrets, ID)
  expect(key).toBe(authorKeyOfVisitor(secrets, ID))
  expect(key).not.toBe(authorKeyOfVisitor(secrets, ID.replace('0', '1')))
  expect(key).not.toContain(ID)
  expect(createSecrets('another key').hash('author', 'anonymous', ID)).not.toBe(key)
})

test('an account named like an anonymous id has a different author key', () => {
  expect(authorKeyOfAccount(secrets, ID)).not.toBe(authorKeyOfVisitor(secrets, ID))
  expect(authorKeyOfAccount(secrets, 'dana')).not.toBe(authorKeyOfAccount(secrets, 'erin'))
  expect(authorKeyOfAccount(secrets, 'dana')).toBe(secrets.hash('author', 'account', 'dana'))
  expect(authorKeyOfVisitor(secrets, ID)).toBe(secrets.hash('author', 'anonymous', ID))
})

test.each([undefined, '', 'anon-', ID.slice(0, -1), `${ID}0`, ` ${ID}`, ID.toUpperCase(), 'dana'])(
  'something that isn’t an anonymous id has no author key: %j',
  (id) => {
    expect(authorKeyOfVisitor(secrets, id)).toBeUndefined()
  },
)
