import { AggregatorRegistry } from 'prom-client'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { NOW, withDatabase } from '#tests/support/database.ts'
import { mapRows } from '../database/rows.server.ts'
import { createHttp, type Http } from '../http/http.server.ts'
import { createPageCache } from '../http/page-cache.server.ts'
import { notFound } from '../http/refusal.ts'
import { readConfig } from './config.server.ts'
import {
  createMetrics,
  type MeasuredDatabase,
  type Metrics,
  measuredDatabase,
  registerMetrics,
} from './metrics.server.ts'
import { markBackup } from './owner-steps.server.ts'

const TOKEN = 'a token that the operator made up, long'
const { outside } = withDatabase()
let metrics: Metrics
let db: MeasuredDatabase
let site: Http
let url: string

beforeAll(async () => {
  metrics = createMetrics({ version: '1.2.3', buildTime: '2026-03-14T09:00:00.000Z' })
  db = measuredDatabase(outside(), { connections: 1, onStatement: metrics.statement })
  const cache = createPageCache(
    async (key) =>
      key.startsWith('/fennimoor')
        ? { status: 200, html: 'a company' }
        : { status: 404, html: 'nothing here' },
    { headers: [] },
  )
  const patternOf = (url: string) => (url.startsWith('/fennimoor') ? '/:company' : undefined)
  site = await createHttp({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    pages: { keyOf: (url) => url.split('?')[0] as string, patternOf, cache },
    figures: metrics.answers,
  })
  metrics.watchDatabase(db.figures)
  metrics.watchQueue({ db, now: () => NOW })
  metrics.watchOpenAnswers(() => ({ answers: 2, streams: 3 }))
  registerMetrics(site, metrics, TOKEN)
  site.get('/api/v1/threads/:id', async ({ query }) => {
    if ((query as { q?: string }).q) throw new Error('broken for vera')
    throw notFound('There is no such thread')
  })
  url = await site.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => site.close())

/** A promise, and what resolves it: Node 20 has none of its own. */
function promised<Result = void>() {
  let resolve: (result: Result) => void = () => {}
  const promise = new Promise<Result>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const ask = (headers: Record<string, string> = {}) => fetch(`${url}/metrics`, { headers })
const linesOf = async (name: string) =>
  (await (await ask()).text()).split('\n').filter((line) => line.startsWith(name))

test('metrics name requests by pattern, method and kind of answer only', async () => {
  const thread = '7b6a7c1e-0000-4000-8000-00000000cafe'
  await fetch(`${url}/api/v1/threads/${thread}?known=vera@people.example`)
  await fetch(`${url}/api/v1/threads/${thread}?q=salary`)
  await fetch(`${url}/fennimoor?search=salary`)
  await fetch(`${url}/fennimoor`)
  await fetch(`${url}/vera-was-here`, { headers: { 'user-agent': 'veras-browser' } })
  await fetch(`${url}/api/v1/vera-was-here`)
  await fetch(`${url}/vera-was-here`, { method: 'PURGE' })
  // What is written is told by no route: a rating would have its second here.
  await fetch(`${url}/api/v1/companies/fennimoor/rating`, { method: 'PUT' })
  await fetch(`${url}/api/v1/threads/${thread}/comments`, { method: 'POST' })
  const counts = await linesOf('kettle_http_request_seconds_count')
  expect(counts.sort()).toEqual(
    expect.arrayContaining([
      'kettle_http_request_seconds_count{route="/:company",method="GET",status="2xx"} 2',
      'kettle_http_request_seconds_count{route="/api/v1/threads/:id",method="GET",status="4xx"} 1',
      'kettle_http_request_seconds_count{route="/api/v1/threads/:id",method="GET",status="5xx"} 1',
      'kettle_http_request_seconds_count{route="unknown",method="GET",status="4xx"} 2',
      'kettle_http_request_seconds_count{route="unknown",method="other",status="4xx"} 1',
      'kettle_http_request_seconds_count{route="writes",method="any",status="4xx"} 2',
    ]),
  )
  expect(await linesOf('kettle_pages_total')).toEqual([
    'kettle_pages_total{from="rendered"} 2',
    'kettle_pages_total{from="kept"} 1',
  ])
  const all = await (await ask()).text()
  expect(all).not.toMatch(/vera|cafe|salary|fennimoor|127\.0\.0\.1|people\.example/)
})

test('metrics count rows left out of lists', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  mapRows('kettles', ['one', 'two'], () => {
    throw new Error('cannot be read')
  })
  expect(await linesOf('kettle_rows_left_out_total')).toEqual(['kettle_rows_left_out_total 2'])
})

test('metrics have the queue, the database, the build and the process', async () => {
  await db.query(sql`insert into job_queue (kind, due_at) values ('sent', ${NOW.toISOString()}),
    ('sent', ${new Date(NOW.getTime() - 90_000).toISOString()}), ('sent', null)`)
  await markBackup({ db, now: () => new Date(NOW.getTime() - 7_200_000) }, 9)
  const all = await (await ask()).text()
  await db.query(sql`delete from job_queue where kind = 'sent'`)
  await db.query(sql`delete from owner_steps`)
  for (const line of [
    'kettle_jobs_waiting 2',
    'kettle_jobs_failed 1',
    'kettle_jobs_oldest_seconds 90',
    'kettle_backup_age_seconds 7200',
    'kettle_database_connections{state="waiting"} 0',
    'kettle_database_connections{state="most"} 1',
    'kettle_http_requests_open 2',
    'kettle_live_streams_open 3',
    'kettle_build_info{version="1.2.3",built="2026-03-14T09:00:00.000Z"} 1',
  ])
    expect(all.split('\n')).toContain(line)
  expect(all).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(all).toMatch(/^process_resident_memory_bytes /m)
  expect(all).toMatch(/^kettle_database_statement_seconds_count [1-9]/m)
})

test('histograms of several processes add up, and shared numbers stay the same', async () => {
  const processes = [1, 2].map(() => {
    const metrics = createMetrics({ version: '1.2.3', buildTime: '2026-03-14T09:00:00.000Z' })
    metrics.watchQueue({ db, now: () => NOW })
    return metrics
  })
  for (const [i, { statement }] of processes.entries())
    for (const seconds of [0.0001, 0.02, 0.02 + i, 99]) statement(seconds)
  await db.query(sql`insert into job_queue (kind, due_at) values ('sent', ${NOW.toISOString()})`)
  const figures = await Promise.all(processes.map((metrics) => metrics.figures()))
  await db.query(sql`delete from job_queue where kind = 'sent'`)
  const lines = (await AggregatorRegistry.aggregate(figures).metrics()).split('\n')
  for (const line of [
    'kettle_database_statement_seconds_bucket{le="0.0005"} 2',
    'kettle_database_statement_seconds_bucket{le="0.025"} 5',
    'kettle_database_statement_seconds_bucket{le="5"} 6',
    'kettle_database_statement_seconds_bucket{le="+Inf"} 8',
    'kettle_database_statement_seconds_count 8',
    'kettle_jobs_waiting 1',
    'kettle_build_info{version="1.2.3",built="2026-03-14T09:00:00.000Z"} 1',
  ])
    expect(lines).toContain(line)
})

test('metrics have the connections in use and the waiting callers', async () => {
  const isIn = promised()
  const leave = promised()
  const first = db.transaction(async (db) => {
    await db.query(sql`select 1`)
    isIn.resolve()
    await leave.promise
  })
  await isIn.promise
  const second = db.query(sql`select 2`)
  expect(db.figures).toMatchObject({ inUse: 1, waiting: 1 })
  leave.resolve()
  await Promise.all([first, second])
  expect(db.figures).toMatchObject({ inUse: 0, waiting: 0 })
})

test('work after a commit gets the measured database, even from a nested transaction', async () => {
  const followed = promised<unknown>()
  await db.transaction((db) => db.transaction(async (db) => db.afterCommit(followed.resolve)))
  expect(await followed.promise).toBe(db)
})

test.each([
  ['who came through a proxy', { 'x-forwarded-for': '198.51.100.7' }],
  ['who came through another kind of proxy', { forwarded: 'for=198.51.100.7' }],
  ['a wrong token', { 'x-real-ip': '198.51.100.7', authorization: 'Bearer wrong' }],
  ['no token', { 'x-real-ip': '198.51.100.7', authorization: 'Bearer ' }],
])('metrics don’t exist for %s', async (_who, headers) => {
  const answer = await ask(headers)
  expect(answer.status).toBe(404)
  expect(await answer.text()).toBe('nothing here')
})

test('only callers on this machine see metrics, whatever their headers say', async () => {
  for (const headers of [{}, { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }]) {
    const answer = await site.inject({ url: '/metrics', remoteAddress: '198.51.100.7', headers })
    expect(answer.body).not.toContain('kettle_')
  }
  // Another name that leads here: a page in a browser of this machine.
  const rebound = await site.inject({ url: '/metrics', headers: { host: 'evil.example' } })
  expect(rebound.body).not.toContain('kettle_')
})

test('the token opens metrics from anywhere', async () => {
  const answer = await ask({ 'x-forwarded-for': '198.51.100.7', authorization: `Bearer ${TOKEN}` })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})
