/**
 * More than the site can do: five times its capacity, thirty callers who search, two thousand readers
 * who come back at once. Requests come at a fixed rate, answered or not, as people do; a request's time
 * counts from when it was due.
 */
import { Agent, type ClientRequest, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { threadPath } from '../app/community/discussions/discussion.ts'
import { type Bench, type Figure, memoryMbOf, quantile } from './measure.ts'
import { type Program, startBuiltSite } from './program.ts'

/** With five times as many comments. */
const THREADS = 40_000
const WARM_UP_S = 5
const CAPACITY_S = 6
const CALLERS = 16
const OVERLOAD = 5
/** Opened beforehand, as a proxy keeps them. Node takes one new connection in a turn of its loop. */
const CONNECTIONS = 400
const OVERLOAD_S = 12
const KEPT_PER_SECOND = 50
const CALM_PER_SECOND = 40
const SEARCHERS = 30
const READERS = 2_000
const READERS_PER_NETWORK = 40

export const overload: Bench = {
  name: 'overload',
  async run({ discussionsUrl }) {
    const url = await discussionsUrl(THREADS)
    const site = await startBuiltSite({
      DATABASE_URL: url,
      STARTER: 'none',
      TRUST_PROXY: '1',
    })
    const agent = new Agent({
      keepAlive: true,
      maxSockets: CONNECTIONS,
      maxFreeSockets: CONNECTIONS,
    })
    try {
      const paths = await uncachedPaths(url)
      await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(site, agent, '/healthz')))
      await closedLoop(site, agent, paths, WARM_UP_S)
      const alone = await atRate(site, agent, { paths: () => LIST, rate: CALM_PER_SECOND, s: 5 })
      return [
        ...(await besideSearches(site, agent, alone)),
        ...(await timesFive(site, agent, paths, alone)),
        await readersComeBack(site, url),
      ]
    } finally {
      agent.destroy()
      await site.stop()
    }
  },
}

const LIST = '/api/v1/threads'

interface Answer {
  status: number
  ms: number
}

/** Status 0: no answer. */
function ask(site: Program, agent: Agent, path: string, due = performance.now()) {
  return new Promise<Answer>((resolve) => {
    const done = (status: number) => resolve({ status, ms: performance.now() - due })
    const request: ClientRequest = get(
      site.url + path,
      { agent, headers: { 'accept-encoding': 'br' } },
      (response) => {
        response.resume()
        response.on('end', () => done(response.statusCode ?? 0))
        response.on('error', () => done(0))
      },
    ).on('error', () => done(0))
    request.setNoDelay(true)
  })
}

/** What no cache holds: lists as programs ask for them, and pages that each come once. */
async function uncachedPaths(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const threads = await client.query<{ id: string; title: string }>(
      'select id, title from threads where hidden is null order by id limit 30000',
    )
    const companies = await client.query<{ slug: string }>(
      "select slug from companies where slug ~ '^[a-z0-9-]+$' order by id limit 10000",
    )
    let n = 0
    return () => {
      n++
      if (n % 2 === 0) return LIST
      const thread = threads.rows[n % threads.rows.length]
      if (n % 5 > 1 && thread) return encodeURI(threadPath(thread))
      return `/${companies.rows[n % companies.rows.length]?.slug}`
    }
  } finally {
    await client.end()
  }
}

/** Requests a second, from callers who each wait for their answer. */
async function closedLoop(site: Program, agent: Agent, paths: () => string, s: number) {
  const until = performance.now() + s * 1000
  let answered = 0
  const caller = async () => {
    while (performance.now() < until) {
      const { status } = await ask(site, agent, paths())
      if (status !== 200) throw new Error(`the site answered ${status} though it is not too much`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return answered / s
}

/** Asks so many times a second, whatever becomes of it. */
async function atRate(
  site: Program,
  agent: Agent,
  { paths, rate, s }: { paths: () => string; rate: number; s: number },
): Promise<Answer[]> {
  const began = performance.now()
  const answers: Promise<Answer>[] = []
  while (performance.now() < began + s * 1000) {
    const due = ((performance.now() - began) / 1000) * rate
    while (answers.length < due)
      answers.push(ask(site, agent, paths(), began + (answers.length / rate) * 1000))
    await wait(2)
  }
  return Promise.all(answers)
}

const p95Of = (answers: Answer[], wanted = 200) =>
  quantile(
    answers.filter(({ status }) => status === wanted).map(({ ms }) => ms),
    0.95,
  )

async function timesFive(
  site: Program,
  agent: Agent,
  paths: () => string,
  alone: Answer[],
): Promise<Figure[]> {
  const capacity = await closedLoop(site, agent, paths, CAPACITY_S)
  await ask(site, agent, '/')
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryMbOf(site.pid))
  }, 100)
  const rate = capacity * OVERLOAD
  const [answers, kept] = await Promise.all([
    atRate(site, agent, { paths, rate, s: OVERLOAD_S }),
    atRate(site, agent, { paths: () => '/', rate: KEPT_PER_SECOND, s: OVERLOAD_S }),
  ])
  const calmAfter = await untilCalm(site, agent, 3 * p95Of(alone))
  clearInterval(watch)
  const accepted = answers.filter(({ status }) => status === 200)
  const wrong = answers.filter(({ status }) => status !== 200 && status !== 503)
  return [
    { name: 'capacity, pages and lists that no cache holds', measured: capacity, unit: 'req/s' },
    {
      name: `of five times that, answered`,
      measured: accepted.length / OVERLOAD_S,
      unit: 'req/s',
      reference: capacity,
    },
    { name: 'of these, p95', measured: p95Of(accepted), unit: 'ms', budget: { most: 1_000 } },
    {
      name: 'refused, p95',
      measured: p95Of(answers, 503),
      unit: 'ms',
      budget: { most: 50 },
    },
    { name: 'neither answered nor refused', measured: wrong.length, unit: '', budget: { most: 0 } },
    { name: 'kept page meanwhile, p95', measured: p95Of(kept), unit: 'ms' },
    {
      name: 'kept pages that were sent',
      measured: (100 * kept.filter(({ status }) => status === 200).length) / kept.length,
      unit: '%',
      budget: { least: 100 },
    },
    { name: 'memory meanwhile, most', measured: memory, unit: 'MB', budget: { most: 256 } },
    { name: 'back to calm after', measured: calmAfter, unit: 'ms', budget: { most: 2_000 } },
  ]
}

/** Milliseconds until a list comes as quickly as before, ten times in a row. */
async function untilCalm(site: Program, agent: Agent, calmMs: number) {
  const began = performance.now()
  let calmSince = began
  for (let inRow = 0; inRow < 10 && performance.now() - began < 60_000; ) {
    const { status, ms } = await ask(site, agent, LIST)
    inRow = status === 200 && ms <= calmMs ? inRow + 1 : 0
    if (inRow === 1) calmSince = performance.now() - ms
    await wait(10)
  }
  return calmSince - began
}

async function besideSearches(site: Program, agent: Agent, alone: Answer[]): Promise<Figure[]> {
  let isOver = false
  const found: Answer[] = []
  let refused = 0
  const searcher = async (_: unknown, n: number) => {
    while (!isOver) {
      // Misspelt words are looked for longest.
      const answer = await ask(site, agent, `${LIST}?search=manegement&sort=${SORTS[n % 3]}`)
      if (answer.status === 200) found.push(answer)
      else {
        refused++
        await wait(2_000)
      }
    }
  }
  const searching = Promise.all(Array.from({ length: SEARCHERS }, searcher))
  await wait(1_000)
  const beside = await atRate(site, agent, { paths: () => LIST, rate: CALM_PER_SECOND, s: 10 })
  isOver = true
  await searching
  return [
    {
      name: 'list of threads beside 30 who search, p95',
      measured: p95Of(beside),
      unit: 'ms',
      reference: p95Of(alone),
      budget: { mostRatio: 3 },
    },
    { name: 'their searches, p95', measured: p95Of(found), unit: 'ms' },
    { name: 'searches that were refused', measured: refused, unit: `of ${found.length + refused}` },
  ]
}

const SORTS = ['hot', 'new', 'top']

/** As after a restart: all of them, from fifty networks, on ten threads. */
async function readersComeBack(site: Program, url: string): Promise<Figure> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    'select id from threads where hidden is null order by id limit 10',
  )
  await client.end()
  const statuses = await Promise.all(
    Array.from({ length: READERS }, (_, n) => listen(site, rows[n % rows.length]?.id ?? '', n)),
  )
  const failed = statuses.filter((status) => status !== 200)
  return {
    name: 'of 2,000 readers who come back at once, not let in',
    measured: failed.length,
    unit: '',
    budget: { most: 0 },
  }
}

const listen = (site: Program, threadId: string, n: number) =>
  new Promise<number>((resolve) => {
    const network = Math.floor(n / READERS_PER_NETWORK)
    const request = get(
      `${site.url}${LIST}/${threadId}/live`,
      { agent: false, headers: { 'x-forwarded-for': `198.51.${network >> 8}.${network & 255}` } },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.on('error', () => {})
        response.resume()
        setTimeout(() => response.destroy(), 5_000).unref()
      },
    ).on('error', () => resolve(0))
    request.setTimeout(30_000, () => request.destroy())
  })
