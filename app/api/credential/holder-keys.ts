import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * A 32-byte key that only the secret's holder can derive. Showing it finds and removes their anonymous rating.
 * @param m1 the secret, 32 bytes
 */
export const holderKeyOf = (m1: Uint8Array, companyId: string) =>
  hmac(sha256, m1, utf8ToBytes(`holder:${companyId}`))

/** The same for a holder's posts in one thread of a room. */
export const roomKeyOf = (m1: Uint8Array, threadId: string) =>
  hmac(sha256, m1, utf8ToBytes(`room:${threadId}`))

/** Stored with the rating or post. */
export const holderOf = (holderKey: Uint8Array) => sha256(holderKey)
