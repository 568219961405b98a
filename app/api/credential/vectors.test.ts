/** The published vectors of draft-ietf-privacypass-arc-crypto, byte for byte. */
import { expect, test } from 'vitest'
import {
  createDraftRequest,
  presentByDraft,
  verifyByDraft,
  verifyDraftRequest,
} from './arc-draft.fixture.ts'
import {
  deserializeScalar,
  type RandomScalar,
  scalars,
  serializeElement,
  serializeScalar,
  suiteOf,
} from './group.ts'
import {
  type Credential,
  createCredentialResponse,
  deserializeCredentialResponse,
  finalizeCredential,
  serializeCredentialResponse,
  serializeServerPublicKey,
  setupServer,
} from './issuing.ts'
import published from './vectors.json' with { type: 'json' }

const suite = suiteOf('ARCV1-P256')
const vectors = published['ARCV1-P256']

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const hex = (from: Uint8Array) => Buffer.from(from).toString('hex')
const scalar = (from: string) => deserializeScalar(bytes(from))

/** Hands out these scalars again, and nothing else. */
function replayed(given: bigint[]): RandomScalar {
  const left = [...given]
  return () => {
    const next = left.shift()
    if (next === undefined) throw new Error('More randomness than the vector has')
    return next
  }
}

/**
 * The vectors don't print a proof's scalars, but response = nonce + challenge *
 * witness gives them back. That the same challenge is hashed from them again is what proves the proof.
 */
function noncesOf(proof: string, witness: bigint[]) {
  expect(proof).toHaveLength(64 * (1 + witness.length))
  const challenge = scalar(proof.slice(0, 64))
  return witness.map((secret, at) => {
    const response = scalar(proof.slice(64 * (at + 1), 64 * (at + 2)))
    return scalars.sub(response, scalars.mul(challenge, secret))
  })
}

const { ServerKey, CredentialRequest, CredentialResponse, Presentation1, Presentation2 } = vectors
const requestContext = bytes(CredentialRequest.request_context)

const keys = () =>
  setupServer(suite, replayed([ServerKey.x0, ServerKey.x1, ServerKey.x2, ServerKey.xb].map(scalar)))

function request() {
  const { m1, m2, r1, r2, proof } = CredentialRequest
  const witness = [m1, m2, r1, r2].map(scalar)
  const random = replayed([...[m1, r1, r2].map(scalar), ...noncesOf(proof, witness)])
  return createDraftRequest(suite, requestContext, random)
}

function response() {
  const { privateKey, publicKey } = keys()
  const b = scalar(CredentialResponse.b)
  const { x0, x1, x2, x0Blinding } = privateKey
  const witness = [x0, x1, x2, x0Blinding, b, scalars.mul(b, x1), scalars.mul(b, x2)]
  const random = replayed([b, ...noncesOf(CredentialResponse.proof, witness)])
  return createCredentialResponse(suite, privateKey, publicKey, request().request, random)
}

function credential(): Credential {
  const { secrets, request: sent } = request()
  return finalizeCredential(suite, secrets, keys().publicKey, sent, response())
}

test('the issuer’s keys match the draft’s vectors', () => {
  const { X0, X1, X2 } = ServerKey
  expect(hex(serializeServerPublicKey(keys().publicKey))).toBe(X0 + X1 + X2)
})

test('the request, its context’s scalar and its proof match the vectors', () => {
  const { secrets, request: sent } = request()
  expect(hex(serializeScalar(secrets.m2))).toBe(CredentialRequest.m2)
  expect(hex(serializeElement(sent.m1Enc))).toBe(CredentialRequest.m1_enc)
  expect(hex(serializeElement(sent.m2Enc))).toBe(CredentialRequest.m2_enc)
  expect(hex(sent.requestProof)).toBe(CredentialRequest.proof)
  expect(verifyDraftRequest(suite, sent)).toBe(true)
})

test('the response and its proof match the vectors, and are read back as written', () => {
  const { U, enc_U_prime, X0_aux, X1_aux, X2_aux, H_aux, proof } = CredentialResponse
  const written = serializeCredentialResponse(response())
  expect(hex(written)).toBe(U + enc_U_prime + X0_aux + X1_aux + X2_aux + H_aux + proof)
  expect(serializeCredentialResponse(deserializeCredentialResponse(written))).toEqual(written)
})

test('the credential matches the vectors', () => {
  const { m1, U, UPrime, X1 } = credential()
  expect(hex(serializeScalar(m1))).toBe(vectors.Credential.m1)
  expect([U, UPrime, X1].map((one) => hex(serializeElement(one)))).toEqual([
    vectors.Credential.U,
    vectors.Credential.U_prime,
    vectors.Credential.X1,
  ])
})

test.each([
  ['first', 0n, Presentation1],
  ['second', 1n, Presentation2],
] as const)('the %s presentation and its proof match the vectors', (_, nonce, vector) => {
  const { m1 } = credential()
  const [a, r, z] = [scalar(vector.a), scalar(vector.r), scalar(vector.z)]
  const blinding = scalar(vector.nonce_blinding)
  const s2 = nonce === 1n ? 0n : blinding
  const witness = [m1, z, scalars.neg(r), nonce, blinding, nonce, blinding, s2]
  // The proof on the wire begins with the bit's commitment.
  const nonces = noncesOf(vector.proof.slice(66), witness)
  const context = bytes(vector.presentation_context)
  const random = replayed([a, r, z, blinding, ...nonces])
  const shown = presentByDraft(suite, credential(), context, nonce, random)
  expect(hex(serializeElement(shown.U))).toBe(vector.U)
  expect(hex(serializeElement(shown.UPrimeCommit))).toBe(vector.U_prime_commit)
  expect(hex(serializeElement(shown.m1Commit))).toBe(vector.m1_commit)
  expect(hex(serializeElement(shown.tag))).toBe(vector.tag)
  expect(hex(serializeElement(shown.nonceCommit))).toBe(vector.nonce_commit)
  expect(vector.D_0).toBe(vector.nonce_commit)
  expect(vector.D_0 + hex(shown.presentationProof)).toBe(vector.proof)
  const { privateKey, publicKey } = keys()
  const verified = (of: Uint8Array) =>
    verifyByDraft(suite, privateKey, publicKey, requestContext, of, shown)
  expect(verified(context)).toBe(true)
  expect(verified(new TextEncoder().encode('another context'))).toBe(false)
})
