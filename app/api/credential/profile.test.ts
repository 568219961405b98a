/** What a credential is good for, and all that it must not be good for. */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  DeserializeError,
  type Element,
  generatorG,
  Ne,
  Ns,
  randomScalar as random,
  scalars,
  serializeElement,
  suiteOf,
  utf8ToBytes as text,
} from './group.ts'
import {
  type Credential,
  createCredentialResponse,
  deserializeCredentialResponse,
  deserializeServerPrivateKey,
  deserializeServerPublicKey,
  finalizeCredential,
  Nresponse,
  serializeCredentialResponse,
  serializeServerPrivateKey,
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
  Npresentation,
  NrenewalRequest,
  Nrequest,
  type OpenedCommitment,
  type Presentation,
  present,
  serializeCredentialRequest,
  serializePresentation,
  tagOf,
  verifyCredentialRequest,
  verifyPresentation,
} from './profile.ts'

type Keys = ReturnType<typeof setupServer>

const QUARTER = text('2026-4')
const ACME = text('rate:acme')
const GLOBEX = text('rate:globex')
const FIVE_STARS = text('{"overall":5}')

/** Request and response go over the wire, as bytes. */
function issue(keys: Keys, m1: bigint, context = QUARTER, kept?: OpenedCommitment) {
  const { secrets, request } = createCredentialRequest(m1, context, random, kept)
  const sent = deserializeCredentialRequest(serializeCredentialRequest(request))
  const encrypted = verifyCredentialRequest(sent, context, kept?.commitment)
  const response = createCredentialResponse(
    KETTLE,
    keys.privateKey,
    keys.publicKey,
    encrypted,
    random,
  )
  const received = deserializeCredentialResponse(serializeCredentialResponse(response))
  const published = deserializeServerPublicKey(serializeServerPublicKey(keys.publicKey))
  const credential = finalizeCredential(
    KETTLE,
    secrets,
    published,
    encryptedSecrets(request.m1Enc, context),
    received,
  )
  return { credential, kept: { commitment: request.m1Enc, r: secrets.r1 } }
}

const passes = (
  presentation: Presentation,
  { keys = issuer, quarter = QUARTER, about = ACME, message = FIVE_STARS } = {},
) => verifyPresentation(keys.privateKey, keys.publicKey, quarter, about, message, presentation)

let issuer: Keys
let m1: bigint
let kept: OpenedCommitment
let danas: Credential
let rating: Presentation

beforeAll(() => {
  issuer = setupServer(KETTLE, random)
  m1 = random()
  ;({ credential: danas, kept } = issue(issuer, m1))
  rating = present(danas, ACME, FIVE_STARS, random)
})

const changed = (change: Partial<Presentation>) => ({ ...rating, ...change })
const flipped = (bytes: Uint8Array, at: number) =>
  bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))

describe('a rating', () => {
  test('a rating passes, even when read from its bytes', () => {
    expect(passes(rating)).toBe(true)
    const bytes = serializePresentation(rating)
    expect(bytes).toHaveLength(Npresentation)
    expect(passes(deserializePresentation(bytes))).toBe(true)
  })

  test('a rating of the same person and company has the same tag, so it’s the same rating', () => {
    const second = present(danas, ACME, text('{"overall":1}'), random)
    expect(second.tag.equals(rating.tag)).toBe(true)
    expect(tagOf(m1, ACME).equals(rating.tag)).toBe(true)
    // The two have nothing else in common.
    for (const part of ['U', 'UPrimeCommit', 'm1Commit'] as const)
      expect(second[part].equals(rating[part])).toBe(false)
    expect(second.presentationProof).not.toEqual(rating.presentationProof)
  })

  test('a rating of another company or person has another tag', () => {
    expect(present(danas, GLOBEX, FIVE_STARS, random).tag.equals(rating.tag)).toBe(false)
    const erins = issue(issuer, random()).credential
    expect(present(erins, ACME, FIVE_STARS, random).tag.equals(rating.tag)).toBe(false)
  })

  test('a rating doesn’t pass for another company, with other words or in another quarter', () => {
    expect(passes(rating, { about: GLOBEX })).toBe(false)
    expect(passes(rating, { message: text('{"overall":1}') })).toBe(false)
    expect(passes(rating, { quarter: text('2027-1') })).toBe(false)
  })

  test('a rating doesn’t pass with another issuer’s keys', () => {
    const keys = setupServer(KETTLE, random)
    expect(passes(rating, { keys })).toBe(false)
    const mixed = { privateKey: issuer.privateKey, publicKey: keys.publicKey }
    expect(passes(rating, { keys: mixed })).toBe(false)
  })

  test('a rating doesn’t pass with a tag that isn’t its own', () => {
    const others = present(issue(issuer, random()).credential, ACME, FIVE_STARS, random)
    expect(passes(changed({ tag: others.tag }))).toBe(false)
    expect(passes(changed({ tag: rating.tag.add(generatorG) }))).toBe(false)
    expect(passes(changed({ tag: rating.tag.negate() }))).toBe(false)
    // Two ratings of one person in two companies, their tags swapped.
    const { tag } = present(danas, GLOBEX, FIVE_STARS, random)
    expect(passes(changed({ tag }))).toBe(false)
  })

  test('a rating can’t be made with another secret than the one in the issuer’s MAC', () => {
    expect(passes(present({ ...danas, m1: random() }, ACME, FIVE_STARS, random))).toBe(false)
    const erins = issue(issuer, random()).credential
    expect(passes(present({ ...erins, m1 }, ACME, FIVE_STARS, random))).toBe(false)
  })

  test('a rating can’t be made without an issuer', () => {
    const invented = {
      m1,
      U: generatorG.multiply(random()),
      UPrime: generatorG.multiply(random()),
      X1: issuer.publicKey.X1,
    }
    expect(passes(present(invented, ACME, FIVE_STARS, random))).toBe(false)
  })

  test('a rating can’t be made from another’s parts or proof', () => {
    const other = present(danas, ACME, text('{"overall":1}'), random)
    for (const part of ['U', 'UPrimeCommit', 'm1Commit', 'presentationProof'] as const)
      expect([part, passes(changed({ [part]: other[part] }))]).toEqual([part, false])
    // Replayed whole it passes with its own words only, under the tag that is known already.
    expect(passes(other)).toBe(false)
    expect(passes(other, { message: text('{"overall":1}') })).toBe(true)
  })

  test('a rating doesn’t pass with any bit changed', () => {
    const bytes = serializePresentation(rating)
    const taken: number[] = []
    for (let at = 0; at < bytes.length; at += 7) {
      const wrong = flipped(bytes, at)
      if (isTaken(() => passes(deserializePresentation(wrong)))) taken.push(at)
    }
    expect(taken).toEqual([])
  })

  test('a rating doesn’t pass with the point at infinity, in any form', () => {
    const identity = generatorG.subtract(generatorG)
    for (const part of ['U', 'UPrimeCommit', 'm1Commit', 'tag'] as const)
      expect([part, isTaken(() => passes(changed({ [part]: identity })))]).toEqual([part, false])
    const bytes = serializePresentation(rating)
    for (const at of [0, 1, 2, 3])
      for (const first of [0, 2, 3, 4]) {
        const wrong = bytes.slice().fill(0, at * Ne, (at + 1) * Ne)
        wrong[at * Ne] = first
        const read = () => passes(deserializePresentation(wrong))
        expect([at, first, isTaken(read)]).toEqual([at, first, false])
      }
  })

  test('a rating is refused if a scalar is 0 or not below the order', () => {
    const bytes = serializePresentation(rating)
    const order = Buffer.from(scalars.ORDER.toString(16), 'hex')
    for (let at = 4 * Ne; at < bytes.length; at += Ns)
      for (const scalar of [new Uint8Array(Ns), order, new Uint8Array(Ns).fill(255)]) {
        const wrong = bytes.slice()
        wrong.set(scalar, at)
        expect(() => passes(deserializePresentation(wrong))).toThrow(DeserializeError)
      }
  })

  test('a rating is refused if it’s shorter or longer', () => {
    const bytes = serializePresentation(rating)
    for (const wrong of [bytes.slice(1), bytes.slice(0, -1), Uint8Array.of(...bytes, 0)])
      expect(() => deserializePresentation(wrong)).toThrow(DeserializeError)
    expect(() => deserializePresentation(new Uint8Array())).toThrow(DeserializeError)
  })

  test('a rating of the draft’s own version doesn’t pass', () => {
    const draft = suiteOf('ARCV1-P256')
    expect(draft.generatorH.equals(KETTLE.generatorH)).toBe(false)
    expect(draft.hashToGroup(ACME, 'Tag').equals(KETTLE.hashToGroup(ACME, 'Tag'))).toBe(false)
  })
})

describe('issuing', () => {
  test('issuing takes and gives the stated number of bytes', () => {
    const first = createCredentialRequest(m1, QUARTER, random)
    expect(serializeCredentialRequest(first.request)).toHaveLength(Nrequest)
    const renewal = createCredentialRequest(m1, QUARTER, random, kept)
    expect(serializeCredentialRequest(renewal.request)).toHaveLength(NrenewalRequest)
    const { privateKey, publicKey } = issuer
    const encrypted = encryptedSecrets(first.request.m1Enc, QUARTER)
    const response = createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, random)
    expect(serializeCredentialResponse(response)).toHaveLength(Nresponse)
  })

  test('bytes of another length are no response and no key', () => {
    const { privateKey, publicKey } = issuer
    const first = createCredentialRequest(m1, QUARTER, random)
    const encrypted = encryptedSecrets(first.request.m1Enc, QUARTER)
    const response = createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, random)
    for (const [bytes, read] of [
      [serializeCredentialResponse(response), deserializeCredentialResponse],
      [serializeServerPrivateKey(privateKey), deserializeServerPrivateKey],
      [serializeServerPublicKey(publicKey), deserializeServerPublicKey],
    ] as const) {
      expect(() => read(bytes)).not.toThrow()
      for (const wrong of [bytes.slice(1), bytes.slice(0, -1), Uint8Array.of(...bytes, 0)])
        expect(() => read(wrong)).toThrow(DeserializeError)
    }
  })

  test('a renewal keeps the secret, so a quarter gives no second rating', () => {
    const next = issue(issuer, m1, text('2027-1'), kept).credential
    const again = present(next, ACME, FIVE_STARS, random)
    expect(passes(again, { quarter: text('2027-1') })).toBe(true)
    expect(passes(again)).toBe(false)
    expect(again.tag.equals(rating.tag)).toBe(true)
  })

  test('a renewal over another secret, or without proof, is refused', () => {
    expect(() => issue(issuer, random(), text('2027-1'), kept)).toThrow(VerifyError)
    const { request } = createCredentialRequest(m1, QUARTER, random)
    expect(() => verifyCredentialRequest(request, QUARTER, kept.commitment)).toThrow(
      DeserializeError,
    )
  })

  test('a request passes in no other context, so a badge’s domain can’t change', () => {
    const { request } = createCredentialRequest(m1, text('badge:acme.example'), random)
    expect(() => verifyCredentialRequest(request, text('badge:globex.example'))).toThrow(
      VerifyError,
    )
    const { credential } = issue(issuer, m1, text('badge:acme.example'))
    const shown = present(credential, ACME, FIVE_STARS, random)
    expect(passes(shown, { quarter: text('badge:acme.example') })).toBe(true)
    expect(passes(shown, { quarter: text('badge:globex.example') })).toBe(false)
    // Over one secret the badge and the rating have one tag: a badge fits beside its own rating only.
    expect(shown.tag.equals(rating.tag)).toBe(true)
  })

  test('a request with another commitment or a changed proof is refused', () => {
    const { request } = createCredentialRequest(m1, QUARTER, random)
    const other = { ...request, m1Enc: request.m1Enc.add(generatorG) }
    expect(() => verifyCredentialRequest(other, QUARTER)).toThrow(VerifyError)
    const proof = { ...request, requestProof: flipped(request.requestProof, 5) }
    expect(() => verifyCredentialRequest(proof, QUARTER)).toThrow(VerifyError)
  })

  test('a response with other than the published keys is detected', () => {
    const { secrets, request } = createCredentialRequest(m1, QUARTER, random)
    const encrypted = encryptedSecrets(request.m1Enc, QUARTER)
    const own = setupServer(KETTLE, random)
    for (const [privateKey, publicKey] of [
      [own.privateKey, own.publicKey],
      [own.privateKey, issuer.publicKey],
      [{ ...issuer.privateKey, x0: own.privateKey.x0 }, issuer.publicKey],
      [{ ...issuer.privateKey, x1: own.privateKey.x1 }, issuer.publicKey],
      [{ ...issuer.privateKey, x2: own.privateKey.x2 }, issuer.publicKey],
    ] as const) {
      const response = createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, random)
      expect(() =>
        finalizeCredential(KETTLE, secrets, issuer.publicKey, encrypted, response),
      ).toThrow(VerifyError)
    }
  })

  test('a response with any part exchanged is detected', () => {
    const { secrets, request } = createCredentialRequest(m1, QUARTER, random)
    const encrypted = encryptedSecrets(request.m1Enc, QUARTER)
    const { privateKey, publicKey } = issuer
    const response = createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, random)
    for (const part of ['U', 'encUPrime', 'X0Aux', 'X1Aux', 'X2Aux', 'HAux'] as const) {
      const wrong: Element = response[part].add(generatorG)
      expect(() =>
        finalizeCredential(KETTLE, secrets, publicKey, encrypted, { ...response, [part]: wrong }),
      ).toThrow(VerifyError)
    }
  })
})

test('nothing in a presentation is in the request or the response', () => {
  const { secrets, request } = createCredentialRequest(m1, QUARTER, random)
  const encrypted = encryptedSecrets(request.m1Enc, QUARTER)
  const { privateKey, publicKey } = issuer
  const response = createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, random)
  const credential = finalizeCredential(KETTLE, secrets, publicKey, encrypted, response)
  const seen = Buffer.concat([
    serializeCredentialRequest(request),
    serializeCredentialResponse(response),
  ]).toString('hex')
  const { U, UPrimeCommit, m1Commit, tag } = present(credential, ACME, FIVE_STARS, random)
  for (const part of [U, UPrimeCommit, m1Commit, tag])
    expect(seen).not.toContain(Buffer.from(serializeElement(part)).toString('hex').slice(2))
})

/** Whether it passed; a refusal that is thrown is one of ours. */
function isTaken(check: () => boolean) {
  try {
    return check()
  } catch (error) {
    if (error instanceof DeserializeError) return false
    throw error
  }
}
