import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test as vitestTest } from 'vitest'
import { type Cluster, findPostgres, startPostgres } from '../support/postgres-cluster.ts'
import { type Site, startSite } from '../support/server.ts'
import { type Standby, startStandby } from '../support/standby.ts'

/** With TEST_DATABASE_URL, the programs that make a standby may be elsewhere. */
const test = (title: string, steps: () => Promise<void>) =>
  findPostgres() ? vitestTest(title, steps) : vitestTest.skip(`${title} (no pg_basebackup here)`)

let cluster: Cluster
let standby: Standby
let site: Site
beforeAll(async () => {
  if (!findPostgres()) return
  cluster = await startPostgres({
    programs: findPostgres(),
    settings: { synchronous_commit: 'on' },
  })
  standby = await startStandby(cluster.url)
  site = await startSite({
    env: {
      DATABASE_URL: cluster.url,
      DATABASE_REPLICA_URL: standby.url,
      STARTER: 'companies',
      PROOF_OF_WORK: '0',
    },
  })
})
afterAll(async () => {
  await site?.stop()
  await standby?.close()
  await cluster?.stop()
})

const vera = { 'x-anonymous-id': `anon-${'5'.repeat(32)}` }

async function send(method: string, path: string, body?: object) {
  const response = await fetch(site.url + path, {
    method,
    headers: { ...vera, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.ok).toBe(true)
  return (await response.json()) as { id: string; path: string }
}

/** Reads as someone who's never written anything. */
async function read(path: string) {
  const response = await fetch(site.url + path)
  return { status: response.status, text: await response.text() }
}

async function readsBy(who: 'standby' | 'primary') {
  const { text } = await read('/metrics')
  return Number(new RegExp(`^kettle_reads_total\\{from="${who}"\\} (\\d+)`, 'm').exec(text)?.[1])
}

/** Reads until the standby responds. */
async function untilItAnswers() {
  const before = await readsBy('standby')
  while ((await readsBy('standby')) === before) {
    await read('/api/v1/threads?sort=new')
    await pause(50)
  }
}

test('a standby answers strangers, and never shows them what was deleted', async () => {
  const thread = await send('POST', '/api/v1/threads', {
    title: 'Free lunch is gone on Fridays',
    body: 'Does anybody know why?',
    idempotencyKey: randomUUID(),
  })
  const comments = `/api/v1/threads/${thread.id}/comments`
  const comment = await send('POST', comments, {
    body: 'It was too dear',
    idempotencyKey: randomUUID(),
  })
  await untilItAnswers()
  expect((await read(comments)).text).toContain('too dear')
  expect((await read(thread.path)).text).toContain('too dear')

  await standby.pause()
  await send('DELETE', `/api/v1/comments/${comment.id}`)
  expect((await read(comments)).text).not.toContain('too dear')
  await send('DELETE', `/api/v1/threads/${thread.id}`)
  expect((await read(`/api/v1/threads/${thread.id}`)).status).toBe(404)
  expect((await read('/api/v1/threads?sort=new')).text).not.toContain('Free lunch')
  // Cached pages are dropped when the event about it arrives.
  while ((await read(thread.path)).status === 200) await pause(20)
  expect((await read(thread.path)).text).not.toContain('Free lunch')

  await standby.resume()
  await untilItAnswers()
  expect((await read('/api/v1/threads?sort=new')).text).not.toContain('Free lunch')
})

test('no one notices a standby that crashes, and it’s used again when it’s back', async () => {
  await standby.crash()
  for (let turn = 0; turn < 5; turn++)
    expect((await read('/api/v1/threads?sort=new')).status).toBe(200)
  await standby.startAgain()
  await untilItAnswers()
})
