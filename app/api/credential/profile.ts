/**
 * Kettle's profile of the draft: credentials with a context known to the issuer, over a secret that
 * the account has a commitment to, and one presentation per person and context, bound to a message.
 * Differences from draft-ietf-privacypass-arc-crypto, with reasons: docs/credentials.md.
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

/** A version string of our own, so no proof is valid in both suites. */
export const KETTLE: Suite = suiteOf('KettleARCV1-P256')

export interface CredentialRequest {
  m1Enc: Element
  requestProof: Uint8Array
}

export interface Presentation {
  U: Element
  UPrimeCommit: Element
  m1Commit: Element
  /** The same whenever the same secret is presented in the same context. */
  tag: Element
  presentationProof: Uint8Array
}

export const Nrequest = Ne + proofLength(2)
export const NrenewalRequest = Ne + proofLength(3)
export const Npresentation = 4 * Ne + proofLength(3)

/** The account's first commitment, and its opening: `commitment = m1 * G + r * H`. */
export interface OpenedCommitment {
  commitment: Element
  r: Scalar
}

/**
 * Requests a credential over `m1`.
 * @param kept from the account's first request: proves that the secret is still the same
 */
export function createCredentialRequest(
  m1: Scalar,
  requestContext: Uint8Array,
  random: RandomScalar,
  kept?: OpenedCommitment,
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
 * @returns what the response is computed over
 * @param commitment the account's stored one, from its second request on
 * @throws VerifyError, DeserializeError
 */
export function verifyCredentialRequest(
  { m1Enc, requestProof }: CredentialRequest,
  requestContext: Uint8Array,
  commitment?: Element,
): EncryptedSecrets {
  const session = requestSession(requestContext)
  const isValid = commitment
    ? verify(session, renewalRelation(m1Enc, commitment), requestProof)
    : verify(session, requestRelation(m1Enc), requestProof)
  if (!isValid) throw new VerifyError('This request doesn’t prove that it has the secret')
  return encryptedSecrets(m1Enc, requestContext)
}

/** m2 is public here: the issuer computes its part itself, so no one can claim another context. */
export const encryptedSecrets = (m1Enc: Element, requestContext: Uint8Array): EncryptedSecrets => ({
  m1Enc,
  m2Enc: generatorG.multiply(contextScalar(requestContext)),
})

const generators = { genG: generatorG, genH: KETTLE.generatorH }

const requestRelation = (m1Enc: Element) =>
  linearRelation(['m1', 'r1'], { ...generators, m1Enc }, [['m1Enc', { m1: 'genG', r1: 'genH' }]])

/** Proves that both commitments hide the same m1. */
const renewalRelation = (m1Enc: Element, commitment: Element) =>
  linearRelation(['m1', 'r1', 'r'], { ...generators, m1Enc, commitment }, [
    ['m1Enc', { m1: 'genG', r1: 'genH' }],
    ['commitment', { m1: 'genG', r: 'genH' }],
  ])

/** Identifies a person's presentations in this context. Only m1's holder can compute this tag. */
export const tagOf = (m1: Scalar, presentationContext: Uint8Array): Element =>
  generatorT(presentationContext).multiply(scalars.inv(m1))

/** @param message the presentation is only valid with this message */
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
 * Whether the holder has this issuer's credential for `requestContext`, and the tag is theirs.
 * Callers must count each tag once.
 * @throws DeserializeError if the proof is malformed
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

// The bound part comes last, and the hash covers the whole with its length, so no two are the same.
const sessionOf = (kind: string, bound: Uint8Array) =>
  concatBytes(utf8ToBytes(`${KETTLE.contextString}${kind}`), bound)

const requestSession = (requestContext: Uint8Array) =>
  sessionOf('CredentialRequest', requestContext)
const presentationSession = (message: Uint8Array) => sessionOf('CredentialPresentation', message)

export const serializeCredentialRequest = ({ m1Enc, requestProof }: CredentialRequest) =>
  concatBytes(serializeElement(m1Enc), requestProof)

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
