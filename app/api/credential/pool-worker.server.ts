/** A thread that issues and verifies, one task at a time: each takes 20 to 50 ms of CPU. */
import { parentPort } from 'node:worker_threads'
import { DeserializeError, deserializeElement, randomScalar, serializeElement } from './group.ts'
import {
  createCredentialResponse,
  deserializeServerPrivateKey,
  deserializeServerPublicKey,
  serializeCredentialResponse,
  VerifyError,
} from './issuing.ts'
import type {
  IssueQuestion,
  IssuerKeys,
  PoolAnswer,
  PoolQuestion,
  VerifyQuestion,
} from './pool.server.ts'
import {
  deserializeCredentialRequest,
  deserializePresentation,
  KETTLE,
  verifyCredentialRequest,
  verifyPresentation,
} from './profile.ts'

const port = parentPort
if (!port) throw new Error('pool-worker runs in a worker thread only')

// Tables for the two elements that every task multiplies. They pay off here. A browser requests and
// presents only once, and is twice as fast without them.
KETTLE.generatorH.precompute(8)

/** Parsed keys per quarter, with tables. Never more than a few. */
const known = new Map<string, ReturnType<typeof readKeys>>()

function keysOf(keys: IssuerKeys) {
  const name = Buffer.from(keys.publicKey).toString('base64')
  const read = known.get(name) ?? readKeys(keys)
  known.set(name, read)
  return read
}

function readKeys({ privateKey, publicKey }: IssuerKeys) {
  const read = deserializeServerPublicKey(publicKey)
  read.X1.precompute(8)
  return { privateKey: deserializeServerPrivateKey(privateKey), publicKey: read }
}

function verify(question: VerifyQuestion) {
  const { requestContext, presentationContext, message, presentation } = question
  const { privateKey, publicKey } = keysOf(question.keys)
  const presented = deserializePresentation(presentation)
  const isValid = verifyPresentation(
    privateKey,
    publicKey,
    requestContext,
    presentationContext,
    message,
    presented,
  )
  return isValid ? serializeElement(presented.tag) : undefined
}

function issue({ keys, requestContext, request, commitment }: IssueQuestion) {
  const { privateKey, publicKey } = keysOf(keys)
  const encrypted = verifyCredentialRequest(
    deserializeCredentialRequest(request),
    requestContext,
    commitment && deserializeElement(commitment),
  )
  return serializeCredentialResponse(
    createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, randomScalar),
  )
}

port.on('message', (question: PoolQuestion) => {
  let bytes: Uint8Array | undefined
  try {
    bytes = question.kind === 'verify' ? verify(question) : issue(question)
  } catch (error) {
    // Anything else is a bug. It ends the thread, and the caller gets an error.
    if (!(error instanceof DeserializeError || error instanceof VerifyError)) throw error
  }
  port.postMessage({ bytes } satisfies PoolAnswer)
})
