import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * A 32-byte key that only the secret's holder can derive. Showing it finds their anonymous rating or entry.
 * @param m1 the secret, 32 bytes
 * @param subject a company's id for its rating, `pay:<company>:<year>` for a year's pay, and so on
 */
export const holderKeyOf = (m1: Uint8Array, subject: string) =>
  hmac(sha256, m1, utf8ToBytes(`holder:${subject}`))

/**
 * The browser also shows this key to remove it. Each change has its own, so a recorded removal is useless later.
 * @param version the number of the change that it removes
 */
export const removalKeyOf = (m1: Uint8Array, subject: string, version: number) =>
  hmac(sha256, m1, utf8ToBytes(`removal:${subject}:${version}`))

/** A holder's key in one thread of a room. */
export const roomKeyOf = (m1: Uint8Array, threadId: string) =>
  hmac(sha256, m1, utf8ToBytes(`room:${threadId}`))

/** The hash of any of these keys, stored with the rating or post. */
export const keyHashOf = (key: Uint8Array) => sha256(key)
