/**
 * What a member costs on a thread's page beyond the page itself, which is the same for everybody and kept: one
 * request for all that is their own. The site with its PostgreSQL, beside a bare route with one query.
 */
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Bench, cpuMsWithDatabase, median } from './measure.ts'
import { fetchRaw, type Program, startBuiltSite, startProgram } from './program.ts'
import { headersOf, signUpAll } from './writing.ts'

/** Of the whole database: few, as on a young site. */
const THREADS = 2_000
const DAYS = 30
const MEMBERS = 60
/** Each once in a round, as the processor's time is counted in hundredths of a second. */
const PAGES = 120
/** Before, what a request runs through is not compiled. */
const WARM_UP_ROUNDS = 15
const ROUNDS = 5
/** After this nobody is remembered. */
const FORGOTTEN_MS = 5_200

const bareRoute = fileURLToPath(new URL('./bare-route.mjs', import.meta.url))

export const personal: Bench = {
  name: 'personal',
  async run({ discussionsUrl }) {
    const url = await discussionsUrl(THREADS, DAYS)
    const client = new pg.Client({ connectionString: url, application_name: 'bench' })
    await client.connect()
    const site = await startBuiltSite({ DATABASE_URL: url, STARTER: 'none', PGAPPNAME: 'kettle' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const tokens = await signUpAll(site.url, MEMBERS)
      const bare = await startProgram(bareRoute, { DATABASE_URL: url, PGAPPNAME: 'bare' })
      try {
        const { rows: threads } = await client.query<{ id: string }>(
          `select id from threads where hidden is null and comments > 3 order by id limit ${PAGES}`,
        )
        const ids = threads.map(({ id }) => id)
        const ask = (to: Program, path: string, token?: string) =>
          answerOf(to.url + path, agent, headersOf(token))
        const page = (id: string) => ask(site, `/thread/${id}`)
        const mine = (id: string, token: string) => ask(site, `/api/v1/my-page?thread=${id}`, token)
        const cost = createCosts(client)
        // As its readers have it, after the redirect to its whole address.
        const paths = new Map<string, string>()
        for (const id of ids) paths.set(id, (await page(id)).location ?? `/thread/${id}`)
        const kept = (id: string) => ask(site, paths.get(id) as string)
        const memberOf = (n: number) => tokens[n % MEMBERS] as string

        const plain = await cost(bare, 'bare', ids, () => ask(bare, '/'))
        const cached = await cost(site, 'kettle%', ids, kept)
        const remembered = await cost(site, 'kettle%', ids, async (id) => {
          await kept(id)
          await mine(id, memberOf(0))
        })
        const first = await cost(
          site,
          'kettle%',
          ids.slice(0, MEMBERS),
          async (id, n) => {
            await kept(id)
            await mine(id, memberOf(n))
          },
          FORGOTTEN_MS,
        )
        const apart = await cost(site, 'kettle%', ids, async (id) => {
          await kept(id)
          await ask(site, '/api/v1/me', memberOf(0))
          await ask(site, `/api/v1/threads/${id}/mine`, memberOf(0))
          await ask(site, '/api/v1/notifications/unread', memberOf(0))
        })
        const figure = (name: string, measured: number, most?: number) => ({
          name,
          measured,
          unit: 'CPU-ms',
          reference: plain,
          ...(most === undefined ? {} : { budget: { most } }),
        })
        return [
          figure('a bare route with one query', plain),
          figure('a kept thread page', cached),
          figure('a member’s, beyond it', first - cached, 2),
          figure('a member’s within five seconds, beyond it', remembered - cached, 2),
          figure('the same asked for part by part, beyond it', apart - cached),
        ]
      } finally {
        await bare.stop()
      }
    } finally {
      agent.destroy()
      await client.end()
      await site.stop()
    }
  },
}

function createCosts(client: pg.Client) {
  /** CPU-ms of one, the median of rounds. */
  return async function cost(
    program: Program,
    backends: string,
    ids: string[],
    work: (id: string, n: number) => Promise<unknown>,
    pauseMs = 0,
  ) {
    const costs: number[] = []
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      // What warms up needs no pause.
      if (round >= WARM_UP_ROUNDS) await wait(pauseMs)
      const began = await cpuMsWithDatabase(client, program.pid, backends)
      for (const [n, id] of ids.entries()) await work(id, n)
      costs.push(((await cpuMsWithDatabase(client, program.pid, backends)) - began) / ids.length)
    }
    return median(costs.slice(WARM_UP_ROUNDS))
  }
}

/** @throws where it is neither answered nor redirected */
async function answerOf(url: string, agent: Agent, sent: Record<string, string>) {
  const { status, headers } = await fetchRaw(url, agent, sent)
  if (status >= 400) throw new Error(`${url}: ${status}`)
  return { location: headers.location }
}
