/**
 * The parts of draft-ietf-privacypass-arc-crypto that Kettle's profile replaces: a request that hides its
 * context too, and presentations counted by a hidden nonce. They're here only so the draft's published
 * vectors can test everything the two have in common.
 */
import {
  type Element,
  generatorG,
  type RandomScalar,
  type Scalar,
  type Suite,
  scalars,
  utf8ToBytes as text,
} from './group.ts'
import type {
  ClientSecrets,
  Credential,
  EncryptedSecrets,
  ServerPrivateKey,
  ServerPublicKey,
} from './issuing.ts'
import { linearRelation, prove, verify } from './proof.ts'

export function createDraftRequest(suite: Suite, requestContext: Uint8Array, random: RandomScalar) {
  const m1 = random()
  const m2 = suite.hashToScalar(requestContext, 'requestContext')
  const [r1, r2] = [random(), random()]
  const m1Enc = generatorG.multiply(m1).add(suite.generatorH.multiply(r1))
  const m2Enc = generatorG.multiply(m2).add(suite.generatorH.multiply(r2))
  const secrets: ClientSecrets & { m2: Scalar } = { m1, m2, r1, r2 }
  const requestProof = prove(
    requestSession(suite),
    requestRelation(suite, { m1Enc, m2Enc }),
    { m1, m2, r1, r2 },
    random,
  )
  return { secrets, request: { m1Enc, m2Enc, requestProof } }
}

export const verifyDraftRequest = (
  suite: Suite,
  request: EncryptedSecrets & { requestProof: Uint8Array },
) => verify(requestSession(suite), requestRelation(suite, request), request.requestProof)

const requestSession = (suite: Suite) => text(`${suite.contextString}CredentialRequest`)

const requestRelation = ({ generatorH }: Suite, { m1Enc, m2Enc }: EncryptedSecrets) =>
  linearRelation(['m1', 'm2', 'r1', 'r2'], { genG: generatorG, genH: generatorH, m1Enc, m2Enc }, [
    ['m1Enc', { m1: 'genG', r1: 'genH' }],
    ['m2Enc', { m2: 'genG', r2: 'genH' }],
  ])

interface DraftPresentation {
  U: Element
  UPrimeCommit: Element
  m1Commit: Element
  tag: Element
  /** With a limit of two presentations also `D[0]`, the commitment to the nonce's one bit. */
  nonceCommit: Element
  presentationProof: Uint8Array
}

/** @param nonce of two presentations, which this is */
export function presentByDraft(
  suite: Suite,
  { m1, U: issuedU, UPrime, X1 }: Credential,
  presentationContext: Uint8Array,
  nonce: 0n | 1n,
  random: RandomScalar,
): DraftPresentation {
  const { generatorH } = suite
  const [a, r, z, nonceBlinding] = [random(), random(), random(), random()]
  const U = issuedU.multiply(a)
  const UPrimeCommit = UPrime.multiply(a).add(generatorG.multiply(r))
  const m1Commit = U.multiply(m1).add(generatorH.multiply(z))
  const nonceCommit = generatorG.multiplyUnsafe(nonce).add(generatorH.multiply(nonceBlinding))
  const genT = suite.hashToGroup(presentationContext, 'Tag')
  const tag = genT.multiply(scalars.inv(scalars.add(m1, nonce)))
  const V = X1.multiply(z).subtract(generatorG.multiply(r))
  const shown = { U, UPrimeCommit, m1Commit, tag, nonceCommit }
  const s2 = nonce === 1n ? 0n : nonceBlinding
  const rNeg = scalars.neg(r)
  const witness = { m1, z, rNeg, nonce, nonceBlinding, b: nonce, s: nonceBlinding, s2 }
  const relation = presentationRelation(suite, shown, V, X1, genT)
  return {
    ...shown,
    presentationProof: prove(presentationSession(suite), relation, witness, random),
  }
}

export function verifyByDraft(
  suite: Suite,
  { x0, x1, x2 }: ServerPrivateKey,
  { X1 }: ServerPublicKey,
  requestContext: Uint8Array,
  presentationContext: Uint8Array,
  presentation: DraftPresentation,
) {
  const m2 = suite.hashToScalar(requestContext, 'requestContext')
  const { U, UPrimeCommit, m1Commit, presentationProof } = presentation
  const V = U.multiply(scalars.add(x0, scalars.mul(x2, m2)))
    .add(m1Commit.multiply(x1))
    .subtract(UPrimeCommit)
  const genT = suite.hashToGroup(presentationContext, 'Tag')
  const relation = presentationRelation(suite, presentation, V, X1, genT)
  return verify(presentationSession(suite), relation, presentationProof)
}

const presentationSession = (suite: Suite) => text(`${suite.contextString}CredentialPresentation`)

function presentationRelation(
  { generatorH }: Suite,
  shown: Omit<DraftPresentation, 'presentationProof'>,
  V: Element,
  X1: Element,
  genT: Element,
) {
  const { U, UPrimeCommit, m1Commit, tag, nonceCommit } = shown
  return linearRelation(
    ['m1', 'z', 'rNeg', 'nonce', 'nonceBlinding', 'b', 's', 's2'],
    {
      genG: generatorG,
      genH: generatorH,
      U,
      UPrimeCommit,
      m1Commit,
      V,
      X1,
      tag,
      genT,
      nonceCommit,
    },
    [
      ['m1Commit', { m1: 'U', z: 'genH' }],
      ['V', { z: 'X1', rNeg: 'genG' }],
      ['nonceCommit', { nonce: 'genG', nonceBlinding: 'genH' }],
      ['genT', { m1: 'tag', nonce: 'tag' }],
      ['nonceCommit', { b: 'genG', s: 'genH' }],
      ['nonceCommit', { b: 'nonceCommit', s2: 'genH' }],
    ],
  )
}
