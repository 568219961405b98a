/**
 * Issuing: the holder commits to a secret m1, the issuer computes a MAC over it without seeing it, and the holder
 * checks that it was made with the published key. docs/credentials.md has the equations. Pure: no clock, no randomness.
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
  serializeScalar,
  utf8ToBytes,
} from './group.ts'
import { linearRelation, proofLength, prove, verify } from './proof.ts'

export interface ServerPrivateKey {
  x0: Scalar
  x1: Scalar
  x2: Scalar
  x0Blinding: Scalar
}

export interface ServerPublicKey {
  X0: Element
  X1: Element
  X2: Element
}

/** The commitments that a response is computed over. */
export interface EncryptedSecrets {
  m1Enc: Element
  m2Enc: Element
}

export interface ClientSecrets {
  m1: Scalar
  r1: Scalar
  /** r2, which is 0 if the issuer knows m2. */
  r2: Scalar
}

export interface CredentialResponse {
  U: Element
  encUPrime: Element
  X0Aux: Element
  X1Aux: Element
  X2Aux: Element
  HAux: Element
  responseProof: Uint8Array
}

/** The holder's own values, never shown to anyone. */
export interface Credential {
  m1: Scalar
  U: Element
  UPrime: Element
  X1: Element
}

export class VerifyError extends Error {}

export const Nresponse = 6 * Ne + proofLength(7)

export function setupServer(
  { generatorH }: Suite,
  random: RandomScalar,
): { privateKey: ServerPrivateKey; publicKey: ServerPublicKey } {
  const [x0, x1, x2, x0Blinding] = [random(), random(), random(), random()]
  return {
    privateKey: { x0, x1, x2, x0Blinding },
    publicKey: {
      X0: generatorG.multiply(x0).add(generatorH.multiply(x0Blinding)),
      X1: generatorH.multiply(x1),
      X2: generatorH.multiply(x2),
    },
  }
}

/** Call this only after verifying the request's proof. */
export function createCredentialResponse(
  suite: Suite,
  privateKey: ServerPrivateKey,
  publicKey: ServerPublicKey,
  { m1Enc, m2Enc }: EncryptedSecrets,
  random: RandomScalar,
): CredentialResponse {
  const { x0, x1, x2, x0Blinding } = privateKey
  const { X0, X1, X2 } = publicKey
  const b = random()
  const response = {
    U: generatorG.multiply(b),
    encUPrime: X0.add(m1Enc.multiply(x1)).add(m2Enc.multiply(x2)).multiply(b),
    X0Aux: suite.generatorH.multiply(scalars.mul(b, x0Blinding)),
    X1Aux: X1.multiply(b),
    X2Aux: X2.multiply(b),
    HAux: suite.generatorH.multiply(b),
  }
  const relation = responseRelation(suite, publicKey, { m1Enc, m2Enc }, response)
  const [t1, t2] = [scalars.mul(b, x1), scalars.mul(b, x2)]
  const witness = { x0, x1, x2, x0Blinding, b, t1, t2 }
  return { ...response, responseProof: prove(responseSession(suite), relation, witness, random) }
}

/** @throws VerifyError if the response wasn't made with the published key; DeserializeError */
export function finalizeCredential(
  suite: Suite,
  secrets: ClientSecrets,
  publicKey: ServerPublicKey,
  encrypted: EncryptedSecrets,
  response: CredentialResponse,
): Credential {
  const relation = responseRelation(suite, publicKey, encrypted, response)
  if (!verify(responseSession(suite), relation, response.responseProof))
    throw new VerifyError('This credential wasn’t issued with the published key')
  const { U, encUPrime, X0Aux, X1Aux, X2Aux } = response
  const withoutR1 = encUPrime.subtract(X0Aux).subtract(X1Aux.multiply(secrets.r1))
  const UPrime = secrets.r2 === 0n ? withoutR1 : withoutR1.subtract(X2Aux.multiply(secrets.r2))
  return { m1: secrets.m1, U, UPrime, X1: publicKey.X1 }
}

const responseSession = ({ contextString }: Suite) =>
  utf8ToBytes(`${contextString}CredentialResponse`)

function responseRelation(
  { generatorH }: Suite,
  { X0, X1, X2 }: ServerPublicKey,
  { m1Enc, m2Enc }: EncryptedSecrets,
  { U, encUPrime, X0Aux, X1Aux, X2Aux, HAux }: Omit<CredentialResponse, 'responseProof'>,
) {
  return linearRelation(
    ['x0', 'x1', 'x2', 'x0Blinding', 'b', 't1', 't2'],
    {
      genG: generatorG,
      genH: generatorH,
      m1Enc,
      m2Enc,
      U,
      encUPrime,
      X0,
      X1,
      X2,
      X0Aux,
      X1Aux,
      X2Aux,
      HAux,
    },
    [
      ['X0', { x0: 'genG', x0Blinding: 'genH' }],
      ['X1', { x1: 'genH' }],
      ['X2', { x2: 'genH' }],
      ['HAux', { b: 'genH' }],
      ['X0Aux', { x0Blinding: 'HAux' }],
      // t1 = b * x1 and t2 = b * x2, each shown from both sides.
      ['X1Aux', { t1: 'genH' }],
      ['X1Aux', { b: 'X1' }],
      ['X2Aux', { b: 'X2' }],
      ['X2Aux', { t2: 'genH' }],
      ['U', { b: 'genG' }],
      ['encUPrime', { b: 'X0', t1: 'm1Enc', t2: 'm2Enc' }],
    ],
  )
}

export const serializeServerPrivateKey = ({ x0, x1, x2, x0Blinding }: ServerPrivateKey) =>
  concatBytes(...[x0, x1, x2, x0Blinding].map(serializeScalar))

export function deserializeServerPrivateKey(bytes: Uint8Array): ServerPrivateKey {
  const read = reader(bytes)
  const [x0, x1, x2, x0Blinding] = [read.scalar(), read.scalar(), read.scalar(), read.scalar()]
  read.end()
  return { x0, x1, x2, x0Blinding }
}

export const serializeServerPublicKey = ({ X0, X1, X2 }: ServerPublicKey) =>
  concatBytes(...[X0, X1, X2].map(serializeElement))

export function deserializeServerPublicKey(bytes: Uint8Array): ServerPublicKey {
  const read = reader(bytes)
  const [X0, X1, X2] = [read.element(), read.element(), read.element()]
  read.end()
  return { X0, X1, X2 }
}

export const serializeCredentialResponse = (response: CredentialResponse) => {
  const { U, encUPrime, X0Aux, X1Aux, X2Aux, HAux, responseProof } = response
  const elements = [U, encUPrime, X0Aux, X1Aux, X2Aux, HAux]
  return concatBytes(...elements.map(serializeElement), responseProof)
}

export function deserializeCredentialResponse(bytes: Uint8Array): CredentialResponse {
  if (bytes.length !== Nresponse) throw new DeserializeError('not a response')
  const read = reader(bytes)
  return {
    U: read.element(),
    encUPrime: read.element(),
    X0Aux: read.element(),
    X1Aux: read.element(),
    X2Aux: read.element(),
    HAux: read.element(),
    responseProof: bytes.subarray(6 * Ne),
  }
}
