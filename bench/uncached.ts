/**
 * Pages that no cache holds: what each costs the site and its PostgreSQL together, what it weighs, and how
 * many of them are kept. And addresses at which nothing is, each another one.
 */
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'
import { threadPath } from '../app/community/discussions/discussion.ts'
import { cachedPage, weightOf } from '../app/platform/http/cached-page.server.ts'
import { CACHE_BYTES } from '../app/platform/http/page-cache.server.ts'
import { createRandom, uuidOf } from './data/random.ts'
import { talk } from './data/thread-words.ts'
import { type Bench, cpuMsWithDatabase, type Figure, median } from './measure.ts'
import { fetchRaw, type Program, startBuiltSite, startProgram } from './program.ts'

/** Of the whole database; few, as on a young site. */
const THREADS = 2_000
const DAYS = 30
/** Of these each has `COMMENTS`. */
const READ = 60
const COMMENTS = 20
const WARM_UP_ROUNDS = 5
const ROUNDS = 4
/** Those at which nothing is are cheap: a hundredth of a second, which Linux counts in, is many of them. */
const MADE_UP = 250
/** A notification mostly arrives within this, and nothing is kept any more. */
const TO_HEAR_MS = 10

const bareThread = fileURLToPath(new URL('./bare-thread.mjs', import.meta.url))

export const uncached: Bench = {
  name: 'uncached',
  async run({ discussionsUrl, seed }) {
    const url = await discussionsUrl(THREADS, DAYS)
    const client = new pg.Client({ connectionString: url, application_name: 'kettle-bench' })
    await client.connect()
    const threads = await threadsOfTwenty(client, seed)
    const companies = await discussedCompanies(client)
    const site = await startBuiltSite({ DATABASE_URL: url, STARTER: 'none', METRICS_TOKEN: TOKEN })
    const bare = await startProgram(bareThread, { DATABASE_URL: url, PGAPPNAME: 'bare' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const cost = createCosts(client, agent)
      const plain = { program: bare, backends: 'bare' }
      /** In turn with the bare thread: a busy moment of the machine falls on both. */
      const costs = async (measured: Measured, asked: Asked) => {
        const rounds: { ours: number; bare: number }[] = []
        for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
          rounds.push({
            bare: await cost(plain, { paths: () => threads }),
            ours: await cost(measured, asked),
          })
        const counted = rounds.slice(WARM_UP_ROUNDS)
        return {
          measured: median(counted.map(({ ours }) => ours)),
          reference: median(counted.map(({ bare }) => bare)),
        }
      }
      const ours = { program: site, backends: 'kettle%', rendered: () => renderedBy(site) }
      /** As if everything had changed: no page is kept any more. */
      const forget = async () => {
        await client.query("select pg_notify('company_news', '/')")
        await wait(TO_HEAR_MS)
      }
      const many = (path: string) => Array.from({ length: READ }, () => path)
      const figures: Figure[] = []
      const PAGES: [name: string, paths: string[]][] = [
        ['thread of 20 comments', threads],
        ['company', companies],
        ['discussions', many('/discussions')],
        ['home', many('/')],
      ]
      for (const [name, paths] of PAGES)
        figures.push({
          name: `${name}, not kept, beside a bare thread`,
          ...(await costs(ours, { paths: () => paths, before: forget })),
          unit: 'CPU-ms',
          budget: { most: 3.5 },
        })
      for (const [name, madeUp] of Object.entries(NOWHERE)) {
        const paths = () => Array.from({ length: MADE_UP }, madeUp)
        figures.push({
          name: `${name}, nothing there`,
          ...(await costs(ours, { paths, status: 404 })),
          unit: 'CPU-ms',
          budget: { most: 0.5 },
        })
      }
      return [...figures, ...(await weights(site, agent, threads, forget))]
    } finally {
      agent.destroy()
      await client.end()
      await bare.stop()
      await site.stop()
    }
  },
}

const TOKEN = 'of the bench alone, and long enough'

const NOWHERE: Record<string, () => string> = {
  'a made-up company': () => `/made-up-${randomUUID().slice(0, 8)}`,
  'a made-up thread': () => `/thread/${randomUUID()}-made-up`,
  'a path that no page has': () => `/wp-content/${randomUUID()}/login.php`,
}

interface Measured {
  program: Program
  /** What its connections call themselves, as SQL's `like` reads it. */
  backends: string
  /** How many pages it has rendered so far; not asked where it keeps none. */
  rendered?: () => Promise<number>
}

function createCosts(client: pg.Client, agent: Agent) {
  const spent = ({ program, backends }: Measured) =>
    cpuMsWithDatabase(client, program.pid, backends)
  /** Of one page, in one round. */
  return async function cost(measured: Measured, asked: Asked) {
    const { status = 200, before = async () => {} } = asked
    const paths = asked.paths()
    const renderedBefore = await measured.rendered?.()
    const began = await spent(measured)
    for (const path of paths) {
      await before()
      const answer = await fetchRaw(measured.program.url + path, agent)
      if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`)
    }
    const spentMs = (await spent(measured)) - began
    // Where the notification came late, a page was sent once more as it was kept, for nearly nothing.
    const rendered = (await measured.rendered?.()) ?? Number.NaN
    return spentMs / (rendered - (renderedBefore ?? 0) || paths.length)
  }
}

interface Asked {
  paths: () => string[]
  status?: number
  before?: () => Promise<void>
}

/** What a thread weighs, without what is the same in all pages of the site: the styles in its head. */
async function weights(
  site: Program,
  agent: Agent,
  threads: string[],
  forget: () => Promise<void>,
): Promise<Figure[]> {
  const whole: number[] = []
  const sent: number[] = []
  const kept: number[] = []
  await forget()
  for (const path of threads) {
    const { body } = await fetchRaw(site.url + path, agent)
    const html = brotliDecompressSync(body).toString()
    whole.push(Buffer.byteLength(html.replaceAll(/<style\b.*?<\/style>/gs, '')) / 1000)
    sent.push(body.length / 1000)
    kept.push(weightOf(cachedPage({ status: 200, html }, { headers: [], renderedAt: 0 })))
  }
  return [
    {
      name: 'HTML of a thread of 20 comments',
      measured: median(whole),
      unit: 'kB',
      budget: { most: 60 },
    },
    { name: 'the same as it is first sent', measured: median(sent), unit: 'kB' },
    {
      name: 'threads of 20 comments that are kept in 48 MB',
      measured: Math.floor(CACHE_BYTES / median(kept)),
      unit: '',
      budget: { least: 3_500 },
    },
  ]
}

async function renderedBy(site: Program) {
  const answer = await fetch(`${site.url}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  return Number(/^kettle_pages_total\{from="rendered"\} (\d+)/m.exec(await answer.text())?.[1] ?? 0)
}

/** The addresses of threads, which get their comments here: half of them answer another one. */
async function threadsOfTwenty(client: pg.Client, seed: number) {
  const { rows } = await client.query<{ id: string; title: string; minute: number }>(
    `select id, title, posted_minute as minute from threads
      where hidden is null and company_id is not null order by id limit $1`,
    [READ],
  )
  const comments = rows.flatMap(({ id, minute }, index) => {
    const random = createRandom(seed, 'uncached', index)
    const own = (place: number) => uuidOf(seed, 'uncached', index * COMMENTS + place)
    return Array.from({ length: COMMENTS }, (_, place) => {
      const body = talk(random, 14 + random.below(24))
      return {
        id: own(place),
        thread_id: id,
        parent_id: place > 0 && random.chance(0.5) ? own(random.below(place)) : null,
        number: index * COMMENTS + place,
        author_name: `Writer ${random.below(40)}`,
        is_visitor: random.chance(0.3),
        body,
        posted_minute: minute + place * 11,
        place: place + 1,
        score: random.below(30) - 3,
      }
    })
  })
  const ids = rows.map(({ id }) => id)
  await client.query('delete from comments where thread_id = any ($1)', [ids])
  await client.query(
    `insert into comments (id, thread_id, parent_id, key, mine, author_name, is_visitor, body, html,
            posted_minute, place, score, idempotency_key)
     select id, thread_id, parent_id, decode(md5('key' || number), 'hex'), decode(md5('mine' || number), 'hex'),
            author_name, is_visitor, body, '<p>' || body || '</p>', posted_minute, place, score,
            'uncached ' || number
       from jsonb_to_recordset($1) as written (id uuid, thread_id uuid, parent_id uuid, number integer,
            author_name text, is_visitor boolean, body text, posted_minute integer, place integer,
            score integer)`,
    [JSON.stringify(comments)],
  )
  await client.query('update threads set comments = $2, last_place = $2 where id = any ($1)', [
    ids,
    COMMENTS,
  ])
  await client.query('vacuum analyze comments')
  return rows.map((row) => encodeURI(threadPath(row)))
}

/** Pages of companies that are talked about most. */
async function discussedCompanies(client: pg.Client) {
  const { rows } = await client.query<{ slug: string }>(
    `select slug from companies where slug ~ '^[a-z0-9-]+$' and id in (
       select company_id from threads where hidden is null group by company_id
        order by count(*) desc, company_id limit $1)`,
    [READ],
  )
  return rows.map(({ slug }) => `/${slug}`)
}
