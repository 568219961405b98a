/** Pages over HTTP: from the cache beside a bare node:http, and rendered anew. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { type Bench, cpuMsOf, type Figure, median, quantile } from './measure.ts'
import { fetchRaw, type Program, startBuiltSite, startProgram } from './program.ts'

const ROUNDS = 5
const ROUND_SECONDS = 3
const CONNECTIONS = 16
const RENDERED = 1_000
const RENDERED_TO_WARM_UP = 500

const bareServer = fileURLToPath(new URL('./bare-server.mjs', import.meta.url))

export const pages: Bench = {
  name: 'pages',
  async run({ databaseUrl }) {
    const url = await databaseUrl()
    const folder = await mkdtemp(join(tmpdir(), 'kettle-bench-'))
    const site = await startBuiltSite({ DATABASE_URL: url, DATA_DIR: folder, STARTER: 'none' })
    try {
      return [
        ...(await cachedPage(site, folder)),
        await renderedPages(site, await someSlugs(url, RENDERED + RENDERED_TO_WARM_UP)),
      ]
    } finally {
      await site.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function cachedPage(site: Program, folder: string): Promise<Figure[]> {
  const agent = new Agent()
  await fetchRaw(`${site.url}/`, agent)
  const { headers, body } = await fetchRaw(`${site.url}/`, agent)
  const file = join(folder, 'body')
  await writeFile(file, body)
  for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name]
  headers['content-length'] = String(body.length)
  const bare = await startProgram(bareServer, {
    BODY_FILE: file,
    HEADERS: JSON.stringify(headers),
  })
  try {
    for (const { url } of [site, bare]) await load(url, 1)
    const ours: Loaded[] = []
    const plain: Loaded[] = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await loadAndCount(site))
      plain.push(await loadAndCount(bare))
    }
    const figure = (name: string, rounds: Loaded[]) => {
      const middle = (key: keyof Loaded) => median(rounds.map((round) => round[key]))
      return {
        name,
        measured: middle('requestsPerSecond'),
        unit: 'req/s',
        requestsPerSecond: middle('requestsPerSecond'),
        p50: middle('p50'),
        p99: middle('p99'),
        cpuMsPerRequest: middle('cpuMsPerRequest'),
      }
    }
    const reference = figure('the same bytes from a bare node:http', plain)
    return [
      {
        ...figure('home page from the cache', ours),
        reference: reference.measured,
        budget: { leastRatio: 0.45 },
      },
      // Where the load generator is the narrow place, the processor time tells them apart.
      reference,
    ]
  } finally {
    await bare.stop()
  }
}

interface Loaded {
  requestsPerSecond: number
  p50: number
  p99: number
  cpuMsPerRequest: number
}

async function loadAndCount(program: Program): Promise<Loaded> {
  const before = cpuMsOf(program.pid)
  const { requests, latency, errors, non2xx } = await load(program.url, ROUND_SECONDS)
  if (errors + non2xx > 0) throw new Error(`${program.url}: ${errors} errors, ${non2xx} not 2xx`)
  return {
    requestsPerSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    cpuMsPerRequest: (cpuMsOf(program.pid) - before) / requests.total,
  }
}

const load = (url: string, duration: number) =>
  autocannon({
    url: `${url}/`,
    connections: CONNECTIONS,
    duration,
    headers: { 'accept-encoding': 'br' },
  })

/** Company pages that nobody has asked for, so no cache holds them. */
async function renderedPages(site: Program, slugs: string[]): Promise<Figure> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const visit = async (slug: string) => {
    const began = performance.now()
    const { status } = await fetchRaw(`${site.url}/${encodeURIComponent(slug)}`, agent)
    if (status !== 200) throw new Error(`/${slug} answered ${status}`)
    return performance.now() - began
  }
  for (const slug of slugs.slice(0, RENDERED_TO_WARM_UP)) await visit(slug)
  const before = cpuMsOf(site.pid)
  const times: number[] = []
  const rendered = slugs.slice(RENDERED_TO_WARM_UP)
  for (const slug of rendered) times.push(await visit(slug))
  const cpuMsPerRequest = (cpuMsOf(site.pid) - before) / rendered.length
  agent.destroy()
  return {
    // With its queries, sockets and compression; what rendering alone costs, render.ts measures.
    name: 'company page not in the cache, whole process',
    measured: cpuMsPerRequest,
    unit: 'CPU-ms',
    requestsPerSecond: (1000 * times.length) / times.reduce((sum, time) => sum + time, 0),
    p50: median(times),
    p99: quantile(times, 0.99),
    cpuMsPerRequest,
  }
}

async function someSlugs(url: string, count: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ slug: string }>(
      "select slug from companies where slug ~ '^[a-z0-9-]+$' order by id limit $1",
      [count],
    )
    return rows.map(({ slug }) => slug)
  } finally {
    await client.end()
  }
}
