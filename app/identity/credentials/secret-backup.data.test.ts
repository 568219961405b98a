/** How a secret is kept for other devices and brought there; what the server makes of it is in issuing.db.test.ts. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/client.ts'
import { fromBase64url, HANDOVER_BYTES, toBase64url } from '#app/identity/credentials/credential.ts'
import {
  acceptHandover,
  receiveHandover,
  sealHandover,
} from '#app/identity/credentials/handover.data.ts'
import {
  forgetHolder,
  forgetTwelveWords,
  type Holder,
  noteWordsOffered,
  offersWords,
  offerWordsLater,
  storedHolder,
  storeHolder,
} from '#app/identity/credentials/holder.data.ts'
import type { CredentialApi } from '#app/identity/credentials/issuing.data.ts'
import { SecretElsewhere, secretProblem } from '#app/identity/credentials/issuing-problem.data.ts'
import { dropHandover, secretLocation } from '#app/identity/credentials/own-credential.data.ts'
import { changeRated, ratedBy } from '#app/identity/credentials/rated.data.ts'
import {
  askPasskey,
  backUpSecret,
  makePasskey,
  restoreBackup,
} from '#app/identity/credentials/secret-backup.data.ts'
import type { Opener } from '#app/identity/credentials/vault.ts'
import { bitsOfWords, wordsOfBits } from '../accounts/words/twelve-words.data.ts'

// The replaced module may be made twice, so what it's made of is here.
const { restoreSecret, renewCredential } = vi.hoisted(() => ({
  restoreSecret: vi.fn(),
  renewCredential: vi.fn(),
}))
vi.mock('#app/identity/credentials/issuing.data.ts', async (original) => ({
  ...(await original<object>()),
  restoreSecret,
  renewCredential,
}))

const DANA = 'danas-profile'
const m1 = new Uint8Array(32).fill(7)
const r = new Uint8Array(32).fill(9)
const bits = new Uint8Array(16).fill(45)
const words: Opener = { kind: 'words', bits }
const password: Opener = { kind: 'password', password: 'correct horse 9' }

let vault: string | null
const api = vi.fn(async (endpoint: string, input?: { body: { sealed: string } }) => {
  if (endpoint.startsWith('GET')) return { isCommitted: true, anewFrom: '2026-10-01', vault }
  vault = input?.body.sealed ?? null
  return { isKept: true }
}) as never as CredentialApi

beforeEach(() => {
  vault = null
  restoreSecret.mockReset()
  renewCredential.mockReset()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  storeHolder(DANA, { m1: toBase64url(m1), r: toBase64url(r) })
})
afterEach(() => forgetHolder(DANA))

describe('dana’s backup', () => {
  test('dana’s backup opens with the words she wrote down', async () => {
    await backUpSecret(api, DANA, [words])
    const written = wordsOfBits(bits).join(' ').toUpperCase()
    const read = bitsOfWords(written)
    if ('problem' in read) throw new Error(read.problem)
    expect(await restoreBackup(api, DANA, { kind: 'words', ...read })).toBe('restored')
    expect(restoreSecret).toHaveBeenCalledWith(api, DANA, { m1, r })
  })

  test('dana’s backup doesn’t open with other words, or with a password she didn’t choose for it', async () => {
    await backUpSecret(api, DANA, [words])
    const others: Opener = { kind: 'words', bits: new Uint8Array(16) }
    expect(await restoreBackup(api, DANA, others)).toBe('closed')
    expect(await restoreBackup(api, DANA, password)).toBe('closed')
    expect(restoreSecret).not.toHaveBeenCalled()
  })

  test('dana’s backup opens with the password she chose, and with its words, too', async () => {
    await backUpSecret(api, DANA, [words, password])
    expect(await restoreBackup(api, DANA, password)).toBe('restored')
    expect(await restoreBackup(api, DANA, words)).toBe('restored')
    const another: Opener = { kind: 'password', password: 'wrong horse 9' }
    expect(await restoreBackup(api, DANA, another)).toBe('closed')
  })

  test('dana has no backup before she makes one, so nothing is restored', async () => {
    expect(await restoreBackup(api, DANA, words)).toBe('missing')
    expect(restoreSecret).not.toHaveBeenCalled()
  })

  test('dana’s backup opens only with the new words once she gets new ones', async () => {
    await backUpSecret(api, DANA, [words])
    const fresh: Opener = { kind: 'words', bits: new Uint8Array(16).fill(46) }
    await backUpSecret(api, DANA, [fresh])
    expect(await restoreBackup(api, DANA, words)).toBe('closed')
    expect(await restoreBackup(api, DANA, fresh)).toBe('restored')
  })

  test('dana’s browser makes no backup if her account has another secret by now', async () => {
    renewCredential.mockRejectedValue(new SecretElsewhere())
    await expect(backUpSecret(api, DANA, [words])).rejects.toThrow(SecretElsewhere)
    expect(vault).toBeNull()
  })
})

describe('the words of the first backup, beside a rating', () => {
  const WEEK_MS = 7 * 24 * 3_600_000
  const withWords: Holder = {
    m1: 'a'.repeat(43),
    r: 'b'.repeat(43),
    words: { bits: 'c'.repeat(22) },
  }
  const isOffered = () => offersWords(storedHolder(DANA))
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-03-14T12:00:00Z') })
    storeHolder(DANA, { ...withWords, hasBackup: true })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

  test('dana’s first words are offered until she answers, visit after visit', () => {
    noteWordsOffered(DANA)
    expect(isOffered()).toBe(true)
    pass(WEEK_MS)
    noteWordsOffered(DANA)
    expect(isOffered()).toBe(true)
  })

  test('dana’s first words come once more a week after “Later”, and never again', () => {
    offerWordsLater(DANA)
    pass(WEEK_MS - 1)
    expect(isOffered()).toBe(false)
    pass(1)
    expect(isOffered()).toBe(true)
    // Just seeing the words counts too.
    noteWordsOffered(DANA)
    pass(52 * WEEK_MS)
    expect(isOffered()).toBe(false)
    expect(storedHolder(DANA)?.words?.bits).toBe(withWords.words?.bits)
  })

  test('dana’s first words leave the browser once she has written them down', () => {
    forgetTwelveWords(DANA)
    expect(isOffered()).toBe(false)
    expect(storedHolder(DANA)).toEqual({ m1: withWords.m1, r: withWords.r, hasBackup: true })
  })

  test.each([
    ['their backup is not on the server yet', withWords],
    ['the secret counts no more', { ...withWords, hasBackup: true, isRefused: true }],
  ] as const)('dana’s first words aren’t offered if %s', (_, holder) => {
    storeHolder(DANA, holder)
    expect(isOffered()).toBe(false)
  })
})

describe('dana’s code for another device', () => {
  const PHONE = 'danas-phone'
  const nestle = { name: 'Nestlé', path: '/nestle', formerIds: [] }
  const rating = { id: '1', month: '2026-03', note: '', noteState: 'shown', badge: null } as const
  const stars = { rto: null, dei: null, workLife: null, culture: 4 }
  const onServer = { rating: { ...rating, ...stars }, published: null, isUnpublished: false }
  let sealed: string | undefined
  const sent: { url: string; headers?: object; credentials?: string }[] = []

  beforeEach(() => {
    sealed = undefined
    sent.length = 0
    vi.stubGlobal('sessionStorage', localStorage)
    vi.stubGlobal('addEventListener', () => {})
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      sent.push({ url, ...init } as (typeof sent)[number])
      if (init.method === 'PUT') sealed = JSON.parse(String(init.body)).sealed
      return Response.json(init.method === 'PUT' ? { isKept: true } : { sealed })
    })
    changeRated(DANA, 'nestle', () => ({ ...nestle, onServer }))
    changeRated(DANA, 'amd', () => ({ ...nestle, name: 'AMD', outgoing: { rating: stars } }))
    changeRated(DANA, 'gone', () => ({ ...nestle, name: 'Gone', outgoing: { rating: null } }))
  })
  afterEach(() => {
    dropHandover()
    for (const who of [DANA, PHONE])
      for (const id of Object.keys(ratedBy(who))) changeRated(who, id, () => undefined)
  })

  test('dana’s handover opens only with its code, and sends neither key nor name in plain text', async () => {
    const fragment = await sealHandover(DANA)
    await receiveHandover(fragment)
    const handover = JSON.parse(sessionStorage.getItem('kettle-handover') ?? '')
    expect(handover).toMatchObject({ m1: toBase64url(m1), r: toBase64url(r) })
    expect(handover.rated.map(({ name }: { name: string }) => name)).toEqual(['Nestlé', 'AMD'])
    const code = fragment.slice('#bring='.length)
    expect(JSON.stringify(sent)).not.toContain(code)
    expect(sent.map(({ credentials }) => credentials)).toEqual(['omit', 'omit'])
    expect(JSON.stringify(sent.map(({ headers }) => headers ?? {}))).not.toMatch(/authorization/i)

    await acceptHandover(api, PHONE, handover)
    expect(restoreSecret).toHaveBeenCalledWith(api, PHONE, { m1, r })
    expect(ratedBy(PHONE).nestle).toMatchObject({ name: 'Nestlé', onServer })
    expect(ratedBy(PHONE).amd).toMatchObject({ name: 'AMD', mayExistElsewhere: true })
  })

  test('dana’s handover doesn’t open with another code', async () => {
    const fragment = await sealHandover(DANA)
    const other = fragment.slice(0, -2) + (fragment.endsWith('AA') ? 'gg' : 'AA')
    await expect(receiveHandover(other)).rejects.toThrow()
  })

  test.each([0, 3, 200])('dana’s handover always has one size, with %i ratings', async (count) => {
    for (let i = 0; i < count; i++)
      changeRated(DANA, `company-${i}`, () => ({ ...nestle, name: `Company ${i}`, onServer }))
    await sealHandover(DANA)
    expect(fromBase64url(sealed ?? '')).toHaveLength(HANDOVER_BYTES)
  })
})

test.each([
  ['nowhere', false, undefined],
  ['here', true, {}],
  ['elsewhere', true, undefined],
  ['refused', true, { isRefused: true }],
  // It was drawn, and the server knows of none.
  ['nowhere', false, {}],
] as const)('the secret is %s: committed %s, this browser has %j', (place, isCommitted, stored) => {
  const holder = stored ? { m1: 'm1', r: 'r', ...stored } : null
  expect(secretLocation({ isCommitted }, holder)).toBe(place)
})

test('a failure shows its own sentence, or ours', () => {
  expect(secretProblem(new SecretElsewhere())).toMatch(/^Your ratings are on another device/)
  expect(secretProblem(new ApiError(409, 'conflict', 'A lost secret'))).toBe('A lost secret')
  expect(secretProblem(new TypeError('Failed to fetch'))).toBe(
    'Something went wrong. Please try again.',
  )
})

/** What a passkey is asked for, and what becomes of its answer. */
const answer = new Uint8Array(32).fill(7)
const credentials = { create: vi.fn(), get: vi.fn() }
/** What a browser hands out. */
const credential = (prf?: object) => ({
  rawId: Uint8Array.of(1, 2).buffer,
  getClientExtensionResults: () => ({ prf }),
})
const answering = credential({ results: { first: answer.buffer } })
const requestTo = (mock: typeof credentials.get) => mock.mock.lastCall?.[0].publicKey

beforeEach(() => {
  vi.stubGlobal('navigator', { credentials })
  vi.stubGlobal('location', { hostname: 'kettle.test' })
  for (const mock of Object.values(credentials)) mock.mockReset()
})

describe('a new passkey', () => {
  test('a new passkey is named after the ratings, and its number names no one', async () => {
    credentials.create.mockResolvedValue(answering)
    expect(await makePasskey('danas-profile', 'Dana')).toEqual(answer)
    const { user, rp, extensions, authenticatorSelection } = requestTo(credentials.create)
    expect(user).toMatchObject({ name: 'Dana’s ratings', displayName: 'Dana’s ratings' })
    expect(Buffer.from(user.id)).toHaveLength(32)
    expect(Buffer.from(user.id).toString()).not.toContain('dana')
    expect(rp.id).toBe('kettle.test')
    expect(extensions.prf.eval.first).toBeInstanceOf(Uint8Array)
    expect(authenticatorSelection).toEqual({
      residentKey: 'required',
      userVerification: 'required',
    })
  })

  test('a new passkey that answers only later is asked again', async () => {
    const made = credential({ enabled: true })
    credentials.create.mockResolvedValue(made)
    credentials.get.mockResolvedValue(answering)
    expect(await makePasskey('danas-profile', 'Dana')).toEqual(answer)
    expect(requestTo(credentials.get).allowCredentials).toEqual([
      { type: 'public-key', id: made.rawId },
    ])
  })

  test.each([{}, { enabled: false }, undefined])(
    'a new passkey that can’t unlock anything says so (%j)',
    async (prf) => {
      credentials.create.mockResolvedValue(credential(prf))
      await expect(makePasskey('danas-profile', 'Dana')).rejects.toThrow('Use your twelve words')
      expect(credentials.get).not.toHaveBeenCalled()
    },
  )
})

describe('a passkey that’s asked', () => {
  test('any passkey of this site is accepted, with the same question as when it was made', async () => {
    credentials.create.mockResolvedValue(answering)
    credentials.get.mockResolvedValue(answering)
    await makePasskey('danas-profile', 'Dana')
    expect(await askPasskey()).toEqual(answer)
    const { allowCredentials, rpId, extensions } = requestTo(credentials.get)
    expect({ allowCredentials, rpId }).toEqual({ allowCredentials: [], rpId: 'kettle.test' })
    expect(extensions).toEqual(requestTo(credentials.create).extensions)
  })

  test('a passkey that dana cancels is a sentence', async () => {
    credentials.get.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
    await expect(askPasskey()).rejects.toThrow('was canceled')
  })
})
