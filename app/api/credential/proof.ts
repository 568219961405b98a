/**
 * Proofs of knowing the scalars of linear equations between elements, without revealing them:
 * Schnorr's, made non-interactive with SHAKE128. They follow draft-irtf-cfrg-sigma-protocols and
 * draft-irtf-cfrg-fiat-shamir, in the versions that ARC's published vectors use.
 */
import { shake128 } from '@noble/hashes/sha3.js'
import {
  bytesToNumberBE,
  concatBytes,
  type Element,
  Ns,
  type RandomScalar,
  reader,
  type Scalar,
  scalars,
  serializeElement,
  serializeScalar,
  utf8ToBytes,
} from './group.ts'

/** Such as `['m1Enc', { m1: 'genG', r1: 'genH' }]` for m1Enc = m1 * genG + r1 * genH. */
type Equation<S extends string, E> = [image: E, terms: { [Scalar in S]?: E }]

/** The statement. The order of scalars, elements, equations and terms is part of the hash. */
interface LinearRelation<S extends string, E extends string> {
  scalarNames: readonly S[]
  elements: Record<E, Element>
  equations: Equation<S, E>[]
}

export const linearRelation = <S extends string, E extends string>(
  scalarNames: readonly S[],
  elements: Record<E, Element>,
  equations: Equation<NoInfer<S>, NoInfer<E>>[],
): LinearRelation<S, E> => ({ scalarNames, elements, equations })

/** The hash's first block (its rate) names the protocol. */
const PROTOCOL_ID = new Uint8Array(168)
PROTOCOL_ID.set(utf8ToBytes('sigma-proofs_Shake128_P256'))

/** Bytes of a proof: the challenge, and a response per scalar. */
export const proofLength = (scalarCount: number) => (1 + scalarCount) * Ns

/** @param witness the prover's secret scalars */
export function prove<S extends string, E extends string>(
  sessionId: Uint8Array,
  relation: LinearRelation<S, E>,
  witness: Record<S, Scalar>,
  random: RandomScalar,
): Uint8Array {
  const { scalarNames, elements, equations } = relation
  const nonces = named(scalarNames, () => random())
  const commitment = equations.map(([, terms]) =>
    sum(termsOf(terms).map(([scalar, element]) => elements[element].multiply(nonces[scalar]))),
  )
  const challenge = challengeOf(sessionId, relation, commitment)
  const responses = scalarNames.map((name) =>
    scalars.add(nonces[name], scalars.mul(witness[name], challenge)),
  )
  return concatBytes(...[challenge, ...responses].map(serializeScalar))
}

/** @throws DeserializeError if `proof` has the wrong length for this relation */
export function verify<S extends string, E extends string>(
  sessionId: Uint8Array,
  relation: LinearRelation<S, E>,
  proof: Uint8Array,
): boolean {
  const { scalarNames, elements, equations } = relation
  const read = reader(proof)
  const challenge = read.scalar()
  const responses = named(scalarNames, read.scalar)
  read.end()
  // The sender knows challenge and responses, so this needn't be constant-time.
  const minusChallenge = scalars.neg(challenge)
  const commitment = equations.map(([image, terms]) =>
    sum([
      ...termsOf(terms).map(([scalar, element]) =>
        elements[element].multiplyUnsafe(responses[scalar]),
      ),
      elements[image].multiplyUnsafe(minusChallenge),
    ]),
  )
  // The identity has no encoding, and honest proofs never reach it.
  if ([...Object.values<Element>(elements), ...commitment].some((one) => one.is0())) return false
  return challengeOf(sessionId, relation, commitment) === challenge
}

const named = <S extends string>(names: readonly S[], next: () => Scalar) =>
  Object.fromEntries(names.map((name) => [name, next()])) as Record<S, Scalar>

const termsOf = <S extends string, E>(terms: Equation<S, E>[1]) =>
  Object.entries(terms) as [scalar: S, element: E][]

const sum = (elements: Element[]) => elements.reduce((one, other) => one.add(other))

function challengeOf<S extends string, E extends string>(
  sessionId: Uint8Array,
  relation: LinearRelation<S, E>,
  commitment: Element[],
) {
  const label = instanceLabel(relation)
  const hashed = concatBytes(
    PROTOCOL_ID,
    uint32(sessionId.length),
    sessionId,
    uint32(label.length),
    label,
    ...commitment.map(serializeElement),
  )
  const uniform = shake128(hashed, { dkLen: Ns + 16 })
  return scalars.create(bytesToNumberBE(uniform))
}

function instanceLabel<S extends string, E extends string>({
  scalarNames,
  elements,
  equations,
}: LinearRelation<S, E>) {
  const elementNames = Object.keys(elements)
  const indexes = equations.flatMap(([image, terms]) => [
    elementNames.indexOf(image),
    termsOf(terms).length,
    ...termsOf(terms).flatMap(([scalar, element]) => [
      scalarNames.indexOf(scalar),
      elementNames.indexOf(element),
    ]),
  ])
  return concatBytes(
    ...[equations.length, ...indexes].map((index) => uint32(index, true)),
    ...Object.values<Element>(elements).map(serializeElement),
  )
}

function uint32(number: number, littleEndian = false) {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, number, littleEndian)
  return bytes
}
