/** WORKERS=2: two processes on one port, which count together and stop together. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/postgres-cluster.ts'
import { type Site, startSite } from '../support/server.ts'
import { openWorld, type World } from '../support/site-in-browser.ts'
import { ask, solvedSpamCheck, statuses } from './steps/fresh-request.ts'

let world: World
let site: Site

beforeAll(async () => {
  world = await openWorld()
  site = await startWorkers()
})
afterAll(async () => {
  await site?.stop()
  await world?.db.close()
})

async function startWorkers() {
  const started = await startSite({
    env: {
      ...world.env,
      WORKERS: '2',
      PROOF_OF_WORK: '50',
      DATABASE_CONNECTIONS: '4',
      // As in production. With 0, no one knows the port before the site is there.
      PORT: String(await freePort()),
    },
  })
  while (serving(started) < 2) await pause(20)
  return started
}

const workersOf = ({ pid }: Site) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
/** A zombie, dead but not yet reaped by its parent, isn't running. */
function isRunning(pid: number) {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
/** How many have said that they're listening, and still exist. */
const serving = (site: Site) =>
  Math.min(workersOf(site).length, site.logs().match(/Server listening/g)?.length ?? 0)

const recover = (i: number) =>
  ask(`${site.url}/auth/v1/recover`, { body: { email: `nobody-${i}@people.example` } })
const many = <Result>(count: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

test('a limit holds across workers, whichever gets the request', async () => {
  const [first, second] = workersOf(site) as [number, number]
  // A stopped process accepts nothing, so the other one gets the requests.
  process.kill(first, 'SIGSTOP')
  expect(statuses(await many(30, recover))).toEqual({ 200: 30 })
  process.kill(first, 'SIGCONT')
  process.kill(second, 'SIGSTOP')
  const refused = await many(5, (i) => recover(30 + i))
  process.kill(second, 'SIGCONT')
  expect(statuses(refused)).toEqual({ 429: 5 })
  expect(Number(refused[0]?.retryAfter)).toBeGreaterThan(0)
  expect(JSON.parse((await ask(`${site.url}/readyz`)).text)).toMatchObject({
    status: 'ok',
    limits: 'shared',
  })
})

test('one of 60 comments with one solved spam check at the same moment is accepted', async () => {
  const [thread] = await world.db.query<{ id: string }>(
    sql`select id from threads where not is_locked order by id limit 1`,
  )
  const spamCheck = await solvedSpamCheck(site.url)
  const answers = await many(60, (i) =>
    ask(`${site.url}/api/v1/threads/${thread?.id}/comments`, {
      body: { body: `Said by number ${i}`, idempotencyKey: crypto.randomUUID(), spamCheck },
      headers: { 'x-anonymous-id': `anon-${String(i).padStart(32, '0')}` },
    }),
  )
  const { 201: taken, 403: refused = 0, 503: tooMuch = 0 } = statuses(answers)
  expect(taken).toBe(1)
  // One of the two may get all of them, and accepts 44 at once.
  expect(refused + tooMuch).toBe(59)
})

test('a refresh token that one worker exchanged counts as stolen at the other', async () => {
  const body = { email: 'olivia@people.example', password: 'correct horse 9' }
  const signedUp = await ask(`${site.url}/auth/v1/signup`, { body })
  const { refresh_token: first } = JSON.parse(signedUp.text)
  const refresh = (refresh_token: string) =>
    ask(`${site.url}/auth/v1/token?grant_type=refresh_token`, { body: { refresh_token } })
  const [one, other] = workersOf(site) as [number, number]
  let isTold = false
  await world.db.listen('session_news', () => {
    isTold = true
  })
  process.kill(other, 'SIGSTOP')
  let newest = first
  // Often enough that a second tab must have noticed.
  for (let times = 0; times < 5; times++)
    newest = JSON.parse((await refresh(newest)).text).refresh_token
  await expect.poll(() => isTold).toBe(true)
  process.kill(one, 'SIGSTOP')
  process.kill(other, 'SIGCONT')
  try {
    // The process learns of it once it runs again. With too many attempts meanwhile, it would report those instead.
    const reuse = async () => JSON.parse((await refresh(first)).text).error_code
    await expect.poll(reuse, { interval: 1_000 }).toBe('refresh_token_already_used')
  } finally {
    process.kill(one, 'SIGCONT')
  }
  expect((await refresh(newest)).status).toBe(400)
})

test('the metrics cover all workers', async () => {
  const before = await figure('kettle_http_request_seconds_count{route="/api/v1/topics"')
  await many(20, () => ask(`${site.url}/api/v1/topics`))
  expect(await figure('kettle_http_request_seconds_count{route="/api/v1/topics"')).toBe(before + 20)
  expect(await figure('kettle_http_request_seconds_bucket{le="+Inf",route="/api/v1/topics"')).toBe(
    before + 20,
  )
  expect(await figure('kettle_database_connections{state="most"}')).toBe(8)
  expect(await figure('kettle_build_info')).toBe(1)
  // Both see the same queue.
  expect(await figure('kettle_jobs_waiting')).toBeLessThan(1_000)
})

async function figure(name: string) {
  const { text } = await ask(`${site.url}/metrics`)
  const line = text.split('\n').find((line) => line.startsWith(name))
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('a killed worker is replaced, and the other one answers meanwhile', async () => {
  const [first] = workersOf(site) as [number, number]
  const listening = site.logs().match(/Server listening/g)?.length ?? 0
  process.kill(first, 'SIGKILL')
  let answered = 0
  // Only what the killed one was handling may be lost. No one is turned away.
  while ((site.logs().match(/Server listening/g)?.length ?? 0) === listening) {
    const answer = await ask(`${site.url}/api/v1/topics`).catch((error) => error)
    if (answer.code !== 'ECONNRESET') expect(answer.status, answer.message).toBe(200)
    answered++
  }
  expect(answered).toBeGreaterThan(0)
  expect(workersOf(site)).toHaveLength(2)
  expect(workersOf(site)).not.toContain(first)
  expect(site.logs()).toContain('A worker ended (SIGKILL) and will be replaced')
  // The startup lines are printed once, whichever process comes later.
  expect(site.logs().match(/is ready at/g)).toHaveLength(1)
})

test('a stop answers every request that both workers have, and leaves no one behind', async () => {
  const workers = workersOf(site)
  const solved = await many(2, () => solvedSpamCheck(site.url))
  const halfSent = workers.map((_, i) => {
    const body = JSON.stringify({
      name: `Sent while you stopped ${i}`,
      email: 'vera@people.example',
      idempotencyKey: crypto.randomUUID(),
      message: 'It began before, and it arrived after.',
      spamCheck: solved[i],
    })
    const slow = request(`${site.url}/api/v1/contact-messages`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    return { slow, body, answer: once(slow, 'response') }
  })
  // One for each, because a stopped process accepts nothing.
  for (const [i, { slow, body }] of halfSent.entries()) {
    for (const worker of workers)
      process.kill(worker, worker === workers[i] ? 'SIGCONT' : 'SIGSTOP')
    slow.write(body.slice(0, 40))
    await expect.poll(() => ask(`${site.url}/healthz`).then(({ status }) => status)).toBe(200)
  }
  for (const worker of workers) process.kill(worker, 'SIGCONT')
  const live = await fetch(`${site.url}/api/v1/threads/${await anyThread()}/live`)

  const ended = site.stop()
  expect(await live.text()).toMatch(/retry: \d+\n\n$/)
  for (const { slow, body } of halfSent) slow.end(body.slice(40))
  for (const { answer } of halfSent) {
    const [{ statusCode }] = await answer
    expect(statusCode).toBe(201)
  }
  expect(await ended).toEqual([0, null])
  expect(workers.filter(isRunning)).toEqual([])
})

async function anyThread() {
  const [thread] = await world.db.query<{ id: string }>(sql`select id from threads limit 1`)
  return thread?.id
}

test('no worker outlives a killed primary process', async () => {
  site = await startSite({ env: { ...world.env, WORKERS: '2' } })
  await expect.poll(() => workersOf(site).length).toBe(2)
  const workers = workersOf(site)
  process.kill(site.pid, 'SIGKILL')
  await expect.poll(() => workers.filter(isRunning)).toEqual([])
})

test('an invalid setting ends all workers with its sentence', async () => {
  const settings = {
    ...world.env,
    WORKERS: '2',
    SECRET_KEY: 'another key than this database was made with',
  }
  await expect(startSite({ env: settings })).rejects.toThrow(
    /ended \(1\)[\s\S]*made with a different secret key/,
  )
})
