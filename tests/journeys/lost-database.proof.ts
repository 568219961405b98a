/** PostgreSQL fails in the ways that it does, under a site in use. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { postgresPower } from '../chaos/postgres-power.ts'
import { type Cluster, freePort, startPostgres } from '../support/postgres-cluster.ts'
import { type Site, startSite } from '../support/server.ts'
import { startWire, type Wire } from '../support/wire.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 })

/** LOST_DATABASE=full measures the figures in docs/operations.md. */
const { terminations, crashes } =
  process.env.LOST_DATABASE === 'full'
    ? { terminations: 100, crashes: 10 }
    : { terminations: 8, crashes: 2 }
const WRITERS = 6

describe('a site whose PostgreSQL goes away', () => {
  let cluster: Cluster
  let wire: Wire
  const sites: Site[] = []
  const env = {
    SECRET_KEY: randomBytes(32).toString('hex'),
    RATE_LIMITS: 'off',
    PROOF_OF_WORK: '0',
    STARTER: 'none',
  }
  beforeAll(async () => {
    cluster = await startPostgres({ settings: { synchronous_commit: 'on', fsync: 'on' } })
    wire = await startWire(cluster.url)
  })
  afterAll(async () => {
    for (const site of sites) await site.stop()
    await wire?.stop()
    await cluster?.stop()
  })

  afterEach(() => wire.speakAgain())

  const send = async (url: string, method: string, path: string, who: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-anonymous-id': who, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { headers, status } = answer
    return { status, headers, json: (await answer.json().catch(() => ({}))) as { id: string } }
  }
  const newcomer = () => `anon-${randomBytes(16).toString('hex')}`
  const post = async (url: string, who: string, title: string) =>
    (
      await send(url, 'POST', '/api/v1/threads', who, {
        ...{ title, body: 'It happened here.', topics: [], idempotencyKey: randomUUID() },
      })
    ).json.id
  const readyz = async (url: string) => {
    const answer = await fetch(`${url}/readyz`)
    return { status: answer.status, ...((await answer.json()) as { news?: string }) }
  }
  const ask = async (statement: string) => {
    const client = new pg.Client({ connectionString: cluster.url })
    client.on('error', () => {})
    await client.connect()
    return client.query(statement).finally(() => client.end())
  }

  test('a site waits at the start for its database, says so, and serves as soon as it’s there', async () => {
    wire.refuse()
    const port = await freePort()
    const starting = startSite({
      env: { ...env, PORT: String(port), DATABASE_URL: wire.through(cluster.url) },
    })
    const url = `http://127.0.0.1:${port}`
    await expect
      .poll(() => readyz(url).catch(() => {}))
      .toEqual({
        ...{ status: 'starting', database: 'unreachable' },
      })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const page = await fetch(`${url}/discussions`)
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
    wire.speakAgain()
    const site = await starting
    sites.push(site)
    expect(site.url).toBe(url)
    expect(site.logs()).toContain('Can’t reach the database in DATABASE_URL')
    expect(await readyz(url)).toMatchObject({ status: 'ok', news: 'ok' })
  })

  test('a connection lost during the start only delays it', async () => {
    let isCut = false
    // After the migrations: what the process remembers about sessions.
    wire.cutsAnswerTo((sent) => {
      const isIt = !isCut && sent.includes('select sealed from refresh_token_replays')
      isCut ||= isIt
      return isIt
    })
    const site = await startSite({ env: { ...env, DATABASE_URL: wire.through(cluster.url) } })
    expect(isCut).toBe(true)
    expect(site.logs()).toContain('Trying again in')
    expect(await readyz(site.url)).toMatchObject({ status: 'ok', news: 'ok' })
    await site.stop()
    wire.cutsAnswerTo(() => false)
  })

  test('a site answers 503 without its database, keeps its pages, and notices a silent end', async () => {
    const [site] = sites as [Site]
    // Only a removal drops it, so it's cached from the first request on.
    const path = '/discussions'
    expect((await fetch(site.url + path)).status).toBe(200)
    // The server is down, so no one writes and the cache is right.
    wire.refuse()
    await expect.poll(() => readyz(site.url)).toMatchObject({ status: 'unavailable' })
    await expect.poll(async () => (await readyz(site.url)).news).toBe('refused')
    expect((await fetch(site.url + path)).status).toBe(200)
    const away = await send(site.url, 'GET', '/api/v1/threads', newcomer())
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    expect(away.json).toMatchObject({ error: { code: 'unavailable' } })
    const login = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'vera@people.example', password: 'a quiet harbour' }),
    })
    expect(login.status).toBe(503)
    expect(await login.json()).toMatchObject({ error_code: 'unexpected_failure' })
    const unseen = await fetch(`${site.url}/companies`)
    expect(unseen.status).toBe(503)
    expect(await unseen.text()).toContain('Back in a moment')
    wire.speakAgain()
    await expect.poll(() => readyz(site.url)).toMatchObject({ status: 'ok', news: 'ok' })
    expect((await fetch(site.url + path)).status).toBe(200)
    // A cable is pulled: others may write, so nothing cached is sent.
    wire.goSilent()
    await expect.poll(async () => (await readyz(site.url)).news).toBe('deaf')
    expect((await fetch(site.url + path)).status).toBe(503)
    wire.speakAgain()
    wire.cut()
    await expect.poll(async () => (await readyz(site.url)).news).toBe('ok')
    await expect.poll(async () => (await fetch(site.url + path)).status).toBe(200)
  })

  test('no process serves what another one deletes, even while it hears nothing', async () => {
    const direct = { ...env, DATABASE_URL: cluster.url }
    const one = await startSite({ env: direct })
    const other = await startSite({
      env: { ...direct, DATABASE_LISTEN_URL: wire.through(cluster.url) },
    })
    sites.push(one, other)
    const who = newcomer()
    // Both before any list is cached.
    const titles = [randomUUID(), randomUUID()]
    const ids = [
      await post(one.url, who, titles[0] ?? ''),
      await post(one.url, who, titles[1] ?? ''),
    ]
    for (const [n, isHeard] of [true, false].entries()) {
      const title = titles[n] ?? ''
      const id = ids[n]
      const path = `/thread/${id}`
      const isShown = async (site: Site) => {
        const page = await fetch(site.url + path)
        const list = await (await fetch(`${site.url}/discussions`)).text()
        return `${page.status === 200} ${list.includes(title)}`
      }
      for (const site of [one, other]) await expect.poll(() => isShown(site)).toBe('true true')
      if (!isHeard) wire.goSilent()
      expect((await send(one.url, 'DELETE', `/api/v1/threads/${id}`, who)).status).toBe(200)
      expect(await isShown(one)).toBe('false false')
      await expect.poll(() => isShown(other)).toBe('false false')
    }
    await expect.poll(async () => (await readyz(other.url)).news).toBe('deaf')
    wire.speakAgain()
    wire.cut()
    await expect.poll(async () => (await readyz(other.url)).news).toBe('ok')
  })

  test(`no crash ends the site: ${terminations} backends terminated, PostgreSQL crashed ${crashes} times`, async () => {
    const site = await startSite({ env: { ...env, DATABASE_URL: cluster.url } })
    sites.push(site)
    const power = await postgresPower(cluster.url)
    const thread = await post(site.url, newcomer(), 'Under load')
    const acknowledged: string[] = []
    const answers: Record<string, number> = {}
    let isOver = false
    const note = (status: string) => {
      answers[status] = (answers[status] ?? 0) + 1
    }
    async function write() {
      while (!isOver) {
        const body = `Comment ${randomUUID()}`
        const comment = { body, idempotencyKey: randomUUID() }
        const who = newcomer()
        // Until it's acknowledged. With the same idempotency key, it's stored once.
        for (let isThere = false; !isThere; ) {
          const path = `/api/v1/threads/${thread}/comments`
          const { status, headers } = await send(site.url, 'POST', path, who, comment)
          note(String(status))
          if (status === 503 && !headers.get('retry-after')) note('503 without Retry-After')
          isThere = status === 201
          if (!isThere) await pause(50)
        }
        acknowledged.push(body)
        const list = await send(site.url, 'GET', `/api/v1/threads/${thread}/comments`, who)
        note(String(list.status))
      }
    }
    const writing = Promise.all(Array.from({ length: WRITERS }, write))
    const moreWrites = async (n: number) => {
      const enough = acknowledged.length + n
      await expect.poll(() => acknowledged.length).toBeGreaterThan(enough)
    }
    for (let n = 0; n < terminations; n++) {
      await moreWrites(2)
      await power.terminate(1)
    }
    for (let n = 0; n < crashes; n++) {
      await moreWrites(5)
      if (n % 2 === 0) {
        await power.crash()
        await expect.poll(async () => (await readyz(site.url)).status).toBe('unavailable')
        await power.start()
      } else await power.killBackend()
    }
    await moreWrites(10)
    isOver = true
    await writing
    await expect.poll(() => readyz(site.url)).toMatchObject({ status: 'ok' })
    const { rows } = await ask(`select body, count(*)::integer as n from comments
                                 where thread_id = '${thread}' group by body`)
    const stored = new Map(rows.map(({ body, n }) => [body, n]))
    expect(acknowledged.filter((body) => stored.get(body) !== 1)).toEqual([])
    expect([...stored.values()].every((n) => n === 1)).toBe(true)
    console.log(`${acknowledged.length} comments acknowledged; answers ${JSON.stringify(answers)}`)
    expect(Object.keys(answers).filter((status) => !/^(200|201|503)$/.test(status))).toEqual([])
    // One line per kind and second, and no stack for a request.
    expect(site.logs()).not.toContain('A request failed')
    expect(site.logs()).toContain('The database is unavailable')
    // No one had to restart the site.
    expect((await fetch(`${site.url}/healthz`)).status).toBe(200)
  })
})
