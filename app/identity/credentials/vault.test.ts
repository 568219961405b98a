/** A sealed secret: who can open it, and that no one else learns anything from it. */

import { beforeAll, describe, expect, test } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import { VAULT_BYTES } from './credential.ts'
import { type Opener, openVault, sealVault, VaultFull } from './vault.ts'

const filled = (length: number, value: number) => new Uint8Array(length).fill(value)
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

const secret = { m1: filled(32, 7), r: filled(32, 9) }
const words = (value = 1): Opener => ({ kind: 'words', bits: filled(16, value) })
const passkey = (value = 1): Opener => ({ kind: 'passkey', output: filled(32, value) })
const password = (typed = 'Darjeeling, first flush'): Opener => ({
  kind: 'password',
  password: typed,
})

describe('a vault with three kinds of openers', () => {
  let vault: Awaited<ReturnType<typeof sealVault>>
  beforeAll(async () => {
    vault = await sealVault(secret, [words(), passkey(), passkey(2), password()])
  })

  test.each([
    ['the words', words()],
    ['the first passkey', passkey()],
    ['the second passkey', passkey(2)],
    ['the password', password()],
  ])('%s opens a vault', async (_, opener) => {
    expect(await openVault(vault, opener)).toEqual(secret)
  })

  test('a password opens a vault even if its accents are typed differently', async () => {
    const accented = await sealVault(secret, [password('thé')])
    expect(await openVault(accented, password('the\u0301'))).toEqual(secret)
  })

  test.each([
    ['other words', words(3)],
    ['another passkey', passkey(3)],
    ['another password', password('Assam')],
    ['the same bits as another kind', { kind: 'passkey', output: filled(16, 1) } as Opener],
  ])('%s doesn’t open a vault', async (_, opener) => {
    expect(await openVault(vault, opener)).toBeUndefined()
  })
})

test('a vault is always 1,024 bytes, whatever opens it', async () => {
  for (const openers of [[words()], [words(), passkey(), passkey(2)]])
    expect(await sealVault(secret, openers)).toHaveLength(VAULT_BYTES)
})

test('two vaults of one secret and one opener share only the version', async () => {
  const [one, other] = [await sealVault(secret, [words()]), await sealVault(secret, [words()])]
  const pieces = (vault: Uint8Array) =>
    Array.from({ length: VAULT_BYTES - 6 }, (_, i) =>
      Buffer.from(vault.subarray(i + 1, i + 7)).toString('hex'),
    )
  const known = new Set(pieces(one))
  expect(pieces(other).filter((piece) => known.has(piece))).toEqual([])
})

slow.test('a vault refuses a changed byte wherever it matters', async () => {
  const vault = await sealVault(secret, [words()])
  let refused = 0
  for (let i = 0; i < VAULT_BYTES; i++) {
    const changed = vault.slice()
    changed[i] = (changed[i] as number) ^ 1
    const opened = await openVault(changed, words())
    if (opened) expect(opened).toEqual(secret)
    else refused++
  }
  // The version and the salt, the sealed secret, and one slot.
  expect(refused).toBe(17 + (12 + 65 + 16) + (12 + 32 + 16))
})

test('a vault of random bytes or another length never opens, and breaks nothing', async () => {
  for (let i = 0; i < 1_000; i++) {
    const bytes = random(VAULT_BYTES)
    if (i % 2) bytes[0] = 1
    expect(await openVault(bytes, i % 4 < 2 ? words() : passkey())).toBeUndefined()
  }
  const vault = await sealVault(secret, [words()])
  for (const length of [0, 1, VAULT_BYTES - 1])
    expect(await openVault(vault.slice(0, length), words())).toBeUndefined()
})

test('a vault has up to eight openers, and refuses a ninth instead of replacing one', async () => {
  const passkeys = Array.from({ length: 8 }, (_, i) => passkey(i))
  const vault = await sealVault(secret, passkeys)
  for (const each of passkeys) expect(await openVault(vault, each)).toEqual(secret)
  await expect(
    sealVault(
      secret,
      Array.from({ length: 9 }, (_, i) => words(i)),
    ),
  ).rejects.toThrow(VaultFull)
})
