import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '../ui/toast.ts'
import { startUpdates, type Updates } from './updates.data.ts'

const OWN = { buildTime: '2026-03-14T08:00:00.000Z', timestamp: 1000 }
const NEXT = { buildTime: '2026-03-14T09:00:00.000Z', timestamp: 2000 }
const MINUTE = 60_000

type Answer = object | 'broken' | 'silent' | 'gone'
let answer: Answer
let faviconAnswer: Answer | undefined
let asked: { path: string; method: string; at: number }[]
let kept: Map<string, string>
let writes: string[]
let isHidden: boolean
let visibilityChanged: Set<() => void>
let isSafe: boolean
let reloads: number
let started: Updates | undefined

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-14T09:30:00Z') })
  answer = OWN
  faviconAnswer = undefined
  asked = []
  kept = new Map()
  writes = []
  isHidden = false
  visibilityChanged = new Set()
  isSafe = true
  reloads = 0
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      kept.set(key, value)
      writes.push(`${key}=${value}`)
    },
  })
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('document', {
    get hidden() {
      return isHidden
    },
    addEventListener: (_: string, listener: () => void) => visibilityChanged.add(listener),
    removeEventListener: (_: string, listener: () => void) => visibilityChanged.delete(listener),
  })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.split('?')[0] ?? ''
    asked.push({ path: url, method: init.method ?? '', at: Date.now() })
    const now = (path === '/favicon.svg' && faviconAnswer) || answer
    if (now === 'broken') throw new TypeError('Failed to fetch')
    if (now === 'gone') return new Response('Not found', { status: 404 })
    if (now === 'silent')
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    return Response.json(now)
  })
  vi.spyOn(console, 'debug').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
})

afterEach(() => {
  started?.stop()
  started = undefined
  dismissToast()
  vi.useRealTimers()
})

function start(own = OWN) {
  started?.stop()
  started = startUpdates({ own, isSafe: () => isSafe, reload: () => reloads++ })
  return started
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const seconds = (from: number) => asked.map(({ at }) => (at - from) / 1000)
const shown = () => currentToasts().filter(({ open }) => open)
const texts = () => shown().map(({ title, description }) => [title, description])

describe('Spec §9: when it looks', () => {
  test('the badge checks every 60 s, the auto-reloader every 2 minutes, and both at once share one request', async () => {
    const from = Date.now()
    start()
    await pass(4 * MINUTE)
    expect(seconds(from)).toEqual([60, 120, 180, 240])
    expect(asked.every(({ method }) => method === 'GET')).toBe(true)
  })

  test('a check has a query that no cache knows', async () => {
    start()
    await pass(2 * MINUTE)
    expect(asked.map(({ path }) => path.replace(/\d+$/, '…'))).toEqual(
      Array(2).fill('/build-time.json?t=…'),
    )
    expect(new Set(asked.map(({ path }) => path)).size).toBe(2)
  })

  test('a hidden tab doesn’t check, and does at once when it’s back, if one is due', async () => {
    start()
    isHidden = true
    for (const changed of visibilityChanged) changed()
    await pass(30 * MINUTE)
    expect(asked).toEqual([])
    isHidden = false
    for (const changed of visibilityChanged) changed()
    await pass(0)
    expect(asked).toHaveLength(1)
    await pass(MINUTE)
    expect(asked).toHaveLength(2)
  })

  test('a check without an answer for 5 s is a failure', async () => {
    answer = 'silent'
    const updates = start()
    for (let i = 0; i < 3; i++) await pass(MINUTE)
    await pass(MINUTE + 4900)
    expect(updates.current().isHidden).toBe(false)
    await pass(200)
    expect(updates.current().isHidden).toBe(true)
  })
})

describe('Spec §4: the update check', () => {
  test('a first visit stores its build without an announcement', async () => {
    const updates = start()
    await pass(5 * MINUTE)
    expect(updates.current().isNew).toBe(false)
    expect(writes).toEqual(['last_build_time=1000'])
  })

  test('the first visit after a deployment announces nothing, because it already has the new version', async () => {
    kept.set('last_build_time', '500')
    const updates = start()
    await pass(5 * MINUTE)
    expect(updates.current().isNew).toBe(false)
    expect(writes).toEqual(['last_build_time=1000'])
    expect(reloads).toBe(0)
  })

  test('the badge stores a different timestamp once, and announces it', async () => {
    const updates = start()
    answer = NEXT
    await pass(MINUTE)
    expect(updates.current()).toMatchObject({ isNew: true, published: NEXT, reloader: 'idle' })
    expect(kept.get('last_build_time')).toBe('2000')
    // The badge says it; no toast beside it.
    expect(texts()).toEqual([])
    isSafe = false
    await pass(5 * MINUTE)
    expect(writes).toEqual(['last_build_time=1000', 'last_build_time=2000'])
  })

  test('the auto-reloader says that it refreshes, and reloads the page', async () => {
    const updates = start()
    answer = NEXT
    await pass(2 * MINUTE)
    expect(texts()).toEqual([['New version available', 'Refreshing to get the latest changes...']])
    expect(updates.current().reloader).toBe('reloading')
    expect(reloads).toBe(0)
    await pass(2000)
    expect(reloads).toBe(1)
  })

  test('both checkers at once make one announcement, without the badge’s click', async () => {
    const updates = start()
    const seen: string[] = []
    updates.watch(() => {
      const { isNew, reloader } = updates.current()
      if (isNew) seen.push(reloader)
    })
    await pass(MINUTE)
    answer = NEXT
    await pass(MINUTE)
    expect(asked).toHaveLength(2)
    expect(new Set(seen)).toEqual(new Set(['reloading']))
    expect(writes.filter((write) => write.endsWith('2000'))).toHaveLength(1)
    expect(shown()).toHaveLength(1)
  })

  test('a tab announces a new version even if another one stored it first', async () => {
    const updates = start()
    answer = NEXT
    kept.set('last_build_time', '2000')
    await pass(MINUTE)
    expect(updates.current().isNew).toBe(true)
  })

  test('a reload that brings the same old page isn’t repeated, as in a deployment midway', async () => {
    start()
    answer = NEXT
    await pass(2 * MINUTE + 2000)
    expect(reloads).toBe(1)
    const again = start()
    await pass(10 * MINUTE)
    expect(again.current().isNew).toBe(false)
    expect(reloads).toBe(1)
  })

  test('a deployment that’s rolled back is no longer news', async () => {
    const updates = start()
    isSafe = false
    answer = NEXT
    await pass(2 * MINUTE)
    expect(updates.current().reloader).toBe('waiting')
    answer = OWN
    await pass(MINUTE)
    expect(updates.current()).toMatchObject({ isNew: false, reloader: 'idle' })
    isSafe = true
    await pass(MINUTE)
    expect(reloads).toBe(0)
  })
})

describe('the auto-reloader and unsaved text', () => {
  test('the auto-reloader waits while dana is in the middle of something, and reloads once it’s safe', async () => {
    const updates = start()
    isSafe = false
    answer = NEXT
    await pass(10 * MINUTE)
    expect(updates.current().reloader).toBe('waiting')
    expect(texts()).toEqual([])
    expect(reloads).toBe(0)
    isSafe = true
    await pass(3000)
    expect(texts()).toHaveLength(1)
    await pass(2000)
    expect(reloads).toBe(1)
  })

  test('the auto-reloader stops if dana begins to write while it announces itself', async () => {
    const updates = start()
    answer = NEXT
    await pass(2 * MINUTE)
    isSafe = false
    await pass(2000)
    expect(reloads).toBe(0)
    expect(updates.current().reloader).toBe('waiting')
    expect(texts()).toEqual([])
  })
})

describe('Spec §8, §9: failures are silent', () => {
  test.each<Answer>(['broken', 'gone', { nonsense: true }])(
    'the badge hides after more than 3 failures in a row, and comes back: %j',
    async (failure) => {
      Object.assign(location, { protocol: 'http:' })
      const updates = start()
      answer = failure
      await pass(3 * MINUTE)
      expect(updates.current().isHidden).toBe(false)
      await pass(MINUTE)
      expect(updates.current().isHidden).toBe(true)
      expect(texts()).toEqual([])
      expect(console.debug).toHaveBeenCalled()
      answer = OWN
      await pass(MINUTE)
      expect(updates.current().isHidden).toBe(false)
      // Earlier failures don't count anymore.
      answer = failure
      await pass(3 * MINUTE)
      expect(updates.current().isHidden).toBe(false)
    },
  )

  test('the log reports unavailability once, after 10 minutes', async () => {
    start()
    answer = 'gone'
    await pass(2 * MINUTE + 9 * MINUTE)
    expect(console.info).not.toHaveBeenCalled()
    await pass(MINUTE)
    expect(console.info).toHaveBeenCalledWith('The site hasn’t answered for 10 minutes')
    await pass(20 * MINUTE)
    expect(console.info).toHaveBeenCalledTimes(1)
  })
})

describe('Spec §4, §8, §9: the certificate', () => {
  test('the certificate is unknown at first, and ok after an answer', async () => {
    const updates = start()
    expect(updates.current().certificate).toBe('unknown')
    await pass(MINUTE)
    expect(updates.current().certificate).toBe('ok')
  })

  test('the warning comes 2 s after the connection broke, and lasts 8 s', async () => {
    const updates = start()
    answer = 'broken'
    await pass(MINUTE)
    expect(asked.at(-1)).toMatchObject({ method: 'HEAD' })
    expect(asked.at(-1)?.path).toMatch(/^\/favicon\.svg\?t=\d+$/)
    await pass(1999)
    expect(texts()).toEqual([])
    await pass(1)
    expect(updates.current().certificate).toBe('certificate-issue')
    expect(shown()).toMatchObject([{ title: 'SSL Certificate Issue Detected', duration: 8000 }])
    dismissToast()
    await pass(10 * MINUTE)
    // The toast shows it once, and the badge keeps showing it.
    expect(texts()).toEqual([])
    expect(updates.current().certificate).toBe('certificate-issue')
  })

  test.each([
    ['that is over within 2 s', () => setTimeout(() => (answer = OWN), 1000)],
    ['that only the build info has', () => (faviconAnswer = { any: 'answer' })],
    ['without a network', () => Object.assign(navigator, { onLine: false })],
    ['where there is no certificate', () => Object.assign(location, { protocol: 'http:' })],
  ])('a break %s alarms no one', async (_, happen) => {
    const updates = start()
    await pass(MINUTE - 1)
    answer = 'broken'
    happen()
    await pass(5000)
    expect(updates.current().certificate).not.toBe('certificate-issue')
    expect(texts()).toEqual([])
  })

  test('Retry checks at once, and all is well again', async () => {
    const updates = start()
    answer = 'broken'
    await pass(MINUTE + 2000)
    expect(updates.current().certificate).toBe('certificate-issue')
    answer = OWN
    await updates.retry()
    expect(updates.current().certificate).toBe('ok')
  })

  test('the second checker logs it as provisioning', async () => {
    start()
    await pass(2 * MINUTE)
    expect(console.debug).toHaveBeenCalledWith('The site’s certificate:', 'ok')
    answer = 'broken'
    await pass(2 * MINUTE)
    expect(console.debug).toHaveBeenCalledWith('The site’s certificate:', 'provisioning')
  })

  test('the page doesn’t reload into a broken connection, but once it’s back', async () => {
    start()
    isSafe = false
    answer = NEXT
    await pass(2 * MINUTE)
    answer = 'broken'
    isSafe = true
    await pass(30_000)
    expect(reloads).toBe(0)
    answer = NEXT
    await pass(2 * MINUTE)
    expect(reloads).toBe(1)
  })
})
