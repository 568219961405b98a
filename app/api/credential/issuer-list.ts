/**
 * The issuer's list: a chain of public keys, one per quarter, which only ever grows. The digest after a key covers that
 * key and all earlier ones, so two people who see the same digest see the same keys. Shared by browser and server. D68.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { encoded } from './purposes.ts'

export const ISSUER_VERSION = 'KettleARCV1-P256'

export interface ListedKey {
  /** Such as 2026-Q4. */
  quarter: string
  /** X0, X1, X2 in base64url: 132 letters. */
  publicKey: string
}

/** What the site serves at its ISSUER_PATH, and witnesses keep. */
export interface IssuerList {
  version: string
  /** The current one. */
  quarter: string
  /** After the last key. */
  digest: string
  keys: ListedKey[]
  /** URLs on other sites that also have this list. */
  witnesses: string[]
}

/** The digest after each key, in hex. Before the first key it's empty. */
export function digestsOf(keys: readonly ListedKey[]): string[] {
  const digests: string[] = []
  for (const { quarter, publicKey } of keys) {
    const before = digests.at(-1) ?? ''
    const bytes = encoded('issuer key', ISSUER_VERSION, before, quarter, publicKey)
    digests.push(bytesToHex(sha256(bytes)))
  }
  return digests
}

/** Whether one list continues the other. Any list continues an empty one. */
export function isOneChain(one: readonly string[], other: readonly string[]) {
  const last = Math.min(one.length, other.length) - 1
  return last < 0 || one[last] === other[last]
}

/** Most characters in a list. Even 200 years of keys are shorter. */
const LIST_MAX = 200_000

const isQuarter = (text: unknown) => /^\d{4}-Q[1-4]$/.test(String(text))
const isKey = (key: Partial<ListedKey> | null) =>
  isQuarter(key?.quarter) && /^[\w-]{132}$/.test(String(key?.publicKey))

/** @returns undefined unless it's a list with the right digest */
export function readIssuerList(text: string): IssuerList | undefined {
  const { version, quarter, digest, keys, witnesses = [] } = parsed(text)
  const isList =
    version === ISSUER_VERSION &&
    isQuarter(quarter) &&
    Array.isArray(witnesses) &&
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every(isKey) &&
    digestsOf(keys).at(-1) === digest
  return isList ? ({ version, quarter, digest, keys, witnesses } as IssuerList) : undefined
}

function parsed(text: string): Partial<IssuerList> {
  try {
    return text.length > LIST_MAX ? {} : (JSON.parse(text) ?? {})
  } catch {
    return {}
  }
}
