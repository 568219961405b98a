/**
 * A person's root: 16 bytes that no table shows. We derive all their keys from it. An account's root is random,
 * sealed in its row, and deleted with it. D40.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { Actor, SignedIn } from './actor.ts'
import { KEY_BYTES } from './context-keys.server.ts'

const ROOT_BYTES = 16

export const ACCOUNT_ROOT: SealedColumn = {
  table: 'accounts',
  column: 'root_sealed',
  key: 'id',
  type: 'uuid',
}

export interface PersonRoot {
  root: Buffer
}

/** A new account's sealed root. */
export const newRoot = (secrets: Secrets, accountId: string) =>
  secrets.seal(randomBytes(ROOT_BYTES).toString('base64url'), sealContext(ACCOUNT_ROOT, accountId))

export const openAccountRoot = (secrets: Secrets, accountId: string, sealed: string) =>
  Buffer.from(secrets.open(sealed, sealContext(ACCOUNT_ROOT, accountId)), 'base64url')

/** A visitor's root, derived from the author key. */
export const rootWithoutAccount = (secrets: Secrets, authorKey: string) =>
  Buffer.from(secrets.hash('root', authorKey), 'base64url').subarray(0, ROOT_BYTES)

/** We only compute it once for cached actors. */
const opened = new WeakMap<SignedIn, Buffer>()

function rootOfAccount(secrets: Secrets, account: SignedIn) {
  const root = opened.get(account) ?? openAccountRoot(secrets, account.id, account.rootSealed)
  opened.set(account, root)
  return root
}

export function personRootOf({
  actor,
  secrets,
}: {
  actor: Actor
  secrets: Secrets
}): PersonRoot | null {
  const { account, authorKey } = actor
  if (authorKey === null) return null
  const root = account ? rootOfAccount(secrets, account) : rootWithoutAccount(secrets, authorKey)
  return { root }
}

export const rootOf = (asking: { actor: Actor; secrets: Secrets }) =>
  personRootOf(asking)?.root ?? null

/**
 * A row whose person the server must be able to reach. The person is sealed with AES-256-XTS, with the row's key as
 * tweak, so one person looks different in every row. A forged value matches no one.
 */
export interface SealedPersonRoot {
  /** The tweak: 16 bytes, unique in the table, that never change. */
  key: Uint8Array
  personSealed: Uint8Array
}

/** @param key as in `SealedPersonRoot` */
export function sealPersonRoot(secrets: Secrets, key: Uint8Array, { root }: PersonRoot): Buffer {
  const { data, tweak } = keysOf(secrets)
  const cipher = createCipheriv('aes-256-xts', Buffer.concat([data, tweak]), key)
  return cipher.update(root)
}

/** Two calls for all rows are a hundred times faster than one call per row. */
export function openPersonRoots(secrets: Secrets, rows: SealedPersonRoot[]): PersonRoot[] {
  const { data, tweak } = keysOf(secrets)
  const tweaks = uint32sOf(ecb(createCipheriv, tweak, Buffer.concat(rows.map(({ key }) => key))))
  const sealed = uint32sOf(Buffer.concat(rows.map(({ personSealed }) => personSealed)))
  const masked = sealed.map((word, i) => word ^ (tweaks[i] as number))
  const opened = uint32sOf(ecb(createDecipheriv, data, Buffer.from(masked.buffer)))
  const plain = Buffer.from(opened.map((word, i) => word ^ (tweaks[i] as number)).buffer)
  return rows.map((_, i) => ({ root: plain.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES) }))
}

const ecb = (
  create: typeof createCipheriv | typeof createDecipheriv,
  key: Buffer,
  blocks: Buffer,
): Buffer => create('aes-256-ecb', key, null).setAutoPadding(false).update(blocks)

/** A copy, because a buffer's bytes may be misaligned. */
const uint32sOf = (bytes: Buffer) => new Uint32Array(new Uint8Array(bytes).buffer)

const known = new WeakMap<Secrets, { data: Buffer; tweak: Buffer }>()

function keysOf(secrets: Secrets) {
  const cached = known.get(secrets)
  if (cached) return cached
  const key = (half: string) => Buffer.from(secrets.hash('owner', half), 'base64url')
  const keys = { data: key('data'), tweak: key('tweak') }
  known.set(secrets, keys)
  return keys
}
