/** What pages cost over HTTP: cached, uncached, a member's, and a long thread's. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { threadPath } from '../app/community/discussions/discussion.ts'
import { CACHE_BYTES, cachedPage, weightOf } from '../app/platform/http/page-cache.server.ts'
import { largeThreads, threadId } from './data/threads.ts'
import {
  cpuMsOf,
  cpuMsWithDatabase,
  type Figure,
  figure,
  latency,
  measure,
  median,
  over,
} from './measure.ts'
import { fetchRaw, headersOf, load, pick, read, send, signUpAll } from './site.ts'
import { type Entry, SMALL, YOUNG } from './world.ts'

export const pages: Entry = {
  name: 'pages',
  says: 'the home page from the cache, compared with bare node:http',
  async run(bench) {
    const world = await bench.world(['companies'])
    const site = await bench.site(world)
    await read(`${site.url}/api/v1/config`)
    for (let time = 0; time < 2; time++) await fetch(`${site.url}/`)
    const bare = await bench.bare(world, { COPY_OF: `${site.url}/` })
    const headers = { 'accept-encoding': 'br' }
    const spent: Record<string, number[]> = {}
    const kind = (name: string, program: typeof site, path: string) => ({
      async run() {
        const before = cpuMsOf(program.pid)
        const { requests } = await load(program, () => ({ path, headers }), { duration: 3 })
        const cost = (cpuMsOf(program.pid) - before) / requests.total
        spent[name] = [...(spent[name] ?? []), cost]
        return requests.average
      },
    })
    const { ours, plain } = await measure(
      { ours: kind('ours', site, '/'), plain: kind('plain', bare, '/body') },
      { rounds: 5, warmUp: 1 },
    )
    // When the load generator is the bottleneck, processor time shows the difference.
    const cpu = (name: string) => `CPU-ms ${median(spent[name] ?? []).toPrecision(3)}`
    return [
      figure('home page from the cache', ours.median, 'req/s', {
        reference: plain.median,
        minRatio: 0.45,
        also: cpu('ours'),
      }),
      figure('the same bytes from a bare node:http', plain.median, 'req/s', { also: cpu('plain') }),
    ]
  },
}

const READ = 60
/** "Not found" pages are cheap, and many fit into the hundredth of a second that Linux counts in. */
const MADE_UP = 250
/** A notification usually arrives within this time. Then the cache is empty. */
const TO_HEAR_MS = 10
const METRICS_TOKEN = 'of the bench alone, and long enough'

export const uncached: Entry = {
  name: 'uncached',
  says: 'uncached pages, pages that do not exist, the size of a thread',
  isShort: true,
  async run(bench) {
    const world = await bench.world(['threads'], YOUNG)
    const { client } = world
    const { rows: twenties } = await client.query<{ id: string; title: string }>(
      `select id, title from threads
        where comments = 20 and hidden is null and company_id is not null order by id limit ${READ}`,
    )
    const threads = twenties.map((thread) => encodeURI(threadPath(thread)))
    // The most discussed threads.
    const { rows: slugs } = await client.query<{ slug: string }>(
      `select slug from companies where slug ~ '^[a-z0-9-]+$' and id in (
         select company_id from threads where hidden is null group by company_id
          order by count(*) desc, company_id limit ${READ})`,
    )
    const companies = slugs.map(({ slug }) => `/${slug}`)
    const site = await bench.site(world, { METRICS_TOKEN })
    const bare = await bench.bare(world)
    const agent = bench.agent()
    /** Pretends that everything has changed, so no page is cached. */
    const forget = async () => {
      await client.query("select pg_notify('company_news', '/')")
      await wait(TO_HEAR_MS)
    }
    const ask = async (url: string, wanted = 200) => {
      const { status, body } = await fetchRaw(url, agent)
      if (status !== wanted) throw new Error(`${url} answered ${status}`)
      return body
    }
    // If the notification was late, a page came from the cache once more, at almost no cost.
    const done = async () => {
      const answer = await fetch(`${site.url}/metrics`, { headers: headersOf(METRICS_TOKEN) })
      const rendered = /^kettle_pages_total\{from="rendered"\} (\d+)/m.exec(await answer.text())
      return Number(rendered?.[1] ?? 0)
    }
    const cost = async (
      name: string,
      paths: string[],
      work: (path: string) => Promise<unknown>,
      limits: { max: number; done?: typeof done },
    ) => {
      const { ours, plain } = await measure(
        {
          plain: {
            ...over(threads, (path) => ask(bare.url + path)),
            cpuMs: () => cpuMsWithDatabase(client, bare.pid, 'bare'),
          },
          ours: {
            ...over(paths, work),
            cpuMs: () => cpuMsWithDatabase(client, site.pid),
            done: limits.done,
          },
        },
        { rounds: 4, warmUp: 5 },
      )
      const { max } = limits
      return figure(name, ours.cpuMs, 'CPU-ms', { reference: plain.cpuMs, max })
    }
    const figures: Figure[] = []
    const PAGES: Record<string, string[]> = {
      'thread of 20 comments': threads,
      company: companies,
      discussions: Array(READ).fill('/discussions'),
      home: Array(READ).fill('/'),
    }
    for (const [name, paths] of Object.entries(PAGES)) {
      const work = async (path: string) => {
        await forget()
        await ask(site.url + path)
      }
      figures.push(await cost(`${name}, not kept`, paths, work, { max: 3.5, done }))
    }
    for (const [name, path] of Object.entries(NOWHERE)) {
      const work = () => ask(site.url + path(), 404)
      const paths = Array(MADE_UP).fill(path)
      figures.push(await cost(`${name}, nothing there`, paths, work, { max: 0.5 }))
    }

    const weights = { whole: [] as number[], sent: [] as number[], kept: [] as number[] }
    await forget()
    for (const path of threads) {
      const body = await ask(site.url + path)
      const html = brotliDecompressSync(body).toString()
      // Without the styles in the head, which are the same in every page.
      const own = html.replaceAll(/<style\b.*?<\/style>/gs, '')
      weights.whole.push(Buffer.byteLength(own) / 1000)
      weights.sent.push(body.length / 1000)
      weights.kept.push(weightOf(cachedPage({ status: 200, html }, { headers: [], renderedAt: 0 })))
    }
    const fit = Math.floor(CACHE_BYTES / median(weights.kept))
    return [
      ...figures,
      figure('HTML of a thread of 20 comments', median(weights.whole), 'kB', { max: 60 }),
      figure('the same as it is first sent', median(weights.sent), 'kB'),
      figure('threads of 20 comments that are kept in 48 MB', fit, '', { min: 3_500 }),
    ]
  },
}

const NOWHERE: Record<string, () => string> = {
  'a made-up company': () => `/made-up-${randomUUID().slice(0, 8)}`,
  'a made-up thread': () => `/thread/${randomUUID()}-made-up`,
  'a path that no page has': () => `/wp-content/${randomUUID()}/login.php`,
}

const MEMBERS = 60
/** Each round requests this many pages, because Linux counts processor time in hundredths of a second. */
const KEPT_PAGES = 120
/** With less warm-up, the code wouldn't be compiled. */
const ROUNDS = { rounds: 5, warmUp: 15 }
/** After this, no one's identity is cached. */
const FORGOTTEN_MS = 5_200

export const personal: Entry = {
  name: 'personal',
  says: "what a member's page costs beyond the cached thread, which is the same for everyone",
  isShort: true,
  async run(bench) {
    const world = await bench.world(['threads'], YOUNG)
    const { client } = world
    const site = await bench.site(world)
    const tokens = await signUpAll(site, client, MEMBERS)
    const bare = await bench.bare(world)
    const agent = bench.agent()
    const ask = async (url: string, token?: string) => {
      const { status, headers } = await fetchRaw(url, agent, headersOf(token))
      if (status >= 400) throw new Error(`${url}: ${status}`)
      return headers.location
    }
    const { rows } = await client.query<{ id: string }>(
      `select id from threads where hidden is null and comments > 3 order by id limit ${KEPT_PAGES}`,
    )
    const threads: { id: string; path: string }[] = []
    // Request the full addresses, where readers end up after the redirect.
    for (const { id } of rows) {
      const path = `/thread/${id}`
      threads.push({ id, path: (await ask(site.url + path)) ?? path })
    }
    type Thread = (typeof threads)[number]
    const cpuMs = () => cpuMsWithDatabase(client, site.pid)
    const kind = (
      some: Thread[],
      paths: (thread: Thread) => string[],
      tokenOf = (_: number) => 0,
    ) =>
      ({
        cpuMs,
        ...over(some, async (thread, n) => {
          await ask(site.url + thread.path)
          for (const path of paths(thread)) await ask(site.url + path, tokens[tokenOf(n)])
        }),
      }) as const
    const mine = ({ id }: Thread) => [`/api/v1/my-page?thread=${id}`]
    const { plain, kept, remembered } = await measure(
      {
        plain: {
          ...over(threads, () => ask(`${bare.url}/me`)),
          cpuMs: () => cpuMsWithDatabase(client, bare.pid, 'bare'),
        },
        kept: kind(threads, () => []),
        remembered: kind(threads, mine),
      },
      ROUNDS,
    )
    const pause = { run: () => wait(FORGOTTEN_MS) }
    const newcomers = kind(threads.slice(0, MEMBERS), mine, (n) => n % MEMBERS)
    const { first } = await measure({ pause, first: newcomers }, { rounds: ROUNDS.rounds })
    const limits = { reference: plain.cpuMs, max: 2 }
    const [newcomer, again] = [first.cpuMs - kept.cpuMs, remembered.cpuMs - kept.cpuMs]
    return [
      figure('a bare route with one query', plain.cpuMs, 'CPU-ms'),
      figure('a kept thread page', kept.cpuMs, 'CPU-ms', { reference: plain.cpuMs }),
      figure('a member’s, beyond it', newcomer, 'CPU-ms', limits),
      figure('a member’s within five seconds, beyond it', again, 'CPU-ms', limits),
    ]
  },
}

const READS = 150

export const bigThread: Entry = {
  name: 'big-thread',
  says: 'a page of a thread with 5,000 comments, compared with one of a hundred',
  isShort: true,
  async run(bench) {
    const world = await bench.world(['threads'], SMALL)
    const { client } = world
    const site = await bench.site(world)
    const [large] = largeThreads(world.threads)
    const long = threadId(bench.seed, large?.index ?? 0)
    const { rows } = await client.query<{ id: string }>(
      // A page and a little more.
      `select id from threads where comments between 101 and 150 and hidden is null order by id limit 1`,
    )
    const pagesOf = async (id: string) => {
      const first = `${site.url}/api/v1/threads/${id}/comments?sort=best`
      const pages = [first]
      for (;;) {
        const { next } = await read<{ next: string | null }>(pages.at(-1) as string)
        if (next === null) return pages
        pages.push(`${first}&after=${next}`)
      }
    }
    const longPages = await pagesOf(long)
    const shortPages = await pagesOf(rows[0]?.id ?? '')
    const kind = (pages: string[]) => ({
      times: READS,
      cpuMs: () => cpuMsWithDatabase(client, site.pid),
      // Those who name themselves get no cached answer from the API.
      run: () =>
        send(pick(pages), {
          method: 'GET',
          headers: { 'x-anonymous-id': `anon-${'5ec2'.repeat(8)}` },
        }),
    })
    const kinds = { short: kind(shortPages), kept: kind(longPages) }
    const { short, kept } = await measure(kinds, { rounds: 3, warmUp: 2 })
    const name = 'a page of a thread of 5000 comments'
    const limits = { reference: short.cpuMs, max: 6 }
    return [
      figure(`${name}, beside one of a hundred`, kept.cpuMs, 'CPU-ms', limits),
      latency(name, kept.values),
    ]
  },
}
