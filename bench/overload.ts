/**
 * Sends more than the site can handle: five times its capacity, thirty callers who search, two thousand readers who come
 * back at once. Also measures its memory after a mixed load.
 */
import { randomUUID } from 'node:crypto'
import { type Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { threadPath } from '../app/community/discussions/discussion.ts'
import { companyPath } from '../app/companies/company.ts'
import { type Figure, figure, memoryMbOf, quantile } from './measure.ts'
import { headersOf, load, type Program, pick, type Sent, signUpAll } from './site.ts'
import { type Entry, SMALL, type World } from './world.ts'

const LIST = '/api/v1/threads'
const WHO = `anon-${'5ec2'.repeat(8)}`
const OVERLOAD = 5
/** Opened beforehand, as a proxy keeps connections open. Node accepts one new connection per turn of its loop. */
const CONNECTIONS = 400
const OVERLOAD_S = 12
const CALM_PER_SECOND = 40
const READERS = 2_000

export const overload: Entry = {
  name: 'overload',
  says: 'requests at five times the capacity, 30 people searching, 2,000 coming back at once',
  async run(bench) {
    const world = await bench.world(['threads'], SMALL)
    const site = await bench.site(world, { TRUST_PROXY: '1' })
    const agent = bench.agent(CONNECTIONS)
    const caller = callerOf(site, agent)
    const paths = await uncachedPaths(world)
    await Promise.all(Array.from({ length: CONNECTIONS }, () => caller.ask('/healthz')))
    await caller.capacity(paths, 5)
    const list = () => LIST
    const alone = p95Of(await caller.atRate(list, CALM_PER_SECOND, 5))
    return [
      ...(await besideSearches(caller, alone)),
      ...(await timesFive(caller, site, paths, alone)),
      await readersComeBack(site, world),
    ]
  },
}

interface Answer {
  /** 0 means no response. */
  status: number
  /** The time since the request was due. */
  ms: number
}
type Caller = ReturnType<typeof callerOf>

const callerOf = ({ url }: Program, agent: Agent) => {
  const ask = (path: string, due = performance.now()) =>
    new Promise<Answer>((resolve) => {
      const done = (status: number) => resolve({ status, ms: performance.now() - due })
      // Those who name themselves get no cached answer from the API.
      const headers = { 'accept-encoding': 'br', 'x-anonymous-id': WHO }
      const request = get(url + path, { agent, headers }, (response) => {
        response.resume()
        response.on('end', () => done(response.statusCode ?? 0))
        response.on('error', () => done(0))
      }).on('error', () => done(0))
      request.setNoDelay(true)
    })
  return {
    ask,
    /** Requests per second, from sixteen callers who each wait for their response. */
    async capacity(paths: () => string, seconds: number) {
      const until = performance.now() + seconds * 1000
      let answered = 0
      const one = async () => {
        while (performance.now() < until) {
          const { status } = await ask(paths())
          if (status !== 200) throw new Error(`The site answered ${status} to what is not too much`)
          answered++
        }
      }
      await Promise.all(Array.from({ length: 16 }, one))
      return answered / seconds
    },
    /** Sends this many requests per second, no matter what happens to them, as people do. */
    async atRate(paths: () => string, rate: number, seconds: number) {
      const began = performance.now()
      const answers: Promise<Answer>[] = []
      while (performance.now() < began + seconds * 1000) {
        const due = ((performance.now() - began) / 1000) * rate
        while (answers.length < due)
          answers.push(ask(paths(), began + (answers.length / rate) * 1000))
        await wait(2)
      }
      return Promise.all(answers)
    },
  }
}

const p95Of = (answers: Answer[], wanted = 200) =>
  quantile(
    answers.filter(({ status }) => status === wanted).map(({ ms }) => ms),
    0.95,
  )

/** Uncached requests: lists as programs request them, and pages requested only once each. */
async function uncachedPaths({ client }: World) {
  const { rows: threads } = await client.query<{ id: string; title: string }>(
    'select id, title from threads where hidden is null order by id limit 30000',
  )
  const { rows: companies } = await client.query<{ slug: string }>(
    "select slug from companies where slug ~ '^[a-z0-9-]+$' order by id limit 10000",
  )
  let n = 0
  return () => {
    n++
    if (n % 2 === 0) return LIST
    const thread = threads[n % threads.length]
    if (n % 5 > 1 && thread) return encodeURI(threadPath(thread))
    return `/${companies[n % companies.length]?.slug}`
  }
}

async function timesFive(
  caller: Caller,
  { pid }: Program,
  paths: () => string,
  alone: number,
): Promise<Figure[]> {
  const reference = await caller.capacity(paths, 6)
  await caller.ask('/')
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryMbOf(pid))
  }, 100)
  const [answers, kept] = await Promise.all([
    caller.atRate(paths, reference * OVERLOAD, OVERLOAD_S),
    caller.atRate(() => '/', 50, OVERLOAD_S),
  ])
  const calmAfter = await untilCalm(caller, 3 * alone)
  clearInterval(watch)
  const with200 = (some: Answer[]) => some.filter(({ status }) => status === 200).length
  const wrong = answers.filter(({ status }) => status !== 200 && status !== 503).length
  const answered = with200(answers) / OVERLOAD_S
  return [
    figure('capacity, pages and lists that no cache holds', reference, 'req/s'),
    figure('of five times that, answered', answered, 'req/s', { reference }),
    figure('of these, p95', p95Of(answers), 'ms', { max: 1_000 }),
    figure('refused, p95', p95Of(answers, 503), 'ms', { max: 50 }),
    figure('neither answered nor refused', wrong, '', { max: 0 }),
    figure('kept page meanwhile, p95', p95Of(kept), 'ms'),
    figure('kept pages that were sent', (100 * with200(kept)) / kept.length, '%', { min: 100 }),
    figure('memory meanwhile, most', memory, 'MB', { max: 256 }),
    figure('back to calm after', calmAfter, 'ms', { max: 2_000 }),
  ]
}

/** Milliseconds until a list is as fast as before, ten times in a row. */
async function untilCalm({ ask }: Caller, calmMs: number) {
  const began = performance.now()
  let calmSince = began
  for (let inRow = 0; inRow < 10 && performance.now() - began < 60_000; ) {
    const { status, ms } = await ask(LIST)
    inRow = status === 200 && ms <= calmMs ? inRow + 1 : 0
    if (inRow === 1) calmSince = performance.now() - ms
    await wait(10)
  }
  return calmSince - began
}

async function besideSearches({ ask, atRate }: Caller, alone: number): Promise<Figure[]> {
  let isOver = false
  const found: Answer[] = []
  let refused = 0
  const searcher = async (_: unknown, n: number) => {
    while (!isOver) {
      // Misspelled words take longest to look up.
      const answer = await ask(`${LIST}?search=manegement&sort=${['hot', 'new', 'top'][n % 3]}`)
      if (answer.status === 200) found.push(answer)
      else {
        refused++
        await wait(2_000)
      }
    }
  }
  const searching = Promise.all(Array.from({ length: 30 }, searcher))
  await wait(1_000)
  const beside = p95Of(await atRate(() => LIST, CALM_PER_SECOND, 10))
  isOver = true
  await searching
  const name = 'a list of threads beside 30 who search, p95'
  return [
    figure(name, beside, 'ms', { reference: alone, maxRatio: 3 }),
    figure('their searches, p95', p95Of(found), 'ms'),
    figure('searches that were refused', refused, `of ${found.length + refused}`),
  ]
}

/** All readers reconnect at once, as after a restart, from fifty networks to ten threads. */
async function readersComeBack({ url }: Program, { client }: World): Promise<Figure> {
  const { rows } = await client.query<{ id: string }>(
    'select id from threads where hidden is null order by id limit 10',
  )
  const listen = (n: number) =>
    new Promise<number>((resolve) => {
      const headers = { 'x-forwarded-for': `198.51.0.${Math.floor(n / 40)}` }
      const path = `${LIST}/${rows[n % rows.length]?.id}/live`
      const request = get(url + path, { agent: false, headers }, (response) => {
        resolve(response.statusCode ?? 0)
        response.on('error', () => {})
        response.resume()
        setTimeout(() => response.destroy(), 5_000).unref()
      }).on('error', () => resolve(0))
      request.setTimeout(30_000, () => request.destroy())
    })
  const statuses = await Promise.all(Array.from({ length: READERS }, (_, n) => listen(n)))
  const failed = statuses.filter((status) => status !== 200).length
  return figure('of 2,000 readers who come back at once, not let in', failed, '', { max: 0 })
}

const REQUESTS = 8_000

export const memory: Entry = {
  name: 'memory',
  says: "the server's memory while idle, and after 8,000 requests of all kinds",
  isShort: true,
  async run(bench) {
    const world = await bench.world(['threads'], SMALL)
    const site = await bench.site(world)
    await wait(20_000)
    const idle = memoryMbOf(site.pid)
    const tokens = await signUpAll(site, world.client, 20)
    const next = await requestsOf(world, tokens)
    // Some requests fail for good reason: a thread was hidden, or a company no longer exists.
    await load(site, next, { amount: REQUESTS }, 0.02)
    const after = `memory after ${REQUESTS} requests of all kinds`
    return [
      figure('memory, idle with PostgreSQL', idle, 'MB', { max: 150 }),
      figure(after, memoryMbOf(site.pid), 'MB', { max: 200 }),
      figure('memory at its highest', memoryMbOf(site.pid, 'VmHWM'), 'MB'),
    ]
  },
}

/** How many of a hundred requests are of each kind. */
async function requestsOf({ client }: World, tokens: string[]): Promise<() => Sent> {
  const { rows: threads } = await client.query<{ id: string; title: string }>(
    `select id, title from threads where hidden is null and not is_locked order by random() limit 4000`,
  )
  const { rows: companies } = await client.query<{ id: string; slug: string | null }>(
    'select id, slug from companies order by random() limit 2000',
  )
  const page = (path: string): Sent => ({ path, headers: { 'accept-encoding': 'br' } })
  // Requested often enough to be cached.
  const popular = threads.slice(0, 50)
  const headers = () => headersOf(pick(tokens))
  const write = (method: 'POST' | 'PUT', what: string, body: object): Sent => ({
    method,
    path: `${LIST}/${pick(threads).id}/${what}`,
    headers: headers(),
    body: JSON.stringify(body),
  })
  const body = 'We heard the **same** on our floor.'
  const kinds: [share: number, request: () => Sent][] = [
    [30, () => page(encodeURI(threadPath(pick(popular))))],
    [22, () => page(encodeURI(threadPath(pick(threads))))],
    [10, () => page(companyPath(pick(companies)))],
    [4, () => page(`/discussions?sort=${pick(['hot', 'new', 'top'])}`)],
    [4, () => page(pick(['/', '/companies', '/jobs']))],
    [4, () => page(`${LIST}?search=${pick(['overtime', 'manager', 'salary', 'office'])}`)],
    [4, () => page(`/api/v1/companies/suggest?text=${pick([...'abcdefghijklmnop'])}`)],
    [10, () => ({ path: '/api/v1/me', headers: headers() })],
    [6, () => write('POST', 'comments', { body, idempotencyKey: randomUUID() })],
    [6, () => write('PUT', 'vote', { vote: pick([1, -1]) })],
  ]
  const deck = kinds.flatMap(([share, request]) => Array.from({ length: share }, () => request))
  return () => ({ method: 'GET', ...pick(deck)() })
}
