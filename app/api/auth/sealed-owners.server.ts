/**
 * Whose a row is, where the server must reach that person unasked: sealed by AES-256-XTS with a key of the
 * row as tweak, so that equal owners look different in every row. A forged value opens to nobody.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { KEY_BYTES } from './context-keys.server.ts'
import type { Owner } from './roots.server.ts'

export interface OwnedRow {
  /** 16 bytes that no other row of the table has, and that never change: the tweak. */
  key: Uint8Array
  /** Null where nobody is to be reached. */
  owner: Uint8Array
}

/** @param key as in `OwnedRow` */
export function sealOwner(secrets: Secrets, key: Uint8Array, { root }: Owner): Buffer {
  const { data, tweak } = keysOf(secrets)
  const cipher = createCipheriv('aes-256-xts', Buffer.concat([data, tweak]), key)
  return cipher.update(root)
}

/** In two calls for all rows, which is a hundred times faster than one by one. */
export function openOwners(secrets: Secrets, rows: OwnedRow[]): Owner[] {
  const { data, tweak } = keysOf(secrets)
  const tweaks = wordsOf(ecb(createCipheriv, tweak, Buffer.concat(rows.map(({ key }) => key))))
  const sealed = wordsOf(Buffer.concat(rows.map(({ owner }) => owner)))
  const masked = sealed.map((word, i) => word ^ (tweaks[i] as number))
  const opened = wordsOf(ecb(createDecipheriv, data, Buffer.from(masked.buffer)))
  const plain = Buffer.from(opened.map((word, i) => word ^ (tweaks[i] as number)).buffer)
  return rows.map((_, i) => ({ root: plain.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES) }))
}

const ecb = (
  create: typeof createCipheriv | typeof createDecipheriv,
  key: Buffer,
  blocks: Buffer,
): Buffer => create('aes-256-ecb', key, null).setAutoPadding(false).update(blocks)

/** A copy, for a buffer's own bytes need not lie where words may. */
const wordsOf = (bytes: Buffer) => new Uint32Array(new Uint8Array(bytes).buffer)

const known = new WeakMap<Secrets, { data: Buffer; tweak: Buffer }>()

function keysOf(secrets: Secrets) {
  const kept = known.get(secrets)
  if (kept) return kept
  const key = (half: string) => Buffer.from(secrets.hash('owner', half), 'base64url')
  const keys = { data: key('data'), tweak: key('tweak') }
  known.set(secrets, keys)
  return keys
}
