/** What members cost: identifying them, posts and votes, ratings, and their own data. */
import { randomUUID } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { exportJWK, generateKeyPair } from 'jose'
import type pg from 'pg'
import { hashPassword } from '../app/api/auth/passwords.server.ts'
import { createTokens } from '../app/api/auth/tokens.server.ts'
import { companyById } from '../app/companies/company-queries.server.ts'
import { companyNotes, companyRatings } from '../app/ratings/rating-queries.server.ts'
import { holderOver, presented } from '../tests/support/holders.ts'
import { aRating } from '../tests/support/raters.ts'
import { shownRatings } from './data/fill.ts'
import { threadId } from './data/threads.ts'
import {
  cpuMsWithDatabase,
  type Figure,
  figure,
  latency,
  type Measurement,
  measure,
  median,
  over,
  timesOf,
} from './measure.ts'
import {
  confirmAll,
  headersOf,
  PASSWORD,
  type Program,
  perSecond,
  pick,
  read,
  type Sent,
  send,
  signUp,
  signUpAll,
  untilIdle,
} from './site.ts'
import { type Entry, SMALL } from './world.ts'

const TOKENS = 500

export const auth: Entry = {
  name: 'auth',
  says: 'signing in, /api/v1/me compared with a bare route with one query, verifying a token',
  isShort: true,
  async run(bench) {
    const world = await bench.world(['companies'])
    const site = await bench.site(world)
    const email = `bench-${process.pid}@kettle.example`
    const { access_token: token } = await signUp(site, email)
    const bare = await bench.bare(world)
    const hash = await hashPassword(PASSWORD)
    const body = { email, password: PASSWORD }
    const signIns = await measure(
      {
        whole: { run: () => send(`${site.url}/auth/v1/token?grant_type=password`, { body }) },
        bare: { run: () => verify(hash, PASSWORD) },
      },
      // The sign-in code isn't compiled yet. Without the warm-up, this would measure a process's first minute.
      { rounds: 40, warmUp: 80 },
    )
    const me = await measure(
      {
        ours: { run: () => perSecond(site, asking('/api/v1/me', token), 3) },
        plain: { run: () => perSecond(bare, asking('/me'), 3) },
      },
      { rounds: 5, warmUp: 1 },
    )
    const [whole, reference] = [signIns.whole.median, signIns.bare.median]
    return [
      figure('signing in, median', whole, 'ms', { reference }),
      figure('signing in, beyond the bare hash', whole - reference, 'ms', { max: 5 }),
      figure('/api/v1/me', me.ours.median, 'req/s', {
        reference: me.plain.median,
        minRatio: 0.5,
      }),
      ...(await verifying()),
    ]
  },
}

const asking = (path: string, token?: string) => () => ({ path, headers: headersOf(token) })

async function verifying(): Promise<Figure[]> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const tokens = createTokens({
    keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256' }],
    issuer: 'http://kettle.test/auth/v1',
    lifetime: 3600,
  })
  const signed = Array.from(
    { length: TOKENS * 2 },
    (_, i) => tokens.sign({ role: 'authenticated', i }, 'someone').token,
  )
  const check = (token: string) => {
    if (!tokens.verify(token)) throw new Error('A good token was refused')
  }
  await timesOf(signed.slice(0, TOKENS), check)
  const first = await timesOf(signed.slice(TOKENS), check)
  const again = await timesOf(signed.slice(TOKENS), check)
  return [
    figure('verifying a token, first time', median(first), 'ms', { max: 0.2 }),
    figure('verifying a token, again', median(again), 'ms'),
  ]
}

const PEOPLE = 40
const BODY =
  'We heard the same on the third floor. **No one** was asked, and the memo says it starts on Monday.'

export const writes: Entry = {
  name: 'writes',
  says: 'comments and votes, compared with a plain insert of the same row',
  isShort: true,
  async run(bench) {
    const world = await bench.world(['threads'])
    const { client } = world
    const site = await bench.site(world)
    const bare = await bench.bare(world, { TAKES_ROWS: 'yes' })
    // Spread over so many threads that two callers seldom meet in one, where the second would wait for the first.
    const anywhere = Array.from({ length: 2_000 }, (_, n) =>
      threadId(bench.seed, Math.floor((n * world.threads) / 2_000)),
    )
    const { rows } = await client.query<{ id: string }>(
      'select id from threads where id = any ($1) and hidden is null and not is_locked',
      [anywhere],
    )
    const threads = rows.map(({ id }) => id)
    const tokens = await signUpAll(site, client, PEOPLE)
    let turn = 0
    // Each person's requests go in turn, because no one does two things at the same moment.
    const request = (method: 'POST' | 'PUT', path: string, body: object): Sent => ({
      method,
      path: `/api/v1/threads/${pick(threads)}/${path}`,
      headers: headersOf(tokens[turn++ % PEOPLE]),
      body: JSON.stringify(body),
    })
    const comment = () => request('POST', 'comments', { body: BODY, idempotencyKey: randomUUID() })
    const vote = () => request('PUT', 'vote', { vote: Math.random() < 0.5 ? 1 : -1 })
    for (let n = 0; n < PEOPLE; n++) {
      const { path, ...first } = comment()
      await fetch(site.url + path, first)
    }
    await letThemWrite(client, 'comments', PEOPLE)
    const ours = (next: () => Sent, seconds: number) => ({
      async run() {
        const rate = await perSecond(site, next, seconds)
        await untilIdle(client)
        return rate
      },
    })
    const body = JSON.stringify({ body: BODY })
    const row = (path: string) => {
      const next = (): Sent => ({ method: 'POST', path, headers: headersOf(), body })
      return { run: () => perSecond(bare, next, 2) }
    }
    // About ten thousand requests each. With fewer, the code is only partly compiled, which a real site's isn't
    // for long.
    await measure({ comment: ours(comment, 6), vote: ours(vote, 6) })
    const taken = await measure(
      {
        comment: ours(comment, 2),
        bareComment: row('/comments'),
        vote: ours(vote, 2),
        bareVote: row('/votes'),
      },
      { rounds: 3, warmUp: 1 },
    )
    const compared = (name: string, measured: Measurement, reference: Measurement) =>
      figure(name, measured.median, 'req/s', { reference: reference.median, minRatio: 0.35 })
    return [
      compared('posting a comment', taken.comment, taken.bareComment),
      compared('voting', taken.vote, taken.bareVote),
    ]
  },
}

/** We'd hold the posts of new accounts that write a lot, so this backdates what they wrote first. */
const letThemWrite = (client: pg.Client, table: 'threads' | 'comments', count: number) =>
  client.query(
    `update ${table} set posted_minute = posted_minute - 100000
      where id in (select id from ${table} order by posted_minute desc limit ${count})`,
  )

const WRITERS = 20
const THREADS_EACH = 30
/** Comments in other people's threads, so those people are notified. */
const COMMENTS_EACH = 200
const READS = 1_000
const PAGE_LENGTH = 20

export const ownThings: Entry = {
  name: 'own-things',
  says: "a member's own threads, comments and unread news among everyone's",
  async run(bench) {
    const world = await bench.world(['threads'])
    const { client } = world
    const site = await bench.site(world)
    const tokens = await signUpAll(site, client, WRITERS)
    await writeAll(site, client, tokens)
    const members = Array.from({ length: READS }, (_, n) => tokens[n % WRITERS] as string)
    const page = (token: string) =>
      Promise.all(
        ['threads', 'comments'].map(async (list) => {
          const answer = await read<Record<string, unknown[]>>(
            `${site.url}/api/v1/my/${list}`,
            token,
          )
          if (answer[list]?.length !== PAGE_LENGTH) throw new Error(`Not a page of own ${list}`)
        }),
      )
    const unread = async (token: string) => {
      const url = `${site.url}/api/v1/notifications/unread`
      const { unread } = await read<{ unread: number }>(url, token)
      if (!(unread > 0)) throw new Error('There is no news')
    }
    const pages = await timesOf(members, page, READS)
    const { news } = await measure(
      { news: { ...over(members, unread), cpuMs: () => cpuMsWithDatabase(client, site.pid) } },
      { rounds: 1, warmUp: 1 },
    )
    return [
      latency('the page of one’s own discussions', pages, { max: 30 }),
      latency('unread news', news.values),
      figure('unread news, site and database', news.cpuMs, 'CPU-ms', { max: 3 }),
    ]
  },
}

async function writeAll(site: Program, client: pg.Client, tokens: string[]) {
  const post = (path: string, token: string, body: object) =>
    send<{ id: string }>(`${site.url}/api/v1/threads${path}`, {
      token,
      body: { ...body, idempotencyKey: randomUUID() },
    })
  const thread = (token: string, n: number) =>
    post('', token, { title: `The third floor, memo ${n}`, body: BODY })
  await Promise.all(tokens.map(thread))
  await letThemWrite(client, 'threads', WRITERS)
  const written: { id: string; writer: number }[] = []
  // Everyone at once, but each person does one thing after another.
  const each = (count: number, work: (token: string, writer: number, n: number) => Promise<void>) =>
    Promise.all(
      tokens.map(async (token, writer) => {
        for (let n = 0; n < count; n++) await work(token, writer, n)
      }),
    )
  await each(THREADS_EACH, async (token, writer, n) => {
    written.push({ writer, ...(await thread(token, n)) })
  })
  await each(COMMENTS_EACH, async (token, writer) => {
    const { id } = pick(written.filter((one) => one.writer !== writer))
    await post(`/${id}/comments`, token, { body: BODY })
  })
  await untilIdle(client)
}

/** Twice as many. With fewer, the code is only partly compiled, which a real site's isn't for long. */
const GIVEN = 200

export const ratings: Entry = {
  name: 'ratings',
  says: "accepting a rating with a proof, on the server; a company's page with its ratings",
  async run(bench) {
    const world = await bench.world(['companies'], SMALL)
    const { client } = world
    const { rows } = await client.query<{ id: string }>(
      `select id from companies order by id limit ${2 * GIVEN}`,
    )
    const figures: Figure[] = []
    for (const [name, RATING_BATCH] of [
      ['giving a rating', '5'],
      ['giving a rating that is published at once', '1'],
    ] as const) {
      const site = await bench.site(world, { RATING_BATCH })
      const { access_token: token } = await signUp(site)
      await confirmAll(client)
      const holder = await holderOver((method, path, body) =>
        send(site.url + path, { method, token, body }),
      )
      const given = rows.map(({ id }) => presented(holder, id, aRating({ rto: 4, culture: 2 })))
      const put = ({ companyId, ...body }: (typeof given)[number]) =>
        send(`${site.url}/api/v1/companies/${companyId}/presented-rating`, { method: 'PUT', body })
      const give = {
        ...over(given, put),
        times: GIVEN,
        cpuMs: () => cpuMsWithDatabase(client, site.pid),
      }
      const taken = await measure({ give }, { rounds: 1, warmUp: 1 })
      figures.push(figure(name, taken.give.cpuMs, 'CPU-ms', { max: 50 }))
      await site.stop()
    }
    const { ctx, client: many } = await bench.world(['ratings'])
    const { rows: rated } = await many.query<{ id: string }>(
      `(select company_id as id from company_stats where ratings > 0 order by md5(company_id::text) limit 580)
       union all (select company_id from company_stats order by ratings desc limit 20)`,
    )
    const page = async ({ id }: { id: string }) => {
      await companyById(ctx, id)
      await companyRatings(ctx, id, shownRatings)
      await companyNotes(ctx, id)
    }
    const times = await timesOf(rated, page, 50)
    return [...figures, latency("a company's page with its ratings", times, { max: 10 })]
  },
}
