/**
 * Everything that a busy site asks the database, it has asked before, so each connection has it parsed and planned. And the
 * cached generic plan reads no large table from end to end. D51.
 */
import type { Sql } from 'sql-template-tag'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database, QueryOptions } from '#app/platform/database/database.server.ts'
import { companyId } from '../bench/data/companies.ts'
import { fill } from '../bench/data/fill.ts'
import { threadId } from '../bench/data/threads.ts'
import { type Endpoints, openEndpoints } from './endpoints/endpoints.ts'
import { headersOf, settleWorld, type World } from './endpoints/world.ts'
import { settle } from './people.ts'
import { openTestDatabase, testSecrets } from './support/database.ts'
import { type Holder, holderOver, keyOf, presented } from './support/holders.ts'
import { aRating } from './support/raters.ts'

const SEED = 1
/** How often everything is requested. A statement in every round is over a hundred times in a hundred rounds. */
const ROUNDS = 4
/** Enough rows that PostgreSQL uses indexes. */
const ROWS = { companies: 20_000, threads: 2_500, ratings: 3_000 }
const LARGE = ['companies', 'company_stats', 'threads', 'comments', 'ratings', 'public_ratings']

/** Planned each time, because rare and common values need different plans. */
const REPLANNED = [/topics @> array/, /company_id = [^;]* order by thread.score desc/]

interface Asked {
  count: number
  isPrepared: boolean
  parameters: number
}

// The embedded engine caches no plans.
describe('a site in use', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  let endpoints: Endpoints
  let world: World
  let holder: Holder
  const asked = new Map<string, Asked>()

  const noting = (db: Database): Database => ({
    ...db,
    query: <Row>(statement: Sql, options?: QueryOptions) => {
      const { text, values } = statement
      const { count = 0 } = asked.get(text) ?? {}
      const isPrepared = options?.isPrepared === true
      asked.set(text, { count: count + 1, isPrepared, parameters: values.length })
      return db.query<Row>(statement, options)
    },
    transaction: (work) => db.transaction((db) => work(noting(db))),
  })

  beforeAll(async () => {
    // Progress messages.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    database = await openTestDatabase()
    await fill({ url: database.url, amounts: ROWS, seed: SEED })
    endpoints = await openEndpoints()
    const cast = await settle(database, testSecrets)
    world = await settleWorld(endpoints, database, async (name) => cast[name])
    await database.script('analyze')
    endpoints.use(noting(database))
    holder = await holderOver((method, path, body) => ask('dana', `${method} ${path}`, body))
    for (let round = 0; round < ROUNDS; round++) await spendTime(round)
  })
  afterAll(() => database?.close())

  async function ask(who: string, endpoint: string, payload?: object) {
    const [method, url] = endpoint.split(' ')
    const answer = await endpoints.http.inject({
      method: method as 'GET',
      url,
      headers: headersOf(world.browsers[who]),
      ...(payload && { payload }),
    })
    if (answer.statusCode >= 300) throw new Error(`${who}, ${endpoint}: ${answer.body}`)
    return answer.body === '' ? {} : answer.json()
  }

  async function spendTime(round: number) {
    const thread = threadId(SEED, round * 7 + 3)
    const company = companyId(SEED, round)
    await lookAround(thread, company)
    await beDana(thread, company)
    const comments = `POST /api/v1/threads/${thread}/comments`
    const sent = () => ({ body: 'I was not there.', idempotencyKey: crypto.randomUUID() })
    const { id } = await ask('dana', comments, sent())
    await ask('dana', comments, { ...sent(), parentId: id })
    await ask('mona', `PUT /api/v1/comments/${id}/vote`, { vote: 1 })
    for (const who of ['dana', 'vera'])
      await ask(who, `PUT /api/v1/threads/${thread}/vote`, { vote: 1 })
    const { companyId: _, ...rating } = presented(holder, company, aRating({ culture: 4, rto: 2 }))
    await ask('nobody', `PUT /api/v1/companies/${company}/presented-rating`, rating)
    await ask('nobody', `POST /api/v1/companies/${company}/rating-by-key`, {
      keys: [keyOf(holder, company)],
    })
  }

  /** Home, lists, a thread, a company: what pages request. */
  async function lookAround(thread: string, company: string) {
    const companies = 'GET /api/v1/companies'
    const threads = 'GET /api/v1/threads'
    const { next } = await ask('vera', threads)
    for (const endpoint of [
      `${companies}/trending`,
      `${companies}/recent`,
      `${companies}/highest-rated`,
      companies,
      `${companies}/categories`,
      `${companies}/${company}`,
      `${companies}/by-slug/erin-and-sons`,
      `${companies}/${company}/ratings`,
      `${companies}/${company}/notes`,
      'GET /api/v1/jobs',
      `GET /api/v1/jobs?company=${company}`,
      `GET /api/v1/jobs/${world.names.job}`,
      'GET /api/v1/topics',
      `${threads}?after=${next}`,
      `${threads}?sort=new`,
      `${threads}?sort=unanswered`,
      ...['week', 'month', 'year', 'all'].map((period) => `${threads}?sort=top&period=${period}`),
      ...['hot', 'new', 'top'].map((sort) => `${threads}?company=${company}&sort=${sort}`),
      `${threads}?topic=pay`,
      `${threads}/${thread}`,
      ...['best', 'new', 'old'].map((sort) => `${threads}/${thread}/comments?sort=${sort}`),
    ])
      await ask('vera', endpoint)
  }

  /** Her own things on these pages. */
  async function beDana(thread: string, company: string) {
    for (const address of [
      'me',
      'notifications/unread',
      'notifications',
      'my/follows/ids',
      'my/saved-jobs/ids',
      `threads/${thread}/mine`,
      `thread-votes?threads=${thread}`,
      `my/reply-rights?company=${company}`,
    ])
      await ask('dana', `GET /api/v1/${address}`)
  }

  test('the site prepares every statement it asks all the time', () => {
    const often = [...asked].filter(([, { count }]) => count >= ROUNDS)
    expect(often.length).toBeGreaterThan(50)
    const unprepared = often.flatMap(([text, { isPrepared }]) => (isPrepared ? [] : [text]))
    expect(unprepared.filter((text) => !REPLANNED.some((pattern) => pattern.test(text)))).toEqual(
      [],
    )
  })

  test('the site’s plans look up what they need for all values', async () => {
    const surprises: string[] = []
    let plans = 0
    for (const [text, { isPrepared, parameters }] of asked)
      if (isPrepared) {
        const found = scansIn(await genericPlan(text, parameters))
        plans++
        if (found.length > 0) surprises.push(`${found}: ${text}`)
      }
    expect(surprises).toEqual([])
    expect(plans).toBeGreaterThan(50)
  })

  test('the check would see a plan that reads a whole table', async () => {
    expect(scansIn(await genericPlan('select id from threads where body = $1', 1))).toEqual([
      'threads',
    ])
  })

  const genericPlan = (text: string, parameters: number) =>
    database.transaction(async (db) => {
      await db.query(sql`set local plan_cache_mode = force_generic_plan`)
      await db.script(`prepare looked_at as ${text}`)
      const values = parameters > 0 ? `(${Array(parameters).fill('null')})` : ''
      const plan = await db.query(sql`explain (format json) execute looked_at ${raw(values)}`)
      await db.query(sql`deallocate looked_at`)
      return JSON.stringify(plan)
    })

  /** Large tables that are read completely. */
  const scansIn = (plan: string) =>
    LARGE.filter((table) =>
      new RegExp(`"Node Type":"Seq Scan"[^{}]*"Relation Name":"${table}"`).test(plan),
    )
})
