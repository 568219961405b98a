/** What finds a rating that names nobody, for whoever gave it. By hashes alone; no I/O here. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * 32 bytes, which only the holder of the secret can make: whoever shows them finds and removes that rating.
 * @param m1 the secret, 32 bytes
 */
export const holderKeyOf = (m1: Uint8Array, companyId: string) =>
  hmac(sha256, m1, utf8ToBytes(`holder:${companyId}`))

/** The same for what its holder writes in one thread of a room. */
export const roomKeyOf = (m1: Uint8Array, threadId: string) =>
  hmac(sha256, m1, utf8ToBytes(`room:${threadId}`))

/** What is kept of a holder's key beside the rating or the post. */
export const holderOf = (holderKey: Uint8Array) => sha256(holderKey)
