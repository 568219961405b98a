/**
 * The group that credentials are made in: P-256 with the hashes and encodings of
 * draft-ietf-privacypass-arc-crypto, "ARC(P-256)". Runs in the browser too: no I/O here.
 */
import { p256, p256_hasher } from '@noble/curves/nist.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'

export type Element = InstanceType<typeof p256.Point>
export type Scalar = bigint

export const scalars = p256.Point.Fn
export const generatorG: Element = p256.Point.BASE

/** Bytes of an element and of a scalar. */
export const Ne = 33
export const Ns = 32

/** Each time another scalar between 1 and the order − 1 that nobody can guess. */
export type RandomScalar = () => Scalar

/** As many bytes a scalar is drawn from: 16 more than the order has, so that the remainder prefers none. */
export const SCALAR_SEED_BYTES = Ns + 16

/** @param seed SCALAR_SEED_BYTES that nobody can guess */
export const scalarOf = (seed: Uint8Array): Scalar =>
  (bytesToNumberBE(seed) % (scalars.ORDER - 1n)) + 1n

export const randomScalar: RandomScalar = () => scalarOf(randomBytes(SCALAR_SEED_BYTES))

/** Bytes that are no element, no scalar, or not as many as were to be. */
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

/** @throws DeserializeError, for 0 and for what is not below the order too. */
export function deserializeScalar(bytes: Uint8Array): Scalar {
  if (bytes.length !== Ns) throw new DeserializeError('not a scalar')
  const scalar = bytesToNumberBE(bytes)
  if (scalar === 0n || scalar >= scalars.ORDER) throw new DeserializeError('not a scalar')
  return scalar
}

/** Takes elements and scalars off a message, one after the other. */
export function reader(bytes: Uint8Array) {
  let at = 0
  const next = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    element: () => deserializeElement(next(Ne)),
    scalar: () => deserializeScalar(next(Ns)),
    /** @throws DeserializeError when something is left. */
    end() {
      if (at !== bytes.length) throw new DeserializeError('too long')
    },
  }
}

/** What one context string separates from all others: the second generator and the hashes. */
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
