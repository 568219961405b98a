/** One's own threads, comments and unread news among everybody's, signed in, over HTTP. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { type Bench, cpuMsWithDatabase, type Figure, latencyFigures, timesOf } from './measure.ts'
import { headersOf, signUpAll, startWritingSite, untilIdle } from './writing.ts'

const MEMBERS = 20
const THREADS_EACH = 30
/** To the threads of the others, who get news of it. */
const COMMENTS_EACH = 200
const AT_ONCE = 8
const READS = 2_000
const WARM_UP = 1_000
/** Of one's own. */
const PAGE_LENGTH = 20
const BODY = 'We heard the same on the third floor. Nobody was asked.'

/** What the page of one's own discussions asks for, and what it shows of it. */
const PAGE = { '/api/v1/my/threads': 'threads', '/api/v1/my/comments': 'comments' }
const UNREAD = '/api/v1/notifications/unread'

export const ownThings: Bench = {
  name: 'own-things',
  async run({ discussionsUrl, threads }) {
    const url = await discussionsUrl(threads)
    const { site, client, stop } = await startWritingSite(url)
    try {
      const tokens = await signUpAll(site.url, MEMBERS)
      await write(site.url, client, tokens)
      const members = Array.from({ length: READS }, (_, n) => tokens[n % MEMBERS] as string)
      const page = (token: string) =>
        Promise.all(
          Object.entries(PAGE).map(async ([path, list]) => {
            const { [list]: items } = await get(site.url + path, token)
            if (!(Array.isArray(items) && items.length === PAGE_LENGTH))
              throw new Error(`${path} shows less than a page`)
          }),
        )
      await timesOf(members.slice(0, WARM_UP), page)
      const pages = await timesOf(members, page)
      const unread = async (token: string) => {
        const { unread } = await get(site.url + UNREAD, token)
        if (!(Number(unread) > 0)) throw new Error('There is no news')
      }
      await timesOf(members.slice(0, WARM_UP), unread)
      const before = await cpuMsWithDatabase(client, site.pid)
      const news = await timesOf(members, unread)
      const figure: Figure = {
        name: 'unread news, site and database',
        measured: ((await cpuMsWithDatabase(client, site.pid)) - before) / READS,
        unit: 'CPU-ms',
        budget: { most: 3 },
      }
      return [
        ...latencyFigures('the page of one’s own discussions', pages, { p95: 30 }),
        ...latencyFigures('unread news', news),
        figure,
      ]
    } finally {
      await stop()
    }
  },
}

async function get(url: string, token: string) {
  const answer = await fetch(url, { headers: headersOf(token) })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}

async function write(site: string, client: pg.Client, tokens: string[]) {
  const post = async (path: string, token: string, body: object) => {
    const answer = await fetch(site + path, {
      method: 'POST',
      headers: headersOf(token),
      body: JSON.stringify({ ...body, sending: randomUUID() }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  const thread = (token: string, n: number) =>
    post('/api/v1/threads', token, { title: `The third floor, memo ${n}`, body: BODY })
  const first = await Promise.all(tokens.map(thread))
  // Whoever is new and writes that much is held.
  await client.query(
    `update threads set posted_minute = posted_minute - 100000 where id = any ($1)`,
    [first.map(({ id }) => id)],
  )
  const ids: { id: string; writer: number }[] = []
  await atOnce(MEMBERS * THREADS_EACH, async (n) => {
    const writer = n % MEMBERS
    ids.push({ writer, ...(await thread(tokens[writer] as string, n)) })
  })
  await atOnce(MEMBERS * COMMENTS_EACH, async (n) => {
    const writer = n % MEMBERS
    const others = ids.filter((one) => one.writer !== writer)
    const { id } = others[Math.floor(Math.random() * others.length)] as { id: string }
    await post(`/api/v1/threads/${id}/comments`, tokens[writer] as string, { body: BODY })
  })
  await untilIdle(client)
}

async function atOnce(count: number, work: (n: number) => Promise<void>) {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
