/**
 * The built site as operators see it: it stops within ten seconds and loses nothing, and its log names no one, whatever is
 * sent to it and whatever breaks.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import { type Site, startSite } from '../support/server.ts'
import { openWorld, type World } from '../support/site-in-browser.ts'

const METRICS_TOKEN = 'the token of the tests, which is long enough'
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) veras-browser/1.0'

let world: World
let dataDir: string
let site: Site

beforeAll(async () => {
  ;[world, dataDir] = await Promise.all([
    openWorld(),
    mkdtemp(join(tmpdir(), 'kettle-operations-')),
  ])
  site = await startSite({
    env: {
      ...world.env,
      STARTER: 'companies',
      DATA_DIR: dataDir,
      METRICS_TOKEN,
      PROOF_OF_WORK: '0',
      RATE_LIMITS: 'off',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'debug',
      // Not a standby, so nothing is read from it. But its metrics are there.
      DATABASE_REPLICA_URL: world.env.DATABASE_URL as string,
    },
  })
})
afterAll(async () => {
  await site?.stop()
  await world?.db.close()
  await rm(dataDir, { recursive: true, force: true })
})

const json = { 'content-type': 'application/json' }
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(site.url + path, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

async function oneCompany() {
  const [company] = await world.db.query<{ id: string; slug: string; views: number }>(
    sql`select companies.id, slug, views from companies
          join company_stats on company_id = companies.id
         where char_length(slug) > 8 order by slug limit 1`,
  )
  return company as { id: string; slug: string; views: number }
}

test('no log line names anyone, whatever is sent and whatever breaks', async () => {
  const company = await oneCompany()
  const signedIn = await post('/auth/v1/token?grant_type=password', {
    email: 'dana@kettle.example',
    password: DEMO_PASSWORD,
  })
  const { access_token, refresh_token, user } = (await signedIn.json()) as {
    access_token: string
    refresh_token: string
    user: { id: string }
  }
  const anonymous = `anon-${'5ec2'.repeat(8)}`
  const telling: Record<string, string> = {
    'user-agent': BROWSER,
    'x-forwarded-for': '198.51.100.7',
    'x-request-id': 'veras-request',
    referer: 'https://veras-blog.example/',
    cookie: 'session=veras-cookie',
    'x-anonymous-id': anonymous,
    authorization: `Bearer ${access_token}`,
  }
  const get = (path: string) => fetch(site.url + path, { headers: telling })
  const message = {
    name: 'Vera Visitor',
    email: 'vera@people.example',
    idempotencyKey: crypto.randomUUID(),
    message: 'veras-message, which is long enough to be one',
  }
  const asked = [
    get(`/thread/${user.id}?search=veras-search`),
    get(`/${company.slug}?search=veras-search`),
    get('/api/v1/companies?search=veras-search'),
    get(`/api/v1/threads/${user.id}/live`),
    get('/%ff/veras-search'),
    get(`/unsubscribe?token=${access_token}`),
    get(`/veras-search/${'x'.repeat(5_000)}`),
    post('/api/v1/contact-messages', message, telling),
    post('/api/v1/contact-messages', '{"email":"vera@people.example",', telling),
    post('/api/v1/nothing', message, telling),
    post('/auth/v1/token?grant_type=refresh_token', { refresh_token: 'veras-token' }, telling),
    post('/auth/v1/recover', { email: 'vera@people.example' }, telling),
    fetch(`${site.url}/metrics`, { headers: { ...telling, authorization: 'Bearer veras-token' } }),
  ]
  for (const answer of await Promise.all(asked)) expect(answer.status).toBeLessThan(500)
  // Something that isn't HTTP at all.
  const broken = connect(Number(new URL(site.url).port), '127.0.0.1')
  broken.end('GET /veras-search vera@people.example\r\n\r\n')
  await once(broken.resume(), 'close')

  // The database quotes the whole row that it rejects.
  const { db } = world
  await db.query(
    sql`alter table contact_messages add constraint none_today check (name = '') not valid`,
  )
  await db.query(sql`alter table threads rename column title to title_that_is_gone`)
  const failed = await Promise.all([
    post('/api/v1/contact-messages', message, telling),
    get('/api/v1/threads?search=veras-search'),
  ])
  await db.query(sql`alter table threads rename column title_that_is_gone to title`)
  await db.query(sql`alter table contact_messages drop constraint none_today`)
  expect(failed.map(({ status }) => status)).toEqual([500, 500])

  // Other threads write the log, in parallel with responses.
  await expect.poll(site.logs).toMatch(/(A request failed[\s\S]*){2}/)
  const log = site.logs()
  expect(log).toContain('"constraint":"none_today"')
  for (const secret of [
    'vera',
    'Vera',
    'people.example',
    'Mozilla',
    '198.51.100.7',
    anonymous,
    access_token,
    access_token.split('.')[2] as string,
    refresh_token,
    user.id,
    'dana',
    company.id,
    company.slug,
    METRICS_TOKEN,
    world.env.SECRET_KEY as string,
    new URL(world.env.DATABASE_URL as string).password,
  ])
    expect(log, secret).not.toContain(secret)
})

test('the metrics have no person, id, search or company', async () => {
  const company = await oneCompany()
  const anybody = await fetch(`${site.url}/metrics`, { headers: { 'x-forwarded-for': '::1' } })
  expect(anybody.status).toBe(404)
  const answer = await fetch(`${site.url}/metrics`, {
    headers: { 'x-forwarded-for': '198.51.100.7', authorization: `Bearer ${METRICS_TOKEN}` },
  })
  const text = await answer.text()
  expect(text).toMatch(/kettle_http_request_seconds_count\{route="\/thread\/:\w+",method="GET"/)
  expect(text).toMatch(/^kettle_jobs_waiting \d+$/m)
  for (const secret of ['vera', 'dana', '198.51', company.slug, company.id])
    expect(text).not.toContain(secret)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|@|anon-/)
})

test('every metric that deploy/’s alerts and dashboard name exists', async () => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${site.url}/metrics`, { headers })).text()
  const known = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, kind]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  )
  for (const file of ['alerts.yml', 'dashboard.json']) {
    const named = (await readFile(join(projectFolder, 'deploy/monitoring', file), 'utf8')).match(
      /\b(?:kettle|nodejs|process)_\w+/g,
    )
    expect(named?.length, file).toBeGreaterThan(15)
    expect(
      named?.filter((name) => !known.includes(name)),
      file,
    ).toEqual([])
  }
})

test('a stop within ten seconds loses nothing', async () => {
  const company = await oneCompany()
  const started = await post(
    '/api/v1/threads',
    {
      title: 'Does anybody else count the meetings?',
      body: 'What they say.',
      topics: ['culture'],
      idempotencyKey: crypto.randomUUID(),
    },
    { 'x-anonymous-id': `anon-${'5ec2'.repeat(8)}` },
  )
  expect(started.status).toBe(201)
  const thread = (await started.json()) as { id: string }
  const { port } = new URL(site.url)

  // Vera's message is half sent, a reader has a live stream, and someone requests a lot and reads nothing.
  const contact = JSON.stringify({
    name: 'Sent while you stopped',
    email: 'vera@people.example',
    idempotencyKey: crypto.randomUUID(),
    message: 'It began before, and it arrived after.',
  })
  const slow = request(`${site.url}/api/v1/contact-messages`, {
    method: 'POST',
    headers: { ...json, 'content-length': Buffer.byteLength(contact), 'user-agent': BROWSER },
  })
  slow.write(contact.slice(0, 40))
  const slowAnswer = once(slow, 'response')
  const live = await fetch(`${site.url}/api/v1/threads/${thread.id}/live`)
  const file = /src="(\/assets\/main[^"]+)"/.exec(await (await fetch(site.url)).text())?.[1]
  const reader = connect(Number(port), '127.0.0.1').on('error', () => {})
  reader.pause()
  reader.write(`GET ${file} HTTP/1.1\r\nhost: here\r\n\r\n`.repeat(400))
  await wait(300)
  const viewed = await fetch(`${site.url}/api/v1/views`, {
    method: 'POST',
    headers: { ...json, 'user-agent': BROWSER },
    body: JSON.stringify({ companyId: company.id }),
  })
  expect(await viewed.json()).toEqual({ isCounted: true })

  const began = performance.now()
  const ended = site.stop()

  // The stream ends first, and says when to come back.
  const told = await Promise.race([live.text(), ended.then(() => 'only with the process')])
  expect(told).toMatch(/retry: ([5-9]\d{3}|1[0-4]\d{3}|15000)\n\n$/)
  // New visitors are turned away, and monitoring is told why.
  const late = await fetch(`${site.url}/companies`, { headers: { accept: 'text/html' } })
  expect([late.status, late.headers.get('retry-after'), late.headers.get('connection')]).toEqual([
    503,
    '5',
    'close',
  ])
  const readyz = await fetch(`${site.url}/readyz`)
  expect([readyz.status, await readyz.json()]).toEqual([
    503,
    expect.objectContaining({ status: 'stopping', database: 'ok', migrations: 'ok' }),
  ])
  // A half-sent request may finish, and gets its response.
  slow.end(contact.slice(40))
  const [answer] = await slowAnswer
  expect([answer.statusCode, answer.headers.connection]).toEqual([201, 'close'])
  answer.resume()

  const [code] = await ended
  expect(code).toBe(0)
  // A client that reads nothing was waited for, then cut off.
  expect(performance.now() - began).toBeGreaterThan(6_500)
  reader.destroy()

  const { views } = await oneCompany()
  expect(views).toBe(company.views + 1)
  const [kept] = await world.db.query<{ count: number }>(
    sql`select count(*) from contact_messages where name = 'Sent while you stopped'`,
  )
  expect(kept?.count).toBe(1)
  const held = async () => {
    const [found] = await world.db.query<{ count: number }>(
      sql`select count(*) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return found?.count
  }
  // One is the tests' own pool. PostgreSQL notices a closed connection a moment later.
  await expect.poll(held).toBeLessThanOrEqual(1)
})
