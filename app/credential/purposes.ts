/**
 * What credentials of this site are for, in the bytes that are hashed: the browser and the server must say the same.
 * No I/O here.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type Scalar, serializeScalar, utf8ToBytes } from './group.ts'

/** A credential of one purpose and quarter is none of another. */
export interface Purpose {
  kind: 'ratings'
  /** 2026-Q4 */
  quarter: string
}

/** What a credential is asked for. */
export const requestContextOf = ({ kind, quarter }: Purpose) => utf8ToBytes(`${kind} ${quarter}`)

/** Each person has one tag in it. */
export const ratingContextOf = (companyId: string) => utf8ToBytes(`rate:${companyId}`)

/** 32 bytes, which only the holder of the secret can make: whoever shows them finds and removes that rating. */
export const holderKeyOf = (m1: Scalar, companyId: string) =>
  hmac(sha256, serializeScalar(m1), utf8ToBytes(`holder:${companyId}`))

/** What is kept of a holder's key beside the rating. */
export const holderOf = (holderKey: Uint8Array) => sha256(holderKey)
