/** Who may run the scraper, over HTTP, and what they are answered. Spec §6, §7.3, §8; S11. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { actorOf, type RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createTokens, type Tokens } from '#app/api/auth/tokens.server.ts'
import { bindContract } from '#app/api/bind.server.ts'
import { OWNER_EMAIL, type Person } from '#tests/people.ts'
import { bareHttp, openPolicies } from '#tests/support/api.ts'
import { usualSigningKey } from '#tests/support/auth-site.ts'
import { withDatabase } from '#tests/support/database.ts'
import { registerScraper, scrapingHandlers } from './feature.server.ts'
import { ANVILS, openMoversSite, symbolPath, usualPages } from './movers-site.fixture.ts'
import { scrapingContract } from './scraping.contract.ts'

const { as } = withDatabase()
const RUN = '/functions/v1/scrape-market-movers'
const PACE = { delayMs: 0, delayMaxMs: 10_000, pageMs: 60_000, wholeMs: 120_000 }

let movers: Awaited<ReturnType<typeof openMoversSite>>
let tokens: Tokens
beforeAll(async () => {
  movers = await openMoversSite()
  tokens = createTokens({
    keys: [await usualSigningKey()],
    issuer: 'http://kettle.test/auth/v1',
    lifetime: 3600,
  })
})
beforeEach(() => {
  movers.asked.length = 0
  Object.assign(movers.pages, usualPages())
})
afterAll(() => movers.close())

/** The site's address while `work` runs, and the header by which `name` is known there. */
const visiting = (
  name: Person,
  work: (url: string, headers: Record<string, string>) => Promise<void>,
) =>
  as(name, async (ctx) => {
    const source = { name: 'Movers', url: movers.url, isChosen: true }
    const sources = {
      ...ctx,
      tokens,
      ownerEmail: OWNER_EMAIL,
      adminSecondFactor: 'offered',
    } as const
    const contextOf = async (identity: RequestIdentity): Promise<Ctx> => ({
      ...ctx,
      actor: await actorOf(sources, identity),
    })
    const app = bareHttp({ forceCloseConnections: true })
    bindContract(app, scrapingContract, scrapingHandlers(source), {
      contextOf,
      policies: openPolicies(),
    })
    registerScraper(app, { source, contextOf, pace: PACE })
    const { account } = ctx.actor
    const token =
      account &&
      tokens.sign(
        {
          session_id: account.sessionId,
          session_generation: 0,
          role: 'authenticated',
          session_began: ctx.now().getTime() / 1000,
        },
        account.id,
      ).token
    try {
      const url = await app.listen({ host: '127.0.0.1', port: 0 })
      await work(url, token ? { authorization: `Bearer ${token}` } : {})
    } finally {
      await app.close()
    }
  })

const run = (url: string, headers: Record<string, string>, body: unknown = { limit: 10 }) =>
  fetch(url + RUN, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('Spec §6: Admin Tools', () => {
  const FORBIDDEN = { code: 'forbidden', message: 'Only an administrator can run the scraper' }
  test.each([
    ['vera', 401, undefined],
    ['dana', 200, false],
    ['erin', 200, false],
    ['ada', 200, true],
    ['olga', 200, true],
  ] as const)('%s: %i, may run: %s', (name, status, mayRun) =>
    visiting(name, async (url, headers) => {
      const answer = await fetch(`${url}/api/v1/admin-tools`, { headers })
      expect(answer.status).toBe(status)
      if (mayRun !== undefined)
        expect(await answer.json()).toEqual({ sourceName: 'Movers', mayRun })
    }),
  )

  test.each([
    ['vera', 401, { code: 'sign-in-required', message: 'Please log in first' }],
    ['dana', 403, FORBIDDEN],
    ['erin', 403, FORBIDDEN],
    ['ada', 200, undefined],
    ['olga', 200, undefined],
  ] as const)('S11: a run by %s gets a %i', (name, status, error) =>
    visiting(name, async (url, headers) => {
      const answer = await run(url, headers)
      expect(answer.status).toBe(status)
      if (error) expect(await answer.json()).toEqual({ error })
      expect(movers.asked.length > 0).toBe(status === 200)
    }),
  )

  test('a bad token is a 401 and starts nothing', () =>
    visiting('ada', async (url, { authorization = '' }) => {
      const forged = `${authorization.slice(0, -4)}AAAA`
      for (const bad of [forged, 'Bearer public-anonymous-key', 'Basic YTpi'])
        expect((await run(url, { authorization: bad })).status).toBe(401)
      expect(movers.asked).toEqual([])
    }))
})

describe('Spec §7.3: a run', () => {
  test('a run answers with results and error, and nothing else', () =>
    visiting('ada', async (url, headers) => {
      delete movers.pages[symbolPath(ANVILS)]
      const answer = await run(url, headers)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const { results, ...rest } = (await answer.json()) as { results: object[] }
      expect(rest).toEqual({ error: null })
      expect(results).toHaveLength(3)
      for (const result of results)
        expect(Object.keys(result)).toEqual([
          'company',
          'category',
          'url',
          'logo',
          'firstSentence',
          'error',
        ])
    }))

  test('Spec §9: a run reads at most ten companies', () =>
    visiting('ada', async (url, headers) => {
      for (const limit of [0, 11, 2.5, '10', null])
        expect((await run(url, headers, { limit })).status, String(limit)).toBe(400)
      expect(movers.asked).toEqual([])
      const { results } = (await (await run(url, headers, { limit: 1 })).json()) as {
        results: object[]
      }
      expect(results).toHaveLength(1)
    }))

  test('a run streams line by line if asked, with the same end', () =>
    visiting('ada', async (url, headers) => {
      let open = () => {}
      const held = new Promise<void>((resolve) => {
        open = resolve
      })
      const page = movers.pages[symbolPath(ANVILS)]
      movers.pages[symbolPath(ANVILS)] = async (_request, response) => {
        await held
        response.end(page)
      }
      const answer = await run(url, { ...headers, accept: 'application/x-ndjson' })
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
      const lines: Record<string, unknown>[] = []
      let text = ''
      for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(part).toString()
        for (const line of text.split('\n').slice(0, -1)) lines.push(JSON.parse(line))
        text = text.slice(text.lastIndexOf('\n') + 1)
        // Before the first company's page has answered.
        if (lines.length === 1) {
          expect(lines).toEqual([{ found: 3 }])
          open()
        }
      }
      expect(text).toBe('')
      expect(lines).toHaveLength(5)
      const plain = await (await run(url, headers)).json()
      expect(lines.at(-1)).toEqual(plain)
      expect(lines.slice(1, -1).map(({ result }) => result)).toEqual(
        (plain as { results: object[] }).results,
      )
    }))

  test('only one run at a time is allowed, and a person who leaves makes room', () =>
    visiting('ada', async (url, headers) => {
      let isAsked = () => {}
      const asked = new Promise<void>((resolve) => {
        isAsked = resolve
      })
      movers.pages[symbolPath(ANVILS)] = () => isAsked()
      const gone = new AbortController()
      const first = fetch(url + RUN, {
        method: 'POST',
        signal: gone.signal,
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"limit":10}',
      })
      first.catch(() => {})
      await asked
      const second = await run(url, headers)
      expect(second.status).toBe(409)
      expect(await second.json()).toEqual({
        error: {
          code: 'conflict',
          message: 'The scraper is already running. Please wait until it’s done.',
        },
      })
      gone.abort()
      Object.assign(movers.pages, usualPages())
      await expect.poll(async () => (await run(url, headers)).status, { interval: 50 }).toBe(200)
    }))

  test('a run that finds nothing says why, and the next one can start', () =>
    visiting('ada', async (url, headers) => {
      const { pathname } = new URL(movers.url)
      movers.pages[pathname] = '<p>Nothing today</p>'
      for (const accept of ['application/json', 'application/x-ndjson']) {
        const answer = await run(url, { ...headers, accept })
        expect(answer.status).toBe(200)
        expect(JSON.parse(await answer.text())).toEqual({
          results: [],
          error: 'There are no companies on Movers’s page.',
        })
      }
    }))

  test('a run takes POST only', () =>
    visiting('ada', async (url, headers) => {
      const answer = await fetch(url + RUN, { headers })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }))
})
