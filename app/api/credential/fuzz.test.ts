/**
 * Presentations, requests and responses at random: each is refused in one of our ways, none passes, none
 * crashes. How many, and from which seed, say FUZZ_PRESENTATIONS and FUZZ_SEED.
 */
import { beforeAll, expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import {
  DeserializeError,
  Ne,
  Ns,
  randomScalar as random,
  scalars,
  utf8ToBytes as text,
} from './group.ts'
import {
  type ClientSecrets,
  createCredentialResponse,
  deserializeCredentialResponse,
  deserializeServerPublicKey,
  type EncryptedSecrets,
  finalizeCredential,
  serializeCredentialResponse,
  serializeServerPublicKey,
  setupServer,
  VerifyError,
} from './issuing.ts'
import {
  createCredentialRequest,
  deserializeCredentialRequest,
  deserializePresentation,
  encryptedSecrets,
  KETTLE,
  present,
  serializeCredentialRequest,
  serializePresentation,
  verifyCredentialRequest,
  verifyPresentation,
} from './profile.ts'

const PRESENTATIONS = Number(process.env.FUZZ_PRESENTATIONS ?? 150)
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_314)
/** The most multiplications that any message costs take some 50 ms; more than this hangs. */
const PATIENCE_MS = 10_000
/** Enough for the whole run on a busy machine. */
const TIMEOUT_MS = 60_000 + PRESENTATIONS * 200

const QUARTER = text('2026-4')
const ACME = text('rate:acme')
const STARS = text('{"overall":5}')

const { privateKey, publicKey } = setupServer(KETTLE, random)
/** Two valid ones to damage, so halves of both can be combined. */
let presentations: [Uint8Array, Uint8Array]
let request: Uint8Array
let response: Uint8Array
let secrets: ClientSecrets
let encrypted: EncryptedSecrets

beforeAll(() => {
  const asked = createCredentialRequest(random(), QUARTER, random)
  secrets = asked.secrets
  encrypted = encryptedSecrets(asked.request.m1Enc, QUARTER)
  const given = createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, random)
  const credential = finalizeCredential(KETTLE, secrets, publicKey, encrypted, given)
  const presented = () => serializePresentation(present(credential, ACME, STARS, random))
  presentations = [presented(), presented()]
  request = serializeCredentialRequest(asked.request)
  response = serializeCredentialResponse(given)
})

/** Bytes that mean something somewhere: an element's first byte, the ends of the field and of the order. */
const order = Uint8Array.from(Buffer.from(scalars.ORDER.toString(16), 'hex'))
const piece = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
  fc.constantFrom(new Uint8Array(Ns), new Uint8Array(Ne), order, new Uint8Array(Ne).fill(255)),
  fc.constantFrom(0, 2, 3, 4, 255).map((byte) => Uint8Array.of(byte)),
)

/** A change of a good message that keeps most of it, so that what comes after the reading is met too. */
type Spoil = (good: Uint8Array, other: Uint8Array) => Uint8Array
const spoil: fc.Arbitrary<Spoil> = fc.oneof(
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })).map(
    ([at, bits]): Spoil =>
      (good) =>
        good.map((byte, i) => (i === at % good.length ? byte ^ bits : byte)),
  ),
  fc.tuple(fc.nat(), piece).map(
    ([at, bytes]): Spoil =>
      (good) => {
        const spoilt = good.slice()
        const from = at % good.length
        spoilt.set(bytes.subarray(0, good.length - from), from)
        return spoilt
      },
  ),
  // Parts of another valid one, or of the same one in another place.
  fc.tuple(fc.nat(), fc.nat(), fc.boolean()).map(
    ([from, to, isOther]): Spoil =>
      (good, other) => {
        const spoilt = good.slice()
        const places = Math.min(4, Math.floor(good.length / Ne))
        const at = Ne * (from % places)
        spoilt.set((isOther ? other : good).subarray(at, at + Ne), Ne * (to % places))
        return spoilt
      },
  ),
  fc.nat().map(
    (to): Spoil =>
      (good) =>
        good.slice(0, to % good.length),
  ),
  fc.uint8Array({ minLength: 1, maxLength: 99 }).map(
    (more): Spoil =>
      (good) =>
        Uint8Array.of(...good, ...more),
  ),
  fc.uint8Array({ maxLength: 600 }).map(
    (bytes): Spoil =>
      () =>
        bytes,
  ),
)

/** @throws anything that isn't our refusal, or if a message other than the good one is accepted */
function refused(goods: Uint8Array[], bytes: Uint8Array, check: () => boolean) {
  const began = process.cpuUsage()
  let isTaken: boolean
  try {
    isTaken = check()
  } catch (error) {
    if (!(error instanceof DeserializeError || error instanceof VerifyError)) throw error
    isTaken = false
  }
  const { user, system } = process.cpuUsage(began)
  if ((user + system) / 1000 > PATIENCE_MS) throw new Error('it took too long')
  if (isTaken !== goods.some((good) => Buffer.compare(good, bytes) === 0))
    throw new Error(isTaken ? 'it passed' : 'the good one did not pass')
}

const runs = (numRuns: number) => ({ numRuns, seed: SEED })

test(
  `${PRESENTATIONS} presentations at random are refused`,
  () => {
    fc.assert(
      fc.property(spoil, (spoilt) => {
        const bytes = spoilt(...presentations)
        refused(presentations, bytes, () =>
          verifyPresentation(
            privateKey,
            publicKey,
            QUARTER,
            ACME,
            STARS,
            deserializePresentation(bytes),
          ),
        )
      }),
      runs(PRESENTATIONS),
    )
  },
  TIMEOUT_MS,
)

test(
  'random requests, responses and keys are refused',
  () => {
    fc.assert(
      fc.property(spoil, (spoilt) => {
        const asked = spoilt(request, request)
        refused([request], asked, () => {
          verifyCredentialRequest(deserializeCredentialRequest(asked), QUARTER)
          return true
        })
        const given = spoilt(response, response)
        refused([response], given, () => {
          const read = deserializeCredentialResponse(given)
          finalizeCredential(KETTLE, secrets, publicKey, encrypted, read)
          return true
        })
        const key = serializeServerPublicKey(publicKey)
        const other = spoilt(key, key)
        refused([key], other, () => {
          const read = deserializeServerPublicKey(other)
          finalizeCredential(
            KETTLE,
            secrets,
            read,
            encrypted,
            deserializeCredentialResponse(response),
          )
          return true
        })
      }),
      runs(Math.ceil(PRESENTATIONS / 30)),
    )
  },
  TIMEOUT_MS,
)

test('valid presentations pass', () => {
  for (const bytes of presentations)
    expect(
      verifyPresentation(
        privateKey,
        publicKey,
        QUARTER,
        ACME,
        STARS,
        deserializePresentation(bytes),
      ),
    ).toBe(true)
})
