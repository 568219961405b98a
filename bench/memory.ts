/** What the server holds with PostgreSQL as its database: while nobody is there, and after a load of all kinds. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import type pg from 'pg'
import { threadPath } from '../app/community/discussions/discussion.ts'
import { companyPath } from '../app/companies/company.ts'
import { type Bench, type Figure, memoryMbOf } from './measure.ts'
import { startBuiltSite } from './program.ts'
import { headersOf, signUpAll, startWritingSite } from './writing.ts'

const IDLE_MS = 20_000
/** Few, as the short bench uses them: none of what is kept has as much room as all of them want. */
const THREADS = 20_000
const REQUESTS = 8_000
const CONNECTIONS = 16
const MEMBERS = 20
/** Asked for so often that the cache has them. */
const POPULAR = 50
/** Of requests some fail rightly: a thread was hidden, a company is no more. */
const FAILED_MAX = 0.02

export const memory: Bench = {
  name: 'memory',
  async run({ databaseUrl, discussionsUrl }) {
    return [...(await idle(await databaseUrl())), ...(await loaded(await discussionsUrl(THREADS)))]
  },
}

async function idle(databaseUrl: string): Promise<Figure[]> {
  const site = await startBuiltSite({ DATABASE_URL: databaseUrl, STARTER: 'none' })
  try {
    await setTimeout(IDLE_MS)
    const idle = memoryMbOf(site.pid)
    for (const path of ['/', '/companies', '/api/v1/companies/suggest?text=smith'])
      await fetch(`${site.url}${path}`)
    return [
      { name: 'memory, idle with PostgreSQL', measured: idle, unit: 'MB', budget: { most: 150 } },
      { name: 'memory after three requests', measured: memoryMbOf(site.pid), unit: 'MB' },
    ]
  } finally {
    await site.stop()
  }
}

/** Pages that are kept and pages that are not, lists, searches, comments, votes, and who is asking. */
async function loaded(databaseUrl: string): Promise<Figure[]> {
  const { site, client, stop } = await startWritingSite(databaseUrl)
  try {
    const next = await requestsOf(client, await signUpAll(site.url, MEMBERS))
    await client.query('update accounts set is_email_confirmed = true')
    const { errors, non2xx } = await autocannon({
      url: site.url,
      connections: CONNECTIONS,
      amount: REQUESTS,
      requests: [{ method: 'GET', setupRequest: (request) => ({ ...request, ...next() }) }],
    })
    if (errors + non2xx > REQUESTS * FAILED_MAX)
      throw new Error(`${errors} errors and ${non2xx} not 2xx, of ${REQUESTS}`)
    return [
      {
        name: `memory after ${REQUESTS} requests of all kinds, with PostgreSQL`,
        measured: memoryMbOf(site.pid),
        unit: 'MB',
        budget: { most: 200 },
      },
      { name: 'memory at its highest during them', measured: highestMbOf(site.pid), unit: 'MB' },
    ]
  } finally {
    await stop()
  }
}

interface Sent {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers: Record<string, string>
  body?: string
}

/** Of a hundred requests so many are of each kind. */
async function requestsOf(client: pg.Client, tokens: string[]): Promise<() => Sent> {
  const { rows: threads } = await client.query<{ id: string; title: string }>(
    `select id, title from threads where hidden is null and not is_locked order by random() limit 4000`,
  )
  const { rows: companies } = await client.query<{ id: string; slug: string | null }>(
    'select id, slug from companies order by random() limit 2000',
  )
  const pick = <Item>(items: readonly Item[]) =>
    items[Math.floor(Math.random() * items.length)] as Item
  const page = (path: string): Sent => ({
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'br' },
  })
  const popular = threads.slice(0, POPULAR)
  const member = () => headersOf(pick(tokens))
  const kinds: [share: number, request: () => Sent][] = [
    [30, () => page(encodeURI(threadPath(pick(popular))))],
    [22, () => page(encodeURI(threadPath(pick(threads))))],
    [10, () => page(companyPath(pick(companies)))],
    [4, () => page(`/discussions?sort=${pick(['hot', 'new', 'top'])}`)],
    [4, () => page(pick(['/', '/companies', '/jobs']))],
    [4, () => page(`/api/v1/threads?search=${pick(['overtime', 'manager', 'salary', 'office'])}`)],
    [4, () => page(`/api/v1/companies/suggest?text=${pick([...'abcdefghijklmnop'])}`)],
    [10, () => ({ method: 'GET', path: '/api/v1/me', headers: member() })],
    [
      6,
      () => ({
        method: 'POST',
        path: `/api/v1/threads/${pick(threads).id}/comments`,
        headers: member(),
        body: JSON.stringify({
          body: 'We heard the **same** on our floor.',
          sending: randomUUID(),
        }),
      }),
    ],
    [
      6,
      () => ({
        method: 'PUT',
        path: `/api/v1/threads/${pick(threads).id}/vote`,
        headers: member(),
        body: JSON.stringify({ vote: pick([1, -1]) }),
      }),
    ],
  ]
  const deck = kinds.flatMap(([share, request]) => Array.from({ length: share }, () => request))
  return () => pick(deck)()
}

/** The most memory that a process has had at once, in MB. */
function highestMbOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
