import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { createHttp, type Http } from './http.server.ts'
import { createPageCache } from './page-cache.server.ts'
import { createUnavailableLog, OutcomeUnknown, Unavailable } from './unavailable.ts'

let site: Http
beforeAll(async () => {
  const cache = createPageCache(async () => ({ status: 503, html: 'away' }), { headers: [] })
  site = await createHttp({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    pages: { keyOf: (url) => url, cache, unavailable: (sentence) => `<p>${sentence}</p>` },
  })
  const away = async () => {
    throw new Unavailable({ code: 'ECONNREFUSED' })
  }
  site.get('/api/v1/away', away)
  site.get('/leave', away)
  site.get('/api/v1/unknown', async () => {
    throw new OutcomeUnknown()
  })
  site.get('/api/v1/bug', async () => {
    throw new Error('connect ECONNREFUSED 10.0.0.7')
  })
})
afterAll(() => site.close())

test('a program reads that the database is away, and when to ask again', async () => {
  const answer = await site.inject('/api/v1/away')
  expect(answer.statusCode).toBe(503)
  expect(answer.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
  expect(answer.json()).toEqual({
    error: {
      code: 'unavailable',
      message: 'The site can’t reach its database right now. Please try again in a moment.',
    },
  })
})

test('people see a page that says the database is away, whether rendered or answered by a route', async () => {
  for (const url of ['/leave', '/companies']) {
    const answer = await site.inject(url)
    expect(answer.statusCode).toBe(503)
    expect(answer.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
    expect(answer.headers['content-type']).toContain('text/html')
  }
})

test('a commit with an unknown outcome is never reported as failed', async () => {
  const { error } = (await site.inject('/api/v1/unknown')).json()
  expect(error.message).toContain('we can’t tell whether it worked')
})

test('a bug stays a bug', async () => {
  const answer = await site.inject('/api/v1/bug')
  expect(answer.statusCode).toBe(500)
  expect(answer.headers).not.toHaveProperty('retry-after')
  expect(answer.body).not.toContain('10.0.0.7')
})

test('a thousand failed requests make one log line per kind and second', () => {
  vi.useFakeTimers()
  const warn = vi.fn()
  const note = createUnavailableLog({ warn })
  for (let n = 0; n < 1_000; n++) note(new Unavailable({ code: n % 2 ? '57P01' : 'ECONNREFUSED' }))
  note(new Unavailable({ code: '53300', isBusy: true }))
  note(new OutcomeUnknown())
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  expect(warn.mock.calls).toEqual([
    [{ count: 1_000, codes: ['ECONNREFUSED', '57P01'] }, 'The database is unavailable'],
    [{ count: 1, codes: ['53300'] }, 'The database is too busy'],
    [{ count: 1, codes: [] }, expect.stringContaining('outcome is unknown')],
  ])
})
