/** Two processes of the site behind nginx, on one PostgreSQL, with a Redis that starts, hangs and stops. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { freePort } from '../support/postgres-cluster.ts'
import { findProgram, type Program, startNginx, startRedis } from '../support/programs.ts'
import { type Site, startSite } from '../support/server.ts'
import { openWorld, type World } from '../support/site-in-browser.ts'
import { ask, solvedSpamCheck, statuses } from './steps/fresh-request.ts'

const MISSING = ['nginx', 'redis-server'].filter((name) => !findProgram(name))
const NONE = `not installed here: ${MISSING.join(', ')}`

let world: World
let dataDir: string
let sites: Site[] = []
let nginx: Program
let redis: Program | undefined
let redisPort: number
/** nginx, which alternates between the processes. */
let url: string

beforeAll(async () => {
  if (MISSING.length > 0) return
  ;[world, dataDir, redisPort] = await Promise.all([
    openWorld(),
    mkdtemp(join(tmpdir(), 'kettle-processes-')),
    freePort(),
  ])
  const env = {
    ...world.env,
    DATA_DIR: dataDir,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    TRUST_PROXY: '1',
    PROOF_OF_WORK: '50',
  }
  sites = await Promise.all([startSite({ env }), startSite({ env })])
  nginx = await startNginx(sites.map(({ url }) => Number(new URL(url).port)))
  url = `http://127.0.0.1:${nginx.port}`
})
afterAll(async () => {
  await nginx?.stop()
  await Promise.all(sites.map((site) => site.stop()))
  await redis?.stop()
  await world?.db.close()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

const many = <Result>(count: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))
/** Requests an email, as someone else each time. The limit is 30 in five minutes for a network. */
const recovering = (i: number) =>
  ask(`${url}/auth/v1/recover`, { body: { email: `nobody-${i}@people.example` } })
/** Opens the page behind an emailed link. The limit is 30 in five minutes, and 10 in each process here. */
const opening = (when: string) => (i: number) =>
  ask(`${url}/auth/v1/verify?type=recovery&token=${when}-${i}`)
const words = async () =>
  Promise.all(
    sites.map(async (site) => {
      const { status, text } = await ask(`${site.url}/readyz`)
      return [status, JSON.parse(text).limits]
    }),
  )
const both = (word: string) => [
  [200, word],
  [200, word],
]

test('each process counts alone without Redis, says so, and refuses no one', async ({ skip }) => {
  skip(MISSING.length > 0, NONE)
  expect(await words()).toEqual(both('alone'))
  expect(statuses(await many(10, opening('without')))).toEqual({ 200: 10 })
})

test('a token that one process issued is good at the other, on another port', async ({ skip }) => {
  skip(MISSING.length > 0, NONE)
  const [first, second] = sites as [Site, Site]
  const signedIn = await ask(`${first.url}/auth/v1/token?grant_type=password`, {
    body: { email: 'dana@kettle.example', password: DEMO_PASSWORD },
  })
  const { access_token } = JSON.parse(signedIn.text)
  for (const where of [first.url, second.url, url]) {
    const me = await ask(`${where}/api/v1/me`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(me.status, where).toBe(200)
    expect(JSON.parse(me.text)).toMatchObject({ profile: { username: 'Dana' } })
  }
})

test('a limit holds across both processes once Redis is there', async ({ skip }) => {
  skip(MISSING.length > 0, NONE)
  redis = await startRedis({ port: redisPort })
  await expect.poll(words).toEqual(both('shared'))
  expect(statuses(await many(60, recovering))).toEqual({ 200: 30, 429: 30 })
})

test('one of 60 comments with one solved spam check at the same moment is accepted', async ({
  skip,
}) => {
  skip(MISSING.length > 0, NONE)
  const [thread] = await world.db.query<{ id: string }>(
    sql`select id from threads where not is_locked order by id limit 1`,
  )
  const spamCheck = await solvedSpamCheck(url)
  const answers = await many(60, (i) =>
    ask(`${url}/api/v1/threads/${thread?.id}/comments`, {
      body: { body: `Said by number ${i}`, idempotencyKey: crypto.randomUUID(), spamCheck },
      headers: { 'x-anonymous-id': `anon-${String(i).padStart(32, '0')}` },
    }),
  )
  expect(statuses(answers)).toEqual({ 201: 1, 403: 59 })
})

test('a Redis that hangs or is gone refuses no one, and is reported once each time', async ({
  skip,
}) => {
  skip(MISSING.length > 0, NONE)
  const { pid, stop } = redis as Program
  process.kill(pid, 'SIGSTOP')
  expect(statuses(await many(10, opening('hung')))).toEqual({ 200: 10 })
  expect(await words()).toEqual(both('alone'))
  process.kill(pid, 'SIGCONT')
  await expect.poll(words).toEqual(both('shared'))

  const answers = many(10, opening('gone'))
  process.kill(pid, 'SIGKILL')
  expect(statuses(await answers)).toEqual({ 200: 10 })
  expect(statuses(await many(10, opening('later')))).toEqual({ 200: 10 })
  expect(await words()).toEqual(both('alone'))
  await stop()
  redis = undefined

  for (const { logs } of sites) {
    const told = logs().match(/this process counts limits alone|Limits are shared/g) ?? []
    expect(told.length).toBeGreaterThanOrEqual(5)
    for (const [i, line] of told.entries()) expect(line).not.toBe(told[i - 1])
    expect(logs()).not.toContain('redis://')
  }
})
