import { expect, test } from 'vitest'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { type SignedIn, visitor } from './actor.ts'
import { requirePersonRoot } from './require.server.ts'
import {
  newRoot,
  openAccountRoot,
  personRootOf,
  rootOf,
  rootWithoutAccount,
} from './roots.server.ts'

const secrets = createSecrets('the secret key of every test')
const authorKey = secrets.hash('author', 'anonymous', 'anon-1')

test('each account has its own root, and it opens only for that account', () => {
  const [sealed, again] = [newRoot(secrets, 'dana'), newRoot(secrets, 'dana')]
  expect(openAccountRoot(secrets, 'dana', sealed)).toHaveLength(16)
  expect(openAccountRoot(secrets, 'dana', sealed)).not.toEqual(
    openAccountRoot(secrets, 'dana', again),
  )
  expect(() => openAccountRoot(secrets, 'erin', sealed)).toThrow()
})

test('dana’s root is stored, and vera’s is computed from her anonymous id and the site’s key', () => {
  const rootSealed = newRoot(secrets, 'dana')
  const account = { id: 'dana', rootSealed } as SignedIn
  expect(personRootOf({ secrets, actor: { ...visitor, account, authorKey } })).toEqual({
    root: openAccountRoot(secrets, 'dana', rootSealed),
  })
  const root = rootOf({ secrets, actor: { ...visitor, authorKey } })
  expect(root).toHaveLength(16)
  expect(root).toEqual(rootWithoutAccount(secrets, authorKey))
  expect(
    rootOf({ secrets: createSecrets('another'), actor: { ...visitor, authorKey } }),
  ).not.toEqual(root)
})

test('a browser without an anonymous id has no root and is asked for an id', () => {
  expect(rootOf({ secrets, actor: visitor })).toBeNull()
  expect(() => requirePersonRoot({ secrets, actor: visitor })).toThrow(
    'didn’t send an anonymous ID',
  )
})
