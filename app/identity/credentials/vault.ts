/**
 * A person's rating secret, sealed for their other devices. The 1,024 bytes hide how many openers
 * there are, and of what kind: words, passkey or password. Uses WebCrypto, in the browser and in
 * Node.
 *
 * version (1) | salt (16) | sealed secret (12 + 65 + 16) | 8 slots (12 + 32 + 16 each) | random
 * bytes
 *
 * A random data key seals the secret, and each used slot wraps that key for one opener.
 */
import { VAULT_BYTES } from './credential.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** 32 bytes each, as the browser stores them. */
interface HolderSecret {
  m1: Bytes
  r: Bytes
}

export type Opener =
  /** The 128 bits of twelve words. */
  | { kind: 'words'; bits: Bytes }
  /** The 32 bytes from a passkey's PRF extension. */
  | { kind: 'passkey'; output: Bytes }
  | { kind: 'password'; password: string }

const VAULT_OPENERS_MAX = 8

export class VaultFull extends Error {}

const VERSION = 1
const PASSWORD_ROUNDS = 600_000

const [NONCE, TAG, KEY] = [12, 16, 32]
/** Version and salt, authenticated with everything that is encrypted. */
const HEAD = 17
/** m1, r, and a bit for each used slot. */
const SECRET = 2 * KEY + 1
const SLOTS = HEAD + NONCE + SECRET + TAG
const SLOT = NONCE + KEY + TAG

/** A new vault. Its openers take random slots, so none reveals its kind. */
export async function sealVault(secret: HolderSecret, openers: Opener[]): Promise<Bytes> {
  const vault = randomBytes(VAULT_BYTES)
  vault[0] = VERSION
  const dataKey = randomBytes(KEY)
  let used = 0
  for (const opener of openers) {
    const slot = freeSlot(used)
    used |= 1 << slot
    vault.set(await wrapped(vault, dataKey, opener), slotAt(slot))
  }
  vault.set(await sealed(vault, dataKey, secret, used), HEAD)
  return vault
}

const headOf = (vault: Bytes): Bytes => vault.slice(0, HEAD)
const slotAt = (slot: number) => SLOTS + slot * SLOT

/** @throws VaultFull */
function freeSlot(used: number) {
  const free = Array.from({ length: VAULT_OPENERS_MAX }, (_, i) => i).filter(
    (i) => !(used & (1 << i)),
  )
  const slot = free[(randomBytes(1)[0] as number) % free.length]
  if (slot === undefined) throw new VaultFull('This vault already has eight openers')
  return slot
}

/** Undefined if `opener` doesn't open it, or it isn't a vault. */
export async function openVault(vault: Bytes, opener: Opener): Promise<HolderSecret | undefined> {
  if (vault.length !== VAULT_BYTES || vault[0] !== VERSION) return
  const openerKey = await keyOf(vault, opener)
  for (let i = 0; i < VAULT_OPENERS_MAX; i++) {
    const dataKey = await decrypted(
      openerKey,
      vault.subarray(slotAt(i), slotAt(i + 1)),
      headOf(vault),
    )
    if (!dataKey) continue
    const plain = await decrypted(await aesKey(dataKey), vault.subarray(HEAD, SLOTS), headOf(vault))
    if (!plain) return
    return { m1: plain.slice(0, KEY), r: plain.slice(KEY, 2 * KEY) }
  }
}

const wrapped = async (vault: Bytes, dataKey: Bytes, opener: Opener) =>
  encrypted(await keyOf(vault, opener), dataKey, headOf(vault))

async function sealed(vault: Bytes, dataKey: Bytes, { m1, r }: HolderSecret, used: number) {
  return encrypted(await aesKey(dataKey), Uint8Array.from([...m1, ...r, used]), headOf(vault))
}

/** HKDF over each opener's own material. */
async function keyOf(vault: Bytes, opener: Opener) {
  const salt = vault.slice(1, HEAD)
  const material = await crypto.subtle.importKey(
    'raw',
    await materialOf(opener, salt),
    'HKDF',
    false,
    ['deriveKey'],
  )
  const info = new TextEncoder().encode(`kettle vault ${VERSION} ${opener.kind}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

async function materialOf(opener: Opener, salt: Bytes): Promise<Bytes> {
  if (opener.kind === 'words') return opener.bits
  if (opener.kind === 'passkey') return opener.output
  const typed = new TextEncoder().encode(opener.password.normalize('NFKC'))
  const password = await crypto.subtle.importKey('raw', typed, 'PBKDF2', false, ['deriveBits'])
  return new Uint8Array(
    await crypto.subtle.deriveBits(
      { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: PASSWORD_ROUNDS },
      password,
      KEY * 8,
    ),
  )
}

const aesKey = (key: Bytes) =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** The nonce, then AES-GCM's output. */
export async function encrypted(
  key: CryptoKey,
  plain: Bytes,
  additionalData: Bytes = new Uint8Array(),
): Promise<Bytes> {
  const iv = randomBytes(NONCE)
  const parameters = { name: 'AES-GCM', iv, additionalData }
  const bytes = new Uint8Array(await crypto.subtle.encrypt(parameters, key, plain))
  return Uint8Array.from([...iv, ...bytes])
}

/** Undefined if the key or additional data is different, or bytes were changed. */
export async function decrypted(
  key: CryptoKey,
  bytes: Bytes,
  additionalData: Bytes = new Uint8Array(),
): Promise<Bytes | undefined> {
  const iv = bytes.slice(0, NONCE)
  const parameters = { name: 'AES-GCM', iv, additionalData }
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, bytes.slice(NONCE)))
  } catch {
    return undefined
  }
}

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))
