import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '#tests/support/database.ts'
import { checkSecrets, createSecrets, readSecrets, storedFile } from './secrets.server.ts'

const { as } = withDatabase()
const secrets = createSecrets('a key of at least thirty-two characters')

describe('S7: sealing', () => {
  test('a sealed text can be opened and never looks the same twice', () => {
    const sealed = secrets.seal('dana@kettle.example')
    expect(secrets.open(sealed)).toBe('dana@kettle.example')
    expect(secrets.seal('dana@kettle.example')).not.toBe(sealed)
    expect(secrets.open(secrets.seal(''))).toBe('')
    expect(secrets.open(secrets.seal('Łódź 🫖'))).toBe('Łódź 🫖')
  })

  test('another key or a changed bit opens nothing', () => {
    const sealed = secrets.seal('dana@kettle.example')
    expect(() => createSecrets('another key of thirty-two letters!!').open(sealed)).toThrow()
    const bytes = Buffer.from(sealed, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => secrets.open(changed.toString('base64url'))).toThrow()
    }
    expect(() => secrets.open('')).toThrow()
  })
})

describe('a value sealed for one column of one row', () => {
  const here = 'accounts.email_sealed 1'
  const sealed = secrets.seal('dana@kettle.example', here)

  test('a value sealed for a place opens there', () =>
    expect(secrets.open(sealed, here)).toBe('dana@kettle.example'))

  test.each(['accounts.email_sealed 2', 'accounts.new_email_sealed 1', '', undefined])(
    'a value sealed for a place doesn’t open in another row, another column or without one: %j',
    (place) => expect(() => secrets.open(sealed, place)).toThrow(),
  )

  test('a value sealed without a place opens anywhere and can’t pretend to have one', () => {
    const before = secrets.seal('dana@kettle.example')
    expect(secrets.open(before, here)).toBe('dana@kettle.example')
    expect(() => secrets.open(`2.${before}`, here)).toThrow()
    expect(() => secrets.open(sealed.slice(2), here)).toThrow()
  })
})

describe('keyed hashes', () => {
  test('keyed hashes are the same for the same text, and differ by purpose, parts and key', () => {
    const hashes = [
      secrets.hash('a', 'bc'),
      secrets.hash('a', 'b', 'c'),
      secrets.hash('ab', 'c'),
      secrets.hash('a', 'bc', ''),
      createSecrets('another key of thirty-two letters!!').hash('a', 'bc'),
    ]
    expect(new Set(hashes).size).toBe(5)
    expect(secrets.hash('a', 'bc')).toBe(hashes[0])
  })
})

describe('the key file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kettle-secrets-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('the key file is created once, for this user only, even by many processes at once', async () => {
    const dataDir = join(folder, 'fresh')
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => readSecrets({ dataDir })))
    expect(new Set(all.map((each) => each.hash('a'))).size).toBe(1)
    expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['secret.key'])
  })

  test('an empty key file stops the start with a sentence, and isn’t replaced', async () => {
    await writeFile(join(folder, 'secret.key'), '')
    await expect(storedFile(folder, 'secret.key', () => 'new')).rejects.toThrow(/is empty/)
  })
})

test('a database refuses a key that it wasn’t made with', () =>
  as('vera', async ({ db }) => {
    await checkSecrets(db, secrets)
    await checkSecrets(db, secrets)
    const other = createSecrets('another key of thirty-two letters!!')
    await expect(checkSecrets(db, other)).rejects.toThrow(/a different secret key/)
  }))
