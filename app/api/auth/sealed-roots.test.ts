import { createDecipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { openPersonRoots, sealPersonRoot } from './roots.server.ts'

const secrets = createSecrets('the secret key of every test')
const person = () => ({ root: randomBytes(16) })

test('a batch of rows opens to their authors, in order', () => {
  const people = Array.from({ length: 300 }, person)
  const rows = people.map((each) => {
    const key = randomBytes(16)
    return { key, personSealed: sealPersonRoot(secrets, key, each) }
  })
  expect(openPersonRoots(secrets, rows)).toEqual(people)
  expect(openPersonRoots(secrets, [])).toEqual([])
})

test('dana’s sealed root looks different in each row', () => {
  const dana = person()
  const [one, other] = [randomBytes(16), randomBytes(16)].map((key) =>
    sealPersonRoot(secrets, key, dana),
  )
  expect(one).toHaveLength(16)
  expect(one).not.toEqual(other)
})

test('a root copied to another row or opened with another key is no one’s', () => {
  const dana = person()
  const key = randomBytes(16)
  const personSealed = sealPersonRoot(secrets, key, dana)
  const [moved] = openPersonRoots(secrets, [{ key: randomBytes(16), personSealed }])
  const [elsewhere] = openPersonRoots(createSecrets('another key'), [{ key, personSealed }])
  for (const opened of [moved, elsewhere]) expect(opened?.root).not.toEqual(dana.root)
})

test('the cipher is AES-256-XTS, so Node’s own opens it too', () => {
  const dana = person()
  const key = randomBytes(16)
  const [data, tweak] = ['data', 'tweak'].map((half) =>
    Buffer.from(secrets.hash('owner', half), 'base64url'),
  )
  const open = createDecipheriv(
    'aes-256-xts',
    Buffer.concat([data as Buffer, tweak as Buffer]),
    key,
  )
  const plain = open.update(sealPersonRoot(secrets, key, dana))
  expect(plain).toEqual(dana.root)
})
