/** What happens when more is asked than can be answered: real sockets, and a handler that waits. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { shutdownOf } from '../operations/shutdown.server.ts'
import { createHttp, type Http } from './http.server.ts'
import { createPageCache } from './page-cache.server.ts'
import { createRateLimit } from './rate-limits.server.ts'
import { createConcurrencyLimit, type Gate } from './work-limits.server.ts'

const [AT_ONCE, WAITING] = [6, 4]

let site: Http
let gate: Gate
let address: string
let begun: number
let refused: string[]
let answer: () => void
let rendering: Promise<void> | undefined

beforeEach(async () => {
  begun = 0
  refused = []
  const answers = new Promise<void>((resolve) => {
    answer = resolve
  })
  gate = createConcurrencyLimit({ atOnce: AT_ONCE, waiting: WAITING, patienceMs: 3_600_000 })
  rendering = undefined
  site = await createHttp({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    pages: {
      keyOf: (url) => url,
      cache: createPageCache(
        async (key) => {
          if (key.startsWith('/slow')) await rendering
          return { status: 200, html: `<p>${key}</p>` }
        },
        { headers: [] },
      ),
      misses: createRateLimit({ name: 'misses', uses: 100, seconds: 60, isOn: true }),
      unavailable: (sentence) => `<h1>${sentence}</h1>`,
    },
    gate,
    figures: {
      answered: () => {},
      page: () => {},
      refused: (why) => refused.push(why),
      leftOut: () => {},
    },
  })
  site.get('/api/v1/slow', async () => {
    begun++
    await answers
    return {}
  })
  site.post('/api/v1/notes', async () => ({}))
  site.get('/healthz', async () => 'ok')
  address = await site.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  answer()
  site.server.closeAllConnections()
  await site.close()
})

const ask = (path: string, init?: RequestInit) => fetch(address + path, init)

/** Fills the site: as many as can are answered, the others wait in turn. */
async function crowd(signal?: AbortSignal) {
  const inside = Array.from({ length: AT_ONCE }, () => ask('/api/v1/slow'))
  await expect.poll(() => begun).toBe(AT_ONCE)
  const waiting = Array.from({ length: WAITING }, () => ask('/api/v1/slow', { signal }))
  await expect.poll(() => gate.waiting).toBe(WAITING)
  return { inside, waiting }
}
const statusesOf = async (answers: Promise<Response>[]) =>
  new Set((await Promise.all(answers)).map(({ status }) => status))

test('a request is refused at once when all places are taken, with when to retry', async () => {
  await ask('/kept')
  const { inside, waiting } = await crowd()
  const refusal = await ask('/api/v1/slow')
  expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refusal.json()).toEqual({
    error: { code: 'unavailable', message: expect.stringContaining('Please try again') },
  })
  expect((await ask('/api/v1/notes', { method: 'POST' })).status).toBe(503)
  const page = await ask('/new', { headers: { accept: 'text/html,*/*' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('very busy right now')
  expect(new Set(refused)).toEqual(new Set(['busy']))
  // What is kept, and what a machine asks that watches over it, flow on.
  expect((await ask('/kept')).status).toBe(200)
  expect((await ask('/healthz')).status).toBe(200)
  answer()
  expect(await statusesOf([...inside, ...waiting])).toEqual(new Set([200]))
  expect(gate).toMatchObject({ inside: 0, waiting: 0 })
  expect((await ask('/new')).status).toBe(200)
  expect((await ask('/api/v1/notes', { method: 'POST' })).status).toBe(200)
})

test('a request whose sender left while waiting never starts', async () => {
  const leaving = new AbortController()
  const { inside, waiting } = await crowd(leaving.signal)
  leaving.abort()
  await Promise.allSettled(waiting)
  await expect.poll(() => shutdownOf(site).open.size).toBe(AT_ONCE)
  answer()
  expect(await statusesOf(inside)).toEqual(new Set([200]))
  expect((await ask('/api/v1/slow')).status).toBe(200)
  expect(begun).toBe(AT_ONCE + 1)
})

test('rendering a page takes a place until the page is sent', async () => {
  rendering = new Promise((resolve) => {
    answer = resolve
  })
  const pages = Array.from({ length: AT_ONCE + WAITING }, (_, n) => ask(`/slow/${n}`))
  await expect.poll(() => gate.isFull).toBe(true)
  expect((await ask('/slow/too-many')).status).toBe(503)
  answer()
  expect(await statusesOf(pages)).toEqual(new Set([200]))
  expect(gate).toMatchObject({ inside: 0, waiting: 0 })
})

test('a network that requests too many pages reads a page that tells it to wait', async () => {
  await ask('/kept')
  for (let n = 1; n < 100; n++) expect((await ask(`/made-up-${n}`)).status).toBe(200)
  const page = await ask('/made-up-100')
  expect(page.status).toBe(429)
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await page.text()).toContain('Too many requests')
  expect(refused).toEqual(['page-limit'])
  expect((await ask('/kept')).status).toBe(200)
})
