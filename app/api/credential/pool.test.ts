import { afterEach, expect, test } from 'vitest'
import { isUnavailable } from '#app/platform/http/unavailable.ts'
import { slow } from '#tests/support/amounts.ts'
import { randomScalar as random, serializeElement, utf8ToBytes as text } from './group.ts'
import {
  deserializeCredentialResponse,
  finalizeCredential,
  serializeServerPrivateKey,
  serializeServerPublicKey,
  setupServer,
} from './issuing.ts'
import { type CredentialPool, startCredentialPool } from './pool.server.ts'
import {
  createCredentialRequest,
  encryptedSecrets,
  KETTLE,
  Npresentation,
  present,
  serializeCredentialRequest,
  serializePresentation,
  tagOf,
} from './profile.ts'

const requestContext = text('2026-4')
const presentationContext = text('rate:acme')
const message = text('{"overall":5}')

const { privateKey, publicKey } = setupServer(KETTLE, random)
const keys = {
  privateKey: serializeServerPrivateKey(privateKey),
  publicKey: serializeServerPublicKey(publicKey),
}

let pool: CredentialPool
const open = (options?: Parameters<typeof startCredentialPool>[0]) => {
  pool = startCredentialPool(options)
}
afterEach(() => pool.stop())

async function issued(m1: bigint) {
  const { secrets, request } = createCredentialRequest(m1, requestContext, random)
  const bytes = serializeCredentialRequest(request)
  const response = await pool.issue({ keys, requestContext, request: bytes, commitment: undefined })
  if (!response) throw new Error('not issued')
  const encrypted = encryptedSecrets(request.m1Enc, requestContext)
  const received = deserializeCredentialResponse(response)
  const credential = finalizeCredential(KETTLE, secrets, publicKey, encrypted, received)
  return { credential, kept: { commitment: request.m1Enc, r: secrets.r1 } }
}

const verify = (presentation: Uint8Array) =>
  pool.verify({ keys, requestContext, presentationContext, message, presentation })

test('a credential is issued, renewed only over its secret, and its presentation reveals the tag', async () => {
  open()
  const m1 = random()
  const { credential, kept } = await issued(m1)
  const shown = serializePresentation(present(credential, presentationContext, message, random))
  expect(await verify(shown)).toEqual(serializeElement(tagOf(m1, presentationContext)))
  const renewed = (secret: bigint) => {
    const { request } = createCredentialRequest(secret, requestContext, random, kept)
    const commitment = serializeElement(kept.commitment)
    const bytes = serializeCredentialRequest(request)
    return pool.issue({ keys, requestContext, request: bytes, commitment })
  }
  expect(await renewed(m1)).toBeDefined()
  expect(await renewed(random())).toBeUndefined()
})

test('false or malformed input is refused, and the worker thread continues', async () => {
  open()
  const { credential } = await issued(random())
  const good = serializePresentation(present(credential, presentationContext, message, random))
  for (const bad of [
    good.with(40, (good[40] ?? 0) ^ 1),
    new Uint8Array(Npresentation),
    new Uint8Array(3),
    good.with(259, (good[259] ?? 0) ^ 1),
  ])
    expect(await verify(bad)).toBeUndefined()
  expect(await verify(good)).toBeDefined()
})

test('a flood is refused beyond its limit, while the process answers others, and then the pool continues', async () => {
  open({ threads: 1, waitingAtMost: 5 })
  const { credential } = await issued(random())
  const good = serializePresentation(present(credential, presentationContext, message, random))
  const wrong = good.with(259, (good[259] ?? 0) ^ 1)
  const answers = await Promise.allSettled(Array.from({ length: 500 }, () => verify(wrong)))
  const busy = answers.filter((answer) => answer.status === 'rejected')
  // One is being verified and five wait. All others are told at once to retry later.
  expect(busy).toHaveLength(494)
  expect(busy.every(({ reason }) => isUnavailable(reason) && reason.status === 503)).toBe(true)
  expect(answers.filter((answer) => answer.status === 'fulfilled' && !answer.value)).toHaveLength(6)
  expect(await verify(good)).toBeDefined()
})

test('the event loop stays free while the pool verifies', async () => {
  open({ threads: 1, waitingAtMost: 20 })
  const { credential } = await issued(random())
  const good = serializePresentation(present(credential, presentationContext, message, random))
  let turns = 0
  const count = () => {
    turns++
    turning = setImmediate(count)
  }
  let turning = setImmediate(count)
  await Promise.all(Array.from({ length: 20 }, () => verify(good)))
  clearImmediate(turning)
  // On this thread there would be a turn or two for each verification, at most.
  expect(turns).toBeGreaterThan(200)
})

test('when the pool stops, waiting requests are refused and nothing hangs', async () => {
  open({ threads: 1, waitingAtMost: 5 })
  const asked = Array.from({ length: 6 }, () => verify(new Uint8Array(Npresentation)))
  const answers = Promise.allSettled(asked)
  await pool.stop()
  for (const answer of await answers)
    expect(answer.status === 'rejected' && isUnavailable(answer.reason)).toBe(true)
  await expect(verify(new Uint8Array(Npresentation))).rejects.toSatisfy(isUnavailable)
})

slow.test(
  'if a worker thread dies, its requests are refused, and the next one gets a new thread',
  async () => {
    open()
    const presentation = new Uint8Array(Npresentation)
    const broken = { ...keys, publicKey: undefined as unknown as Uint8Array }
    for (const _ of ['first', 'second'])
      await expect(
        pool.verify({ keys: broken, requestContext, presentationContext, message, presentation }),
      ).rejects.toSatisfy(isUnavailable)
    expect(await verify(presentation)).toBeUndefined()
  },
)
