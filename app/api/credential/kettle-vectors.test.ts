/** Vectors of our own: an outside reader can make them, and no context changes its bytes. Else people could rate twice. */
import { expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import {
  deserializeScalar,
  type RandomScalar,
  serializeElement,
  serializeScalar,
  utf8ToBytes,
} from './group.ts'
import { holderKeyOf, keyHashOf, removalKeyOf, roomKeyOf } from './holder-keys.ts'
import {
  createCredentialResponse,
  finalizeCredential,
  serializeCredentialResponse,
  serializeServerPrivateKey,
  serializeServerPublicKey,
  setupServer,
} from './issuing.ts'
import vectors from './kettle-vectors.json' with { type: 'json' }
import {
  createCredentialRequest,
  KETTLE,
  present,
  serializeCredentialRequest,
  serializePresentation,
  tagOf,
  verifyCredentialRequest,
  verifyPresentation,
} from './profile.ts'
import {
  benefitsContextOf,
  interviewContextOf,
  payContextOf,
  postContextOf,
  ratingContextOf,
  requestContextOf,
  roomDayContextOf,
  roomReportContextOf,
  roomThreadContextOf,
} from './purposes.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (from: string) => Uint8Array.from(Buffer.from(from, 'hex'))

const { ids } = vectors
const { company, thread, post, idempotencyKey, domain, day, quarter } = ids
const m1 = deserializeScalar(bytes(vectors.m1))

const requestContexts = {
  ratings: requestContextOf({ kind: 'ratings', quarter }),
  badge: requestContextOf({ kind: 'badge', domain, quarter }),
}
const presentationContexts = {
  rating: ratingContextOf(company),
  pay: payContextOf(company, ids.year),
  benefits: benefitsContextOf(company, ids.year),
  post: postContextOf(idempotencyKey),
  roomDay: roomDayContextOf(domain, day),
  roomThread: roomThreadContextOf(thread),
  roomReport: roomReportContextOf(post),
}

const each = <T extends object, R>(of: T, make: (it: T[keyof T]) => R) =>
  Object.fromEntries(Object.entries(of).map(([name, it]) => [name, make(it)]))

test('the contexts of issuing and their scalars match the vectors', () => {
  const made = each(requestContexts, (context) => ({
    hex: hex(context),
    m2: hex(serializeScalar(KETTLE.hashToScalar(context, 'requestContext'))),
  }))
  expect(made).toEqual(vectors.requestContexts)
})

test('the contexts of presenting and their tags match the vectors', () => {
  const made = each(presentationContexts, (context) => ({
    hex: hex(context),
    tag: hex(serializeElement(tagOf(m1, context))),
  }))
  expect(made).toEqual(vectors.presentationContexts)
})

test('the keys that find and remove, and the stored hashes, match the vectors', () => {
  const secret = bytes(vectors.m1)
  const made = each(
    {
      holder: holderKeyOf(secret, company),
      removal: removalKeyOf(secret, company, ids.version),
      payHolder: holderKeyOf(secret, `pay:${company}:${ids.year}`),
      room: roomKeyOf(secret, thread),
    },
    (key) => ({ key: hex(key), stored: hex(keyHashOf(key)) }),
  )
  expect(made).toEqual(vectors.keys)
})

/** The n-th scalar of the run, as the file describes it. */
function numbered(): RandomScalar {
  let n = 0
  return () => KETTLE.hashToScalar(utf8ToBytes(String(n++)), 'vectors')
}

test('a credential matches the vectors from keys to presentation and renewal', () => {
  const random = numbered()
  const { privateKey, publicKey } = setupServer(KETTLE, random)
  const context = requestContexts.ratings
  const { secrets, request } = createCredentialRequest(m1, context, random)
  const encrypted = verifyCredentialRequest(request, context)
  const response = createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, random)
  const credential = finalizeCredential(KETTLE, secrets, publicKey, encrypted, response)
  const kept = { commitment: request.m1Enc, r: secrets.r1 }
  const { request: renewal } = createCredentialRequest(m1, context, random, kept)
  verifyCredentialRequest(renewal, context, kept.commitment)
  // What it's made of: rating-input.test.ts.
  const message = bytes(vectors.example.message)
  const presentation = present(credential, presentationContexts.rating, message, random)
  const { rating: _, ...example } = vectors.example
  expect({
    privateKey: hex(serializeServerPrivateKey(privateKey)),
    publicKey: hex(serializeServerPublicKey(publicKey)),
    generatorH: hex(serializeElement(KETTLE.generatorH)),
    request: hex(serializeCredentialRequest(request)),
    r1: hex(serializeScalar(secrets.r1)),
    response: hex(serializeCredentialResponse(response)),
    credential: [credential.U, credential.UPrime].map((it) => hex(serializeElement(it))).join(''),
    renewal: hex(serializeCredentialRequest(renewal)),
    message: hex(message),
    presentation: hex(serializePresentation(presentation)),
  }).toEqual(example)
  const isValid = (said: Uint8Array) =>
    verifyPresentation(
      privateKey,
      publicKey,
      context,
      presentationContexts.rating,
      said,
      presentation,
    )
  expect(isValid(message)).toBe(true)
  expect(isValid(message.with(0, 0))).toBe(false)
})

test('no two contexts have the same bytes, whether of one kind or two', () => {
  const id = fc.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  const day = fc
    .date({ min: new Date('2026-01-01'), max: new Date('2126-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const quarter = fc
    .tuple(fc.integer({ min: 2026, max: 2126 }), fc.integer({ min: 1, max: 4 }))
    .map(([year, nth]) => `${year}-Q${nth}`)
  // Names like our own words, too. A domain has neither blank nor colon.
  const domain = fc.oneof(
    fc.domain(),
    fc.constantFrom('ratings', 'rate', 'room-day', 'room-thread', 'post'),
    fc.stringMatching(/^[a-z0-9.-]{1,12}$/),
  )
  const of = <Args extends unknown[]>(
    name: string,
    context: (...args: Args) => Uint8Array,
    ...args: { [At in keyof Args]: fc.Arbitrary<Args[At]> }
  ) =>
    fc
      .tuple(...args)
      .map((it) => ({ what: JSON.stringify([name, it]), bytes: hex(context(...(it as Args))) }))
  const issued = fc.oneof(
    of('ratings', (quarter: string) => requestContextOf({ kind: 'ratings', quarter }), quarter),
    of(
      'badge',
      (domain: string, quarter: string) => requestContextOf({ kind: 'badge', domain, quarter }),
      domain,
      quarter,
    ),
  )
  const presented = fc.oneof(
    of('rating', ratingContextOf, id),
    of('pay', payContextOf, id, fc.integer({ min: 2026, max: 2126 })),
    of('interview', interviewContextOf, id, fc.integer({ min: 2026, max: 2126 })),
    of('benefits', benefitsContextOf, id, fc.integer({ min: 2026, max: 2126 })),
    of('post', postContextOf, id),
    of('roomDay', roomDayContextOf, domain, day),
    of('roomThread', roomThreadContextOf, id),
    of('roomReport', roomReportContextOf, id),
  )
  const secret = bytes(vectors.m1)
  const keyed = fc.oneof(
    of('holder', (id: string) => holderKeyOf(secret, id), id),
    of('removal', (id: string, version: number) => removalKeyOf(secret, id, version), id, fc.nat()),
    of('room', (id: string) => roomKeyOf(secret, id), id),
  )
  for (const kinds of [issued, presented, keyed])
    fc.assert(
      fc.property(fc.array(kinds, { minLength: 30, maxLength: 60 }), (all) => {
        const apart = new Map(all.map(({ what, bytes }) => [what, bytes]))
        expect(new Set(apart.values()).size).toBe(apart.size)
      }),
    )
})
