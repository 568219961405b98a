/** When a browser asks for its credential by itself: soon after signing in, in the last month, and never for a rating. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fetchByThisClock } from '#app/kit/session/this-clock.ts'
import { forgetHolder, type Holder, storedHolder, storeHolder } from './holder.data.ts'
import { issueWhenDue } from './issuing.data.ts'
import { SecretElsewhere } from './issuing-problem.data.ts'
import { startIssuing } from './quiet-issuing.data.ts'

vi.mock('./issuing.data.ts', () => ({ issueWhenDue: vi.fn() }))

const DANA = 'dana'
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOON = Date.parse('2026-03-14T12:00:00Z')
const secret = { m1: 'a'.repeat(43), r: 'b'.repeat(43) }
const credential = (quarter: string, renewAt?: string): Holder => ({
  ...secret,
  credential: {
    quarter,
    publicKey: 'k'.repeat(132),
    issued: 'i'.repeat(88),
    ...(renewAt && { renewAt: Date.parse(renewAt) }),
  },
})

/** What chance gives next, from 0 to 1. */
let chance: number
/** Seconds since they signed in; the second factor came a little later. */
let loggedInAgo: number
/** The server's response: it keeps another credential or refuses. */
let issued: Holder | undefined
let isCommitted: boolean
const tried: number[] = []
const stops: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
  chance = 0.5
  loggedInAgo = 0
  issued = credential('2026-Q1', '2026-06-14T12:00:00Z')
  tried.length = 0
  looked = 0
  isCommitted = false
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint32Array) => bytes.fill(Math.floor(chance * (2 ** 32 - 1))),
  })
  vi.mocked(issueWhenDue).mockImplementation(async () => {
    tried.push(Date.now() - NOON)
    if (!issued) throw new Error('Refused')
    storeHolder(DANA, issued)
  })
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  forgetHolder(DANA)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** How often the server was asked where the secret is. */
let looked: number

function openPage() {
  const at = Math.floor(Date.now() / SECOND) - loggedInAgo
  const claims = { amr: [{ method: 'password', timestamp: at - 3 }, { timestamp: at }] }
  const token = `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`
  const api = async () => {
    looked++
    return { isCommitted }
  }
  const stop = startIssuing({ api: api as never, sessionKey: DANA, token: async () => token })
  stops.push(stop)
  return stop
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('the first credential', () => {
  test.each([
    [0, 20 * SECOND],
    [0.5, 160 * SECOND],
    [1, 5 * MINUTE],
  ])(
    'dana’s browser asks for her first credential once, at a random time (%s) soon after she signs in',
    async (drawn, at) => {
      chance = drawn
      openPage()
      await pass(6 * MINUTE)
      expect(tried).toHaveLength(1)
      expect(Math.abs((tried[0] as number) - at)).toBeLessThan(10)
      await pass(30 * DAY)
      expect(tried).toHaveLength(1)
    },
  )

  test('dana’s browser asks while her session is recent, and otherwise after her next sign-in', async () => {
    chance = 1
    loggedInAgo = 8 * 60
    openPage()()
    openPage()
    await pass(DAY)
    expect(tried.map((at) => at / SECOND)).toEqual([expect.closeTo(105, 1)])
    forgetHolder(DANA)
    loggedInAgo = 10 * 60 - 20
    openPage()
    await pass(DAY)
    expect(tried).toHaveLength(1)
    loggedInAgo = 0
    openPage()
    await pass(DAY)
    expect(tried).toHaveLength(2)
  })

  test('dana’s browser asks for her first credential even if its clock is an hour ahead', async () => {
    const behind = { expires_in: HOUR / SECOND, expires_at: NOON / SECOND }
    vi.stubGlobal('fetch', async () => Response.json(behind))
    await fetchByThisClock('https://samovar.example/auth/v1/token')
    loggedInAgo = HOUR / SECOND
    openPage()
    await pass(6 * MINUTE)
    expect(tried).toHaveLength(1)
    const right = { ...behind, expires_at: Date.now() / SECOND + behind.expires_in }
    vi.stubGlobal('fetch', async () => Response.json(right))
    await fetchByThisClock('https://samovar.example/auth/v1/token')
  })

  test('dana’s browser doesn’t ask again on a page that was refused, or ask once a page is closed', async () => {
    issued = undefined
    openPage()
    await pass(DAY)
    expect(tried).toHaveLength(1)
    const close = openPage()
    await pass(19 * SECOND)
    close()
    await pass(DAY)
    expect(tried).toHaveLength(1)
  })

  test('dana’s browser asks for no first credential if one came with a rating or in another tab', async () => {
    openPage()
    await pass(30 * SECOND)
    storeHolder(DANA, credential('2026-Q1', '2026-06-14T12:00:00Z'))
    await pass(DAY)
    expect(tried).toEqual([])
  })

  test.each([
    ['whose secret counts no more', { ...secret, isRefused: true as const }],
    ['who has left', { ...secret, isLeft: true as const }],
  ])('a browser of someone %s asks for no first credential', async (_, holder) => {
    storeHolder(DANA, holder)
    openPage()
    await pass(DAY)
    expect(tried).toEqual([])
  })

  test('dana’s browser asks again with the secret whose request never arrived', async () => {
    storeHolder(DANA, secret)
    openPage()
    await pass(DAY)
    expect(tried).toHaveLength(1)
  })
})

describe('where the secret is', () => {
  const known = () => JSON.parse(localStorage.getItem(`kettle-elsewhere:${DANA}`) ?? 'null')

  test('dana’s browser asks once at login whether another device has her secret', async () => {
    isCommitted = true
    issued = undefined
    openPage()
    await pass(SECOND)
    expect(known()).toMatchObject({ isElsewhere: true })
    expect(tried).toEqual([])
    loggedInAgo = 31
    await pass(30 * SECOND)
    openPage()
    await pass(SECOND)
    expect(looked).toBe(1)
    await pass(HOUR)
    loggedInAgo = 0
    openPage()
    await pass(SECOND)
    expect(looked).toBe(2)
  })

  test.each([
    ['a login from long before, whatever page opens', DAY / SECOND, null],
    ['a browser that has it', 0, secret],
  ])('dana’s browser doesn’t ask where her secret is: %s', async (_, ago, holder) => {
    loggedInAgo = ago
    if (holder) storeHolder(DANA, holder)
    openPage()
    await pass(DAY)
    expect(looked).toBe(0)
  })

  test('dana’s browser learns from a refused request that another device has her secret', async () => {
    vi.mocked(issueWhenDue).mockRejectedValue(new SecretElsewhere())
    openPage()
    await pass(6 * MINUTE)
    expect(known()).toMatchObject({ isElsewhere: true })
  })
})

describe('the next one', () => {
  test('dana’s browser renews at the time it drew weeks ahead, whatever else she does', async () => {
    storeHolder(DANA, credential('2026-Q1', '2026-06-14T12:00:00Z'))
    issued = credential('2026-Q2', '2026-09-20T12:00:00Z')
    openPage()
    await pass(91 * DAY)
    expect(tried).toEqual([])
    await pass(2 * DAY)
    expect(tried).toEqual([Date.parse('2026-06-14T12:00:00Z') - NOON])
    await pass(96 * DAY)
    expect(tried).toHaveLength(1)
    issued = credential('2026-Q3', '2026-12-20T12:00:00Z')
    await pass(2 * DAY)
    expect(tried).toHaveLength(2)
  })

  test.each([
    [0, 20 * SECOND],
    [1, 5 * MINUTE],
  ])(
    'dana’s browser renews some minutes (%s) after a page opens if its month has passed',
    async (drawn, at) => {
      chance = drawn
      storeHolder(DANA, credential('2025-Q3', '2025-12-14T12:00:00Z'))
      // It doesn't need a recent session.
      loggedInAgo = DAY
      openPage()
      await pass(DAY)
      expect(tried).toHaveLength(1)
      expect(Math.abs((tried[0] as number) - at)).toBeLessThan(10)
    },
  )

  test('dana’s browser retries a refused renewal later and quietly', async () => {
    storeHolder(DANA, credential('2025-Q3', '2025-12-14T12:00:00Z'))
    issued = undefined
    openPage()
    await pass(2 * HOUR)
    const [first = 0, second = 0] = tried
    expect(second - first).toBeGreaterThanOrEqual(10 * MINUTE)
    expect(second - first).toBeLessThanOrEqual(HOUR)
  })

  test('dana’s browser also draws a time in the last month for a credential from an older version', async () => {
    storeHolder(DANA, credential('2026-Q1'))
    openPage()
    const { renewAt = 0 } = storedHolder(DANA)?.credential ?? {}
    expect(new Date(renewAt).toISOString().slice(0, 10)).toBe('2026-06-15')
    await pass(DAY)
    expect(tried).toEqual([])
  })
})
