/**
 * The group of the credentials: P-256 with the hashes and encodings of
 * draft-ietf-privacypass-arc-crypto, "ARC(P-256)".
 */
import { p256, p256_hasher } from '@noble/curves/nist.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'

export type Element = InstanceType<typeof p256.Point>
export type Scalar = bigint

export const scalars = p256.Point.Fn
export const generatorG: Element = p256.Point.BASE

export const Ne = 33
export const Ns = 32

/** A fresh unpredictable scalar between 1 and the order − 1. */
export type RandomScalar = () => Scalar

/** Seed length: 16 bytes more than the order, so the remainder is unbiased. */
export const SCALAR_SEED_BYTES = Ns + 16

/** @param seed SCALAR_SEED_BYTES unpredictable bytes */
export const scalarOf = (seed: Uint8Array): Scalar =>
  (bytesToNumberBE(seed) % (scalars.ORDER - 1n)) + 1n

export const randomScalar: RandomScalar = () => scalarOf(randomBytes(SCALAR_SEED_BYTES))

/** Thrown for bytes that aren't an element or a scalar, or have the wrong length. */
export class DeserializeError extends Error {}

export const serializeElement = (element: Element) => element.toBytes(true)
export const serializeScalar = (scalar: Scalar) => scalars.toBytes(scalar)

/** @throws DeserializeError; the identity has no encoding of this length. */
export function deserializeElement(bytes: Uint8Array): Element {
  if (bytes.length !== Ne) throw new DeserializeError('not an element')
  try {
    const element = p256.Point.fromBytes(bytes)
    element.assertValidity()
    return element
  } catch {
    throw new DeserializeError('not an element')
  }
}

/** @throws DeserializeError, also for 0 and for values not below the order. */
export function deserializeScalar(bytes: Uint8Array): Scalar {
  if (bytes.length !== Ns) throw new DeserializeError('not a scalar')
  const scalar = bytesToNumberBE(bytes)
  if (scalar === 0n || scalar >= scalars.ORDER) throw new DeserializeError('not a scalar')
  return scalar
}

export function reader(bytes: Uint8Array) {
  let at = 0
  const next = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    element: () => deserializeElement(next(Ne)),
    scalar: () => deserializeScalar(next(Ns)),
    /** @throws DeserializeError if something is left. */
    end() {
      if (at !== bytes.length) throw new DeserializeError('too long')
    },
  }
}

/** Everything derived from a context string: the second generator and the hashes. */
export interface Suite {
  contextString: string
  generatorH: Element
  hashToGroup: (bytes: Uint8Array, info: string) => Element
  hashToScalar: (bytes: Uint8Array, info: string) => Scalar
}

export function suiteOf(contextString: string): Suite {
  const dst = (kind: string, info: string) => utf8ToBytes(`${kind}-${contextString}${info}`)
  const hashToGroup: Suite['hashToGroup'] = (bytes, info) =>
    p256_hasher.hashToCurve(bytes, { DST: dst('HashToGroup', info) })
  return {
    contextString,
    generatorH: hashToGroup(serializeElement(generatorG), 'generatorH'),
    hashToGroup,
    hashToScalar: (bytes, info) =>
      p256_hasher.hashToScalar(bytes, { DST: dst('HashToScalar', info) }),
  }
}

export { bytesToNumberBE, concatBytes, utf8ToBytes }
