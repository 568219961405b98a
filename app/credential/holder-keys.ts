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

/** What is kept of a holder's key beside the rating. */
export const holderOf = (holderKey: Uint8Array) => sha256(holderKey)
