/** What is given from a browser is sent by itself, and nothing of it is lost on the way. */
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { badgesOf, keepBadge } from '#app/companies/badges/stored-badges.data.ts'
import { RATING_PENDING } from '#app/companies/own-rating/own-rating.ts'
import { leaveRatings, ratingsHere } from '#app/identity/credentials/account-departure.data.ts'
import { storedHolder, storeHolder } from '#app/identity/credentials/holder.data.ts'
import { removalKey } from '#app/identity/credentials/holder-keys.data.ts'
import { CredentialExpired } from '#app/identity/credentials/issuing-problem.data.ts'
import {
  changeRated,
  changeSubmission,
  ratedBy,
  sendAgain,
  sendAwaiting,
  sendLater,
  submissionsBy,
} from '#app/identity/credentials/rated.data.ts'
import { beQuietAbout, endQuiet, isQuietAbout } from '#app/kit/session/quiet-companies.data.ts'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { aBenefits } from '#tests/support/benefits.ts'
import { anInterview } from '#tests/support/interviews.ts'
import { aPay } from '#tests/support/pay.ts'
import { benefitsSubject } from '../benefits/benefits.ts'
import { interviewSubject } from '../interviews/interview.ts'
import { paySubject } from '../pay/pay.ts'
import { entriesOfThisBrowser, removeOwnEntry } from './own-entries.data.ts'
import { keepServerRating, seekRating } from './presented-rating.data.ts'
import {
  presentedBenefitsBody,
  presentedBody,
  presentedInterviewBody,
  presentedPayBody,
} from './presenting.data.ts'
import { startOutbox } from './rating-outbox.data.ts'

const DANA = 'dana'
const ACME = { id: '00000000-0000-4000-8000-000000000001', name: 'Acme', path: '/acme' }
const THREE_MINUTES = 3 * 60_000
const HOUR = 60 * 60_000
const rating = { rto: 4, dei: null, workLife: null, culture: null }

// presented.db.test.ts checks the proofs, where the server receives them.
vi.mock('./presenting.data.ts', () => ({
  presentedBody: vi.fn(),
  presentedPayBody: vi.fn(),
  presentedInterviewBody: vi.fn(),
  presentedBenefitsBody: vi.fn(),
}))

let asked: string[] = []
let bodies: string[] = []
/** The first number of a rating in the tests' quarter. */
const NUMBER = 104_001
/** The statuses of the next answers, then 200. */
let answers: number[] = []
/** The rating that the site says it has. */
let there: object = {}
const GONE = { rating: null, published: null, isUnpublished: false }

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-14T12:00:00Z') })
  asked = []
  bodies = []
  answers = []
  vi.mocked(presentedBody)
    .mockReset()
    .mockReturnValue({ version: 1 } as never)
  there = GONE
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    asked.push(`${method} ${url}`)
    bodies.push(String(body))
    const status = answers.shift() ?? 200
    return new Response(JSON.stringify(status === 200 ? there : {}), { status })
  })
  storeHolder(DANA, { m1: 'a'.repeat(43), r: 'b'.repeat(43) })
})

afterEach(() => {
  dismissToast()
  changeRated(DANA, ACME.id, () => undefined)
  endQuiet(ACME.id, 0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const start = () =>
  startOutbox({
    queryClient: new QueryClient(),
    member: {
      sessionKey: DANA,
      api: (async (endpoint: string) => {
        asked.push(`as dana ${endpoint}`)
        return { isRemoved: true }
      }) as never,
    },
  })

const open = () => currentToasts().filter((it) => it.open)
const PRESENTED = `PUT /api/v1/companies/${ACME.id}/presented-rating`
const REMOVAL = `POST /api/v1/companies/${ACME.id}/rating-by-key/remove`

test('a removal is sent some time later and retried until it arrives', async () => {
  answers = [503, 429, 200]
  sendLater(DANA, ACME, { rating: null, formerIds: [] })
  const stop = start()
  await vi.advanceTimersByTimeAsync(14_000)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(3 * THREE_MINUTES)
  expect(asked).toEqual([REMOVAL, REMOVAL, REMOVAL])
  expect(ratedBy(DANA)).toEqual({})
  stop()
})

/** What the server adds to a rating. */
const ANSWERED = { id: 'r-1', month: '2026-03', noteState: 'shown' as const, badge: null }

test('a removal of a rating that another device changed is sent again with that change’s key', async () => {
  const GIVEN = { ...rating, ...ANSWERED, note: '' }
  const waiting = { rating: GIVEN, published: null, isUnpublished: true }
  const removalKeys = () => bodies.map((body) => JSON.parse(body).removalKey)
  changeRated(DANA, ACME.id, () => ({
    name: 'Acme',
    path: '/acme',
    formerIds: [],
    onServer: { ...waiting, version: NUMBER },
  }))
  sendLater(DANA, ACME, { rating: null, formerIds: [] })
  there = { ...waiting, version: NUMBER + 4, isOther: true }
  const stop = start()
  while (asked.length === 0) await vi.advanceTimersByTimeAsync(1_000)
  there = GONE
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  expect(asked).toEqual([REMOVAL, REMOVAL])
  expect(removalKeys()).toEqual([
    removalKey(DANA, ACME.id, NUMBER),
    removalKey(DANA, ACME.id, NUMBER + 4),
  ])
  expect(ratedBy(DANA)).toEqual({})
  stop()
})

test('a rating’s numbers never repeat, even after a removed rating is forgotten', async () => {
  sendLater(DANA, ACME, { rating, formerIds: [] })
  expect(ratedBy(DANA)[ACME.id]?.outgoing?.version).toBe(NUMBER)
  sendLater(DANA, ACME, { rating, formerIds: [] })
  expect(ratedBy(DANA)[ACME.id]?.outgoing?.version).toBe(NUMBER + 1)
  changeRated(DANA, ACME.id, () => undefined)
  vi.setSystemTime(new Date('2026-04-01T12:00:00Z'))
  sendLater(DANA, ACME, { rating, formerIds: [] })
  expect(ratedBy(DANA)[ACME.id]?.outgoing?.version).toBe(NUMBER + 1_000)
})

test('removing a rating also removes the account’s old one that it replaced', async () => {
  sendLater(DANA, ACME, { rating: null, formerIds: [], replacesOld: true })
  const stop = start()
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  // Much later, so a request with an identity doesn't show when the anonymous one came.
  expect(asked).toEqual([REMOVAL])
  await vi.advanceTimersByTimeAsync(12 * HOUR)
  expect(asked).toEqual([REMOVAL, 'as dana DELETE /api/v1/companies/{id}/my-rating'])
  stop()
})

test('dana is thanked once her rating is on the server, and hears when it counts', async () => {
  answers = [503, 200]
  there = {
    rating: { ...rating, note: '', noteState: 'shown' },
    published: null,
    isUnpublished: true,
  }
  sendLater(DANA, ACME, { rating, formerIds: [] })
  const stop = start()
  while (asked.length === 0) await vi.advanceTimersByTimeAsync(1_000)
  expect(open()).toEqual([])
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  expect(open()).toMatchObject([
    { title: 'Thank you for rating Acme', description: RATING_PENDING },
  ])

  sendLater(DANA, ACME, { rating: { ...rating, rto: 1 }, formerIds: [] })
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  sendLater(DANA, ACME, { rating: null, formerIds: [] })
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  expect(open().map(({ title }) => title)).toEqual([
    'Thank you for rating Acme',
    'Your rating of Acme has changed',
    'Your rating of Acme was removed',
  ])
  stop()
})

describe('a rating whose tab is closed too soon, in browsers that send later', () => {
  const onServer = {
    rating: { ...rating, note: '', noteState: 'shown' },
    published: null,
    isUnpublished: true,
  }
  let kept: Map<string, string>
  let worker: (() => Promise<void>) | undefined
  const registered = vi.fn()
  const unregister = vi.fn()

  beforeEach(async () => {
    kept = new Map()
    worker = undefined
    const cache = {
      put: async (key: string, answer: Response) => void kept.set(key, await answer.text()),
      match: async (key: string) => (kept.has(key) ? new Response(kept.get(key)) : undefined),
      delete: async (key: string) => kept.delete(key),
      keys: async () => [...kept.keys()],
    }
    vi.stubGlobal('SyncManager', class {})
    vi.stubGlobal('caches', { open: async () => cache, delete: async () => kept.clear() })
    const registration = { active: {}, sync: { register: registered }, unregister }
    vi.stubGlobal('navigator', {
      serviceWorker: {
        register: async () => registration,
        getRegistrations: async () => [registration],
      },
    })
    vi.stubGlobal('self', {
      addEventListener: (_: 'sync', listener: (event: object) => void) => {
        worker = () => new Promise((waitUntil) => listener({ waitUntil }))
      },
    })
    vi.resetModules()
    await import('./handed-over.worker.ts')
    there = onServer
  })

  const closeTab = async () => {
    const stop = start()
    await vi.advanceTimersByTimeAsync(1_000)
    stop()
    expect(registered).toHaveBeenCalledWith('rating')
    expect(asked).toEqual([])
  }

  test('an unsent rating is sent once by the browser at the drawn moment, and dana is thanked on her next visit', async () => {
    sendLater(DANA, ACME, { rating, formerIds: [] })
    await closeTab()
    const sent = worker?.()
    await vi.advanceTimersByTimeAsync(13_000)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    await sent
    expect(asked).toEqual([PRESENTED])
    expect(open()).toEqual([])

    const stop = start()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(asked).toEqual([PRESENTED])
    expect(open()).toMatchObject([{ title: 'Thank you for rating Acme' }])
    expect(ratedBy(DANA)[ACME.id]).toMatchObject({ onServer })
    expect(ratedBy(DANA)[ACME.id]?.outgoing).toBeUndefined()
    expect(kept.size).toBe(0)
    expect(unregister).toHaveBeenCalled()
    stop()
  })

  test('an unsent rating waits for the next visit if an older version handed it over', async () => {
    const endpoint = 'POST /api/v1/companies/{id}/held-rating/remove'
    const request = { endpoint, params: { id: ACME.id }, body: { keys: [] } }
    sendLater(DANA, ACME, { rating: null, formerIds: [] })
    const { dueAt } = ratedBy(DANA)[ACME.id] ?? {}
    kept.set(`/handed-over/${ACME.id}`, JSON.stringify({ request, dueAt }))
    await worker?.()
    expect(asked).toEqual([])
    await closeTab()
    const sent = worker?.()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    await sent
    expect(asked).toEqual([REMOVAL])
  })

  test('an unsent rating stays with the page if one is open, and isn’t sent once it’s removed', async () => {
    sendLater(DANA, ACME, { rating, formerIds: [] })
    const stop = start()
    const sent = worker?.()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    await sent
    expect(asked).toEqual([PRESENTED])
    sendLater(DANA, ACME, { rating: null, formerIds: [] })
    await vi.advanceTimersByTimeAsync(1_000)
    stop()
    const taken = worker?.()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    await taken
    expect(asked).toEqual([PRESENTED, REMOVAL])
  })

  test('an unsent rating is sent again if the site was away, and from the page if it was refused', async () => {
    answers = [503]
    sendLater(DANA, ACME, { rating, formerIds: [] })
    await closeTab()
    const failed = worker?.().catch((error: Error) => error.name)
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(await failed).toBe('ApiError')
    answers = [400]
    const refused = worker?.()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    await refused
    expect(kept.size).toBe(0)
    answers = [400]
    const stop = start()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(asked).toEqual([PRESENTED, PRESENTED, PRESENTED])
    expect(ratedBy(DANA)[ACME.id]?.outgoing?.problem).toEqual(expect.any(String))
    stop()
  })
})

test('a rating isn’t sent twice if a page opens while another tab sends', async () => {
  let others = Promise.resolve()
  vi.stubGlobal('navigator', {
    locks: { request: (_: string, work: () => Promise<void>) => (others = others.then(work)) },
  })
  let answer = () => {}
  const { fetch } = globalThis
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return fetch(url, init)
  })
  sendLater(DANA, ACME, { rating, formerIds: [] })
  const stops = [start()]
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  stops.push(start())
  await vi.advanceTimersByTimeAsync(1_000)
  vi.stubGlobal('fetch', fetch)
  answer()
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  expect(asked).toEqual([PRESENTED])
  for (const stop of stops) stop()
})

describe('a rating with an expired credential', () => {
  const runOut = () => {
    throw new CredentialExpired()
  }

  test('a rating with an expired credential waits, and goes some time after the next one arrives by itself', async () => {
    vi.mocked(presentedBody).mockImplementation(runOut)
    sendLater(DANA, ACME, { rating, formerIds: [] })
    const stop = start()
    await vi.advanceTimersByTimeAsync(10 * THREE_MINUTES)
    expect(asked).toEqual([])
    expect(ratedBy(DANA)[ACME.id]?.outgoing).toMatchObject({ needsCredential: true })
    expect(ratedBy(DANA)[ACME.id]?.outgoing?.problem).toBeUndefined()
    vi.mocked(presentedBody).mockReturnValue({} as never)
    sendAwaiting(DANA)
    // Right afterwards, the site could tell that both are one person's.
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(20 * THREE_MINUTES)
    expect(asked).toEqual([PRESENTED])
    stop()
  })

  test('a rating with an expired credential doesn’t wait if its author has left, as no other one will come', async () => {
    vi.mocked(presentedBody).mockImplementation(runOut)
    sendLater(DANA, ACME, { rating, formerIds: [] })
    storeHolder(DANA, { m1: 'a'.repeat(43), r: 'b'.repeat(43), isLeft: true })
    const stop = start()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(asked).toEqual([])
    expect(ratedBy(DANA)).toEqual({})
    expect(storedHolder(DANA)).toBeNull()
    stop()
  })
})

describe('a proof that is refused', () => {
  const credential = { quarter: '2026-Q1', publicKey: 'k'.repeat(132), issued: 'i'.repeat(88) }
  const badge = { domain: 'acme.example', quarter: '2026-Q1' }
  const storedBadge = { ...badge, company: ACME, m1: 'a'.repeat(43), publicKey: 'k', issued: 'i' }

  test.each([
    ['of a credential', undefined],
    ['of a badge', { domain: badge.domain }],
  ])('the refusal %s shows, asks for nothing and forgets nothing', async (_, shown) => {
    answers = [400]
    storeHolder(DANA, { m1: 'a'.repeat(43), r: 'b'.repeat(43), credential })
    keepBadge(DANA, storedBadge)
    sendLater(DANA, ACME, { rating, formerIds: [], ...(shown && { badge: shown }) })
    const stop = start()
    await vi.advanceTimersByTimeAsync(3 * THREE_MINUTES)
    expect(asked).toEqual([PRESENTED])
    expect(ratedBy(DANA)[ACME.id]?.outgoing?.problem).toEqual(expect.any(String))
    expect(storedHolder(DANA)).toMatchObject({ credential })
    expect(badgesOf(DANA)).toHaveLength(1)
    stop()
  })

  test('a refused proof is sent again after the usual pause if its author says so', async () => {
    answers = [400]
    sendLater(DANA, ACME, { rating, formerIds: [] })
    const stop = start()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    sendAgain(DANA, ACME.id)
    expect(ratedBy(DANA)[ACME.id]?.outgoing?.problem).toBeUndefined()
    await vi.advanceTimersByTimeAsync(14_000)
    expect(asked).toEqual([PRESENTED])
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(asked).toEqual([PRESENTED, PRESENTED])
    stop()
  })
})

describe('a rating from another device', () => {
  const OTHER = {
    rto: 1,
    dei: null,
    workLife: null,
    culture: null,
    note: 'Cold',
    noteState: 'shown',
  }
  const theirs = { rating: OTHER, published: null, isUnpublished: true, isOther: true }
  const supersededByLast = () => vi.mocked(presentedBody).mock.lastCall?.[2].supersedes

  test('another device’s rating stays, and this one is sent once its author says so', async () => {
    there = theirs
    sendLater(DANA, ACME, { rating, formerIds: [] })
    const stop = start()
    await vi.advanceTimersByTimeAsync(3 * THREE_MINUTES)
    expect(asked).toEqual([PRESENTED])
    expect(supersededByLast()).toEqual([])
    expect(ratedBy(DANA)[ACME.id]).toMatchObject({
      onServer: { rating: { rto: 1, note: 'Cold' } },
      outgoing: { rating: { rto: 4 }, hasConflict: true },
    })
    there = {
      rating: { ...rating, note: '', noteState: 'shown' },
      published: null,
      isUnpublished: true,
    }
    sendAgain(DANA, ACME.id)
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(asked).toEqual([PRESENTED, PRESENTED])
    expect(supersededByLast()).toMatchObject([{ rto: 4 }, { rto: 1, note: 'Cold' }])
    expect(ratedBy(DANA)[ACME.id]?.outgoing).toBeUndefined()
    stop()
  })

  test('another device’s removal lets this rating go again later with a higher number', async () => {
    there = { ...theirs, rating: null, isUnpublished: false, version: NUMBER + 6 }
    sendLater(DANA, ACME, { rating, formerIds: [] })
    const stop = start()
    while (asked.length === 0) await vi.advanceTimersByTimeAsync(1_000)
    expect(vi.mocked(presentedBody).mock.lastCall?.[2].version).toBe(NUMBER)
    there = {
      rating: { ...rating, note: '', noteState: 'shown' },
      published: null,
      isUnpublished: true,
      version: NUMBER + 7,
    }
    await vi.advanceTimersByTimeAsync(3 * THREE_MINUTES)
    expect(asked).toEqual([PRESENTED, PRESENTED])
    expect(vi.mocked(presentedBody).mock.lastCall?.[2].version).toBe(NUMBER + 7)
    expect(ratedBy(DANA)[ACME.id]?.outgoing).toBeUndefined()
    sendLater(DANA, ACME, { rating: { ...rating, rto: 2 }, formerIds: [] })
    await vi.advanceTimersByTimeAsync(3 * THREE_MINUTES)
    expect(vi.mocked(presentedBody).mock.lastCall?.[2].version).toBe(NUMBER + 8)
    stop()
  })

  test('another device’s rating is kept if its author says so, and nothing more is sent', async () => {
    there = theirs
    sendLater(DANA, ACME, { rating, formerIds: [] })
    const stop = start()
    await vi.advanceTimersByTimeAsync(3 * THREE_MINUTES)
    keepServerRating(DANA, ACME.id)
    await vi.advanceTimersByTimeAsync(3 * THREE_MINUTES)
    expect(asked).toEqual([PRESENTED])
    expect(ratedBy(DANA)[ACME.id]).toMatchObject({ onServer: { rating: { rto: 1 } } })
    expect(ratedBy(DANA)[ACME.id]?.outgoing).toBeUndefined()
    stop()
  })

  test('another device’s rating is this one’s if it was sent from here and only the answer was lost', async () => {
    answers = [503]
    sendLater(DANA, ACME, { rating, formerIds: [] })
    const stop = start()
    while (asked.length === 0) await vi.advanceTimersByTimeAsync(1_000)
    sendLater(DANA, ACME, { rating: { ...rating, rto: 5 }, formerIds: [] })
    there = {
      rating: { ...rating, rto: 5, note: '', noteState: 'shown' },
      published: null,
      isUnpublished: true,
    }
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(supersededByLast()).toMatchObject([{ rto: 4 }])
    stop()
  })
})

test('a refused rating stays with its reason and isn’t sent again', async () => {
  answers = [410]
  sendLater(DANA, ACME, { rating: null, formerIds: [] })
  const stop = start()
  await vi.advanceTimersByTimeAsync(3 * THREE_MINUTES)
  expect(asked).toEqual([REMOVAL])
  expect(ratedBy(DANA)[ACME.id]?.outgoing?.problem).toEqual(expect.any(String))
  stop()
})

const QUESTION = `POST /api/v1/companies/${ACME.id}/rating-by-key`
const GIVEN = { ...ANSWERED, rto: 4, dei: null, workLife: null, culture: null, note: 'Cold' }
const waits = { rating: GIVEN, published: null, isUnpublished: true }

test('the browser asks hours apart, by key only, what became of a rating', async () => {
  there = waits
  const of = { name: 'Acme', path: '/acme', formerIds: [], onServer: waits }
  changeRated(DANA, ACME.id, () => ({ ...of, checkAt: Date.now() + 8 * HOUR }))
  const stop = start()
  await vi.advanceTimersByTimeAsync(7 * HOUR)
  expect(asked).toEqual([])
  there = { rating: GIVEN, published: GIVEN, isUnpublished: false }
  await vi.advanceTimersByTimeAsync(2 * HOUR)
  expect(asked).toEqual([QUESTION])
  expect(ratedBy(DANA)[ACME.id]?.onServer).toEqual(there)
  await vi.advanceTimersByTimeAsync(6 * HOUR)
  expect(asked).toEqual([QUESTION])
  stop()
})

test('a rating that an older version stored under other names is still known', () => {
  const acme = { name: 'Acme', path: '/acme', formerIds: [] }
  const older = { rating: GIVEN, published: null, isWaiting: true, nth: 7 }
  const newer = { rating: GIVEN, published: null, isUnpublished: true, version: 7 }
  const stored = {
    [ACME.id]: { ...acme, held: older, askAt: 1, isSought: true, isAwaited: true },
    moved: { ...acme, onServer: older },
    sent: { ...acme, outgoing: { rating: GIVEN, over: [GIVEN], nth: 8, isAsked: true } },
    waits: { ...acme, outgoing: { rating: null, isAwaiting: true } },
  }
  localStorage.setItem(`kettle-rated:${DANA}`, JSON.stringify(stored))
  expect(ratedBy(DANA)).toEqual({
    [ACME.id]: { ...acme, onServer: newer, checkAt: 1, mayExistElsewhere: true, isRestoring: true },
    moved: { ...acme, onServer: newer },
    sent: {
      ...acme,
      outgoing: { rating: GIVEN, supersedes: [GIVEN], version: 8, hasConflict: true },
    },
    waits: { ...acme, outgoing: { rating: null, needsCredential: true } },
  })
})

test('nothing is asked while a form is open, and an older version’s ratings are checked within the hour', async () => {
  there = waits
  changeRated(DANA, ACME.id, () => ({ name: 'Acme', path: '/acme', formerIds: [] }))
  beQuietAbout(ACME.id, null)
  const stop = start()
  await vi.advanceTimersByTimeAsync(40 * HOUR)
  expect(asked).toEqual([])
  endQuiet(ACME.id, 0)
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(asked).toEqual([QUESTION])
  expect(ratedBy(DANA)[ACME.id]?.onServer).toEqual(waits)
  stop()
})

test('the browser looks minutes later for a rating from another device and stores nothing if there’s none', async () => {
  seekRating({ company: ACME, sessionKey: DANA }, [])
  const stop = start()
  await vi.advanceTimersByTimeAsync(14_000)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  expect(asked).toEqual([QUESTION])
  expect(ratedBy(DANA)).toEqual({})
  stop()
})

test('opening the form again doesn’t postpone the lookup', async () => {
  seekRating({ company: ACME, sessionKey: DANA }, [], true)
  const { checkAt } = ratedBy(DANA)[ACME.id] ?? {}
  vi.setSystemTime(Date.now() + 14_000)
  seekRating({ company: ACME, sessionKey: DANA }, [], true)
  expect(ratedBy(DANA)[ACME.id]?.checkAt).toBe(checkAt)
})

test('a rating looked up from an open form is asked for after a pause', async () => {
  there = waits
  seekRating({ company: ACME, sessionKey: DANA }, [])
  seekRating({ company: ACME, sessionKey: DANA }, [], true)
  beQuietAbout(ACME.id, null)
  const stop = start()
  await vi.advanceTimersByTimeAsync(14_000)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  expect(asked).toEqual([QUESTION])
  expect(ratedBy(DANA)[ACME.id]).toMatchObject({ onServer: waits })
  expect(ratedBy(DANA)[ACME.id]?.isRestoring).toBeUndefined()
  stop()
})

test('the browser asks nothing about a company from rating it until some time after it’s sent', async () => {
  sendLater(DANA, ACME, { rating: null, formerIds: [] })
  const stop = start()
  expect(isQuietAbout(`/api/v1/companies/${ACME.id.toUpperCase()}/follow`)).toBe(true)
  await vi.advanceTimersByTimeAsync(2 * 60_000)
  expect(asked).toEqual([REMOVAL])
  expect(isQuietAbout(ACME.id)).toBe(true)
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(isQuietAbout(ACME.id)).toBe(false)
  stop()
})

describe('a year’s pay', () => {
  const PAY = { ...aPay(), year: 2026 }
  const SUBJECT = paySubject(ACME.id, 2026)
  const GIVING = `PUT /api/v1/companies/${ACME.id}/presented-pay`
  const TAKING = `POST /api/v1/companies/${ACME.id}/pay-by-key/remove`
  const give = () =>
    sendLater(DANA, ACME, { rating: PAY, formerIds: [] }, (id) => paySubject(id, PAY.year))
  const take = () =>
    removeOwnEntry('pay', { company: ACME, sessionKey: DANA, formerIds: [] }, PAY.year)
  beforeEach(() => {
    vi.mocked(presentedPayBody).mockReturnValue({ pay: PAY, version: NUMBER } as never)
    there = { version: NUMBER }
  })
  afterEach(() => changeSubmission(DANA, SUBJECT, () => undefined))

  test('is sent apart from a rating of the same company, which stays quiet until both have arrived', async () => {
    give()
    const stop = start()
    sendLater(DANA, ACME, { rating: { ...rating, note: '' }, formerIds: [] })
    expect(entriesOfThisBrowser('pay', DANA)).toMatchObject([
      { company: 'Acme', base: 120_000, isSent: false },
    ])
    expect(Object.keys(ratedBy(DANA))).toEqual([ACME.id])
    answers = [503, 503]
    await vi.advanceTimersByTimeAsync(2 * THREE_MINUTES)
    expect(asked.toSorted()).toContain(GIVING)
    expect(entriesOfThisBrowser('pay', DANA)).toMatchObject([{ base: 120_000, isSent: true }])
    expect(submissionsBy(DANA)[SUBJECT]).toMatchObject({ onServer: { version: NUMBER } })
    stop()
  })

  test('leaves this browser once it’s removed, even if another device changed it meanwhile', async () => {
    give()
    const stop = start()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    asked = []
    bodies = []
    there = { version: NUMBER + 7, isOther: true }
    take()
    while (asked.length === 0) await vi.advanceTimersByTimeAsync(1_000)
    const first = JSON.parse(bodies[0] ?? '').removalKey
    there = { version: NUMBER + 7 }
    await vi.advanceTimersByTimeAsync(130_000)
    expect(new Set(asked)).toEqual(new Set([TAKING]))
    expect(first).toBe(removalKey(DANA, SUBJECT, NUMBER))
    expect(JSON.parse(bodies.at(-1) ?? '').removalKey).toBe(removalKey(DANA, SUBJECT, NUMBER + 7))
    expect(submissionsBy(DANA)).toEqual({})
    stop()
  })

  test('has a higher number if another device was faster, because the last one typed counts', async () => {
    give()
    there = { version: NUMBER + 3, isOther: true }
    const stop = start()
    while (asked.length === 0) await vi.advanceTimersByTimeAsync(1_000)
    expect(submissionsBy(DANA)[SUBJECT]?.outgoing).toMatchObject({ version: NUMBER + 4 })
    there = { version: NUMBER + 4 }
    await vi.advanceTimersByTimeAsync(130_000)
    expect(entriesOfThisBrowser('pay', DANA)).toMatchObject([{ isSent: true }])
    stop()
  })

  test('is removed when its person leaves and wants everything gone', async () => {
    give()
    expect(ratingsHere(DANA)).toBe(1)
    leaveRatings(DANA, 'remove')
    expect(submissionsBy(DANA)[SUBJECT]).toMatchObject({ outgoing: { rating: null } })
  })
})

test('an interview is sent by itself, and its browser asks hours later what moderators did to its text', async () => {
  const INTERVIEW = anInterview()
  const INTERVIEW_ID = '00000000-0000-4000-8000-000000000009'
  const subject = interviewSubject(ACME.id, INTERVIEW.year)
  vi.mocked(presentedInterviewBody).mockReturnValue({ interview: INTERVIEW, version: 1 } as never)
  sendLater(DANA, ACME, { rating: INTERVIEW, formerIds: [] }, (id) =>
    interviewSubject(id, INTERVIEW.year),
  )
  there = { id: INTERVIEW_ID, version: NUMBER }
  const stop = start()
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  expect(asked).toEqual([`PUT /api/v1/companies/${ACME.id}/presented-interview`])
  expect(entriesOfThisBrowser('interview', DANA)).toMatchObject([
    { id: INTERVIEW_ID, weeks: 3, isSent: true },
  ])
  asked = []
  there = { post: { id: INTERVIEW_ID, state: 'removed' } }
  await vi.advanceTimersByTimeAsync(60 * HOUR)
  expect(new Set(asked)).toEqual(new Set([`POST /api/v1/notes/${INTERVIEW_ID}/by-key`]))
  expect(submissionsBy(DANA)[subject]?.onServer).toMatchObject({ post: { state: 'removed' } })
  there = { version: NUMBER }
  removeOwnEntry('interview', { company: ACME, sessionKey: DANA, formerIds: [] }, INTERVIEW.year)
  await vi.advanceTimersByTimeAsync(THREE_MINUTES)
  expect(submissionsBy(DANA)).toEqual({})
  stop()
})

describe('a year’s benefits', () => {
  const SUBJECT = benefitsSubject(ACME.id, 2026)
  const give = () =>
    sendLater(DANA, ACME, { rating: aBenefits(), formerIds: [] }, (id) => benefitsSubject(id, 2026))
  beforeEach(() => {
    const body = { benefits: aBenefits(), version: NUMBER }
    vi.mocked(presentedBenefitsBody).mockReturnValue(body as never)
    there = { version: NUMBER }
  })
  afterEach(() => changeSubmission(DANA, SUBJECT, () => undefined))

  test('are sent and removed by themselves, and are neither pay nor a rating', async () => {
    give()
    const stop = start()
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(asked).toEqual([`PUT /api/v1/companies/${ACME.id}/presented-benefits`])
    expect(entriesOfThisBrowser('benefits', DANA)).toMatchObject([
      { company: 'Acme', daysOff: 28, isSent: true },
    ])
    expect([entriesOfThisBrowser('pay', DANA), Object.keys(ratedBy(DANA))]).toEqual([[], []])
    expect(open()).toMatchObject([{ title: 'Thank you for giving your list of benefits at Acme' }])
    asked = []
    removeOwnEntry('benefits', { company: ACME, sessionKey: DANA, formerIds: [] }, 2026)
    await vi.advanceTimersByTimeAsync(THREE_MINUTES)
    expect(asked).toEqual([`POST /api/v1/companies/${ACME.id}/benefits-by-key/remove`])
    expect(JSON.parse(bodies.at(-1) ?? '').removalKey).toBe(removalKey(DANA, SUBJECT, NUMBER))
    expect(submissionsBy(DANA)).toEqual({})
    stop()
  })

  test('are removed when their person leaves and wants everything gone', () => {
    give()
    expect(ratingsHere(DANA)).toBe(1)
    leaveRatings(DANA, 'remove')
    expect(submissionsBy(DANA)[SUBJECT]).toMatchObject({ outgoing: { rating: null } })
  })
})
