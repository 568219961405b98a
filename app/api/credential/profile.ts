/**
 * What Kettle uses of the draft: credentials whose context the issuer knows, over a secret that an account
 * keeps a commitment to; and one presentation for each person and context, bound to a message. Where it
 * differs from draft-ietf-privacypass-arc-crypto, and why: D62. Runs in the browser too.
 */
import {
  concatBytes,
  DeserializeError,
  type Element,
  generatorG,
  Ne,
  type RandomScalar,
  reader,
  type Scalar,
  type Suite,
  scalars,
  serializeElement,
  suiteOf,
  utf8ToBytes,
} from './group.ts'
import type {
  ClientSecrets,
  Credential,
  EncryptedSecrets,
  ServerPrivateKey,
  ServerPublicKey,
} from './issuing.ts'
import { VerifyError } from './issuing.ts'
import { linearRelation, proofLength, prove, verify } from './proof.ts'

/** A version of its own: no proof of the draft passes here, and none from here passes there. */
export const KETTLE: Suite = suiteOf('KettleARCV1-P256')

export interface CredentialRequest {
  m1Enc: Element
  requestProof: Uint8Array
}

export interface Presentation {
  U: Element
  UPrimeCommit: Element
  m1Commit: Element
  /** The same whenever one secret is presented in one context. */
  tag: Element
  presentationProof: Uint8Array
}

/** Bytes on the wire. A request that names an older commitment is a scalar longer. */
export const Nrequest = Ne + proofLength(2)
export const NrenewalRequest = Ne + proofLength(3)
export const Npresentation = 4 * Ne + proofLength(3)

/** What the account keeps of its first request, and what opens it: `commitment = m1 * G + r * H`. */
export interface Kept {
  commitment: Element
  r: Scalar
}

/**
 * Asks for a credential over `m1`.
 * @param kept of the account's first request; from then on it proves that the secret is still the same
 */
export function createCredentialRequest(
  m1: Scalar,
  requestContext: Uint8Array,
  random: RandomScalar,
  kept?: Kept,
): { secrets: ClientSecrets; request: CredentialRequest } {
  const r1 = random()
  const m1Enc = generatorG.multiply(m1).add(KETTLE.generatorH.multiply(r1))
  const session = requestSession(requestContext)
  const requestProof = kept
    ? prove(session, renewalRelation(m1Enc, kept.commitment), { m1, r1, r: kept.r }, random)
    : prove(session, requestRelation(m1Enc), { m1, r1 }, random)
  return { secrets: { m1, r1, r2: 0n }, request: { m1Enc, requestProof } }
}

/**
 * What the response is computed over.
 * @param commitment what the account keeps, from its second request on
 * @throws VerifyError, DeserializeError
 */
export function verifyCredentialRequest(
  { m1Enc, requestProof }: CredentialRequest,
  requestContext: Uint8Array,
  commitment?: Element,
): EncryptedSecrets {
  const session = requestSession(requestContext)
  const isProven = commitment
    ? verify(session, renewalRelation(m1Enc, commitment), requestProof)
    : verify(session, requestRelation(m1Enc), requestProof)
  if (!isProven) throw new VerifyError('This request does not prove its secret')
  return encryptedSecrets(m1Enc, requestContext)
}

/** m2 is no secret here: the issuer computes its part itself, so that nobody names another context. */
export const encryptedSecrets = (m1Enc: Element, requestContext: Uint8Array): EncryptedSecrets => ({
  m1Enc,
  m2Enc: generatorG.multiply(contextScalar(requestContext)),
})

const generators = { genG: generatorG, genH: KETTLE.generatorH }

const requestRelation = (m1Enc: Element) =>
  linearRelation(['m1', 'r1'], { ...generators, m1Enc }, [['m1Enc', { m1: 'genG', r1: 'genH' }]])

/** Both commitments hide the same m1. */
const renewalRelation = (m1Enc: Element, commitment: Element) =>
  linearRelation(['m1', 'r1', 'r'], { ...generators, m1Enc, commitment }, [
    ['m1Enc', { m1: 'genG', r1: 'genH' }],
    ['commitment', { m1: 'genG', r: 'genH' }],
  ])

/** What a person's presentation in this context is told by; only who knows m1 can compute it. */
export const tagOf = (m1: Scalar, presentationContext: Uint8Array): Element =>
  generatorT(presentationContext).multiply(scalars.inv(m1))

/** @param message what is said with it: it passes with this one only */
export function present(
  { m1, U: issuedU, UPrime: issuedUPrime, X1 }: Credential,
  presentationContext: Uint8Array,
  message: Uint8Array,
  random: RandomScalar,
): Presentation {
  const [a, r, z] = [random(), random(), random()]
  const U = issuedU.multiply(a)
  const UPrimeCommit = issuedUPrime.multiply(a).add(generatorG.multiply(r))
  const m1Commit = U.multiply(m1).add(KETTLE.generatorH.multiply(z))
  const V = X1.multiply(z).subtract(generatorG.multiply(r))
  const genT = generatorT(presentationContext)
  const tag = genT.multiply(scalars.inv(m1))
  const relation = presentationRelation({ U, UPrimeCommit, m1Commit, V, X1, tag, genT })
  const witness = { m1, z, rNeg: scalars.neg(r) }
  const presentationProof = prove(presentationSession(message), relation, witness, random)
  return { U, UPrimeCommit, m1Commit, tag, presentationProof }
}

/**
 * Whether its holder has a credential of this issuer for `requestContext`, and the tag is theirs. That a
 * tag is not counted twice is up to whoever keeps the tags.
 * @throws DeserializeError when the proof within is malformed
 */
export function verifyPresentation(
  { x0, x1, x2 }: ServerPrivateKey,
  { X1 }: ServerPublicKey,
  requestContext: Uint8Array,
  presentationContext: Uint8Array,
  message: Uint8Array,
  { U, UPrimeCommit, m1Commit, tag, presentationProof }: Presentation,
): boolean {
  const m2 = contextScalar(requestContext)
  const V = U.multiply(scalars.add(x0, scalars.mul(x2, m2)))
    .add(m1Commit.multiply(x1))
    .subtract(UPrimeCommit)
  const genT = generatorT(presentationContext)
  const relation = presentationRelation({ U, UPrimeCommit, m1Commit, V, X1, tag, genT })
  return verify(presentationSession(message), relation, presentationProof)
}

function presentationRelation(
  elements: Record<'U' | 'UPrimeCommit' | 'm1Commit' | 'V' | 'X1' | 'tag' | 'genT', Element>,
) {
  const { U, UPrimeCommit, m1Commit, V, X1, tag, genT } = elements
  return linearRelation(
    ['m1', 'z', 'rNeg'],
    { ...generators, U, UPrimeCommit, m1Commit, V, X1, tag, genT },
    [
      ['m1Commit', { m1: 'U', z: 'genH' }],
      ['V', { z: 'X1', rNeg: 'genG' }],
      ['genT', { m1: 'tag' }],
    ],
  )
}

const contextScalar = (requestContext: Uint8Array) =>
  KETTLE.hashToScalar(requestContext, 'requestContext')

const generatorT = (presentationContext: Uint8Array) =>
  KETTLE.hashToGroup(presentationContext, 'Tag')

// What is bound stands last, and the whole is hashed with its length: no two of them are one string.
const sessionOf = (kind: string, bound: Uint8Array) =>
  concatBytes(utf8ToBytes(`${KETTLE.contextString}${kind}`), bound)

const requestSession = (requestContext: Uint8Array) =>
  sessionOf('CredentialRequest', requestContext)
const presentationSession = (message: Uint8Array) => sessionOf('CredentialPresentation', message)

export const serializeCredentialRequest = ({ m1Enc, requestProof }: CredentialRequest) =>
  concatBytes(serializeElement(m1Enc), requestProof)

/** @throws DeserializeError */
export function deserializeCredentialRequest(bytes: Uint8Array): CredentialRequest {
  if (bytes.length !== Nrequest && bytes.length !== NrenewalRequest)
    throw new DeserializeError('not a request')
  return { m1Enc: reader(bytes).element(), requestProof: bytes.subarray(Ne) }
}

export const serializePresentation = (presentation: Presentation) => {
  const { U, UPrimeCommit, m1Commit, tag, presentationProof } = presentation
  const elements = [U, UPrimeCommit, m1Commit, tag]
  return concatBytes(...elements.map(serializeElement), presentationProof)
}

/** @throws DeserializeError */
export function deserializePresentation(bytes: Uint8Array): Presentation {
  if (bytes.length !== Npresentation) throw new DeserializeError('not a presentation')
  const read = reader(bytes)
  return {
    U: read.element(),
    UPrimeCommit: read.element(),
    m1Commit: read.element(),
    tag: read.element(),
    presentationProof: bytes.subarray(4 * Ne),
  }
}
