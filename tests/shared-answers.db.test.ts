/** Answers that are the same for everyone come from memory, and are what the database says, after any write. */
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '#app/platform/database/database.server.ts'
import { createAnswerCache } from '#app/platform/http/answer-cache.server.ts'
import { type Endpoints, openEndpoints } from './endpoints/endpoints.ts'
import { goodRequest } from './endpoints/sent.ts'
import { settleWorld, type World } from './endpoints/world.ts'
import { withDatabase } from './support/database.ts'

/** Each shared endpoint, some with several queries. */
const SHARED = [
  'GET /api/v1/companies',
  'GET /api/v1/companies?sort=most-discussed',
  'GET /api/v1/companies/suggest',
  'GET /api/v1/companies/trending',
  'GET /api/v1/companies/recent',
  'GET /api/v1/companies/highest-rated',
  'GET /api/v1/companies/categories',
  'GET /api/v1/companies/compare',
  'GET /api/v1/companies/by-slug/erin-and-sons',
  'GET /api/v1/companies/{company}',
  'GET /api/v1/companies/{company}/topics',
  'GET /api/v1/companies/{company}/ratings',
  'GET /api/v1/companies/{company}/notes',
  'GET /api/v1/companies/{company}/pay',
  'GET /api/v1/companies/{company}/interviews',
  'GET /api/v1/companies/{company}/benefits',
  'GET /api/v1/pay?title=nurse',
  'GET /api/v1/threads',
  'GET /api/v1/threads?sort=new',
  'GET /api/v1/threads?search=thursdays',
  'GET /api/v1/threads?company={company}',
  'GET /api/v1/threads/{thread}',
  'GET /api/v1/threads/{verasThread}',
  'GET /api/v1/threads/{thread}/comments',
  'GET /api/v1/threads/{thread}/comments?sort=new',
  'GET /api/v1/removals',
  'GET /api/v1/jobs',
]

/** Each write that says what it changes, and some that may change everything. */
const WRITES: [who: string, endpoint: string, more?: object][] = [
  ['dana', 'POST /api/v1/threads'],
  ['dana', 'POST /api/v1/threads', { companyId: '{company}' }],
  ['dana', 'POST /api/v1/threads/{thread}/comments'],
  ['vic', 'POST /api/v1/reports'],
  ['dana', 'PUT /api/v1/threads/{thread}/vote'],
  ['dana', 'PUT /api/v1/comments/{comment}/vote'],
  ['dana', 'PUT /api/v1/threads/{thread}/poll'],
  ['dana', 'PUT /api/v1/threads/{thread}/saved'],
  ['mona', 'PUT /api/v1/threads/{thread}/muted'],
  ['dana', 'PUT /api/v1/notes/{note}/helpful'],
  ['dana', 'PUT /api/v1/companies/{company}/follow'],
  ['vera', 'POST /api/v1/interactions'],
  ['vera', 'POST /api/v1/jobs/{job}/seen'],
  ['dana', 'PUT /api/v1/jobs/{job}/saved'],
  ['mona', 'PATCH /api/v1/companies/{company}/follow'],
  ['dana', 'POST /api/v1/notifications/read'],
  ['mona', 'PUT /api/v1/notifications/{news}/read'],
  ['mona', 'PATCH /api/v1/threads/{thread}'],
  ['mona', 'PATCH /api/v1/comments/{comment}'],
  ['mona', 'DELETE /api/v1/comments/{comment}'],
  ['mona', 'DELETE /api/v1/threads/{thread}'],
  ['mila', 'POST /api/v1/moderation/threads/{thread}/pin'],
  ['ada', 'POST /api/v1/company-additions'],
  ['ada', 'POST /api/v1/company-edits/{suggestion}/accept'],
]

const { as, outside } = withDatabase()
const answers = createAnswerCache()
let endpoints: Endpoints
let world: World

beforeAll(async () => {
  endpoints = await openEndpoints([], { answers })
  world = await settleWorld(endpoints, outside(), (name) => as(name, async ({ actor }) => actor))
})

const known = (name: string) => world.names[name] as string

const filled = (more: object) =>
  JSON.parse(JSON.stringify(more).replace(/\{(\w+)\}/g, (_, name) => known(name)))

async function call(who: string, endpoint: string, more?: object) {
  const request = goodRequest(world, endpoint, who, known)
  const { statusCode, body } = await endpoints.http.inject({
    ...request,
    ...(more && { payload: { ...(request.payload as object), ...filled(more) } }),
  })
  return { status: statusCode, body }
}

/** Without who asks, an answer may come from memory. Anyone who says who they are gets a new one. */
const fromMemory = (endpoint: string) => call('nobody', endpoint)
const anew = (endpoint: string) => call('vic', endpoint)

const undo = new Error('undone on purpose')

/** As if each transaction committed, and none did afterwards. */
async function undone(work: () => Promise<void>) {
  const { db: site } = endpoints.base
  const asSite = (db: Database, later?: (() => void)[]): Database => ({
    query: async (statement, options) =>
      statement.text.includes('pg_notify') ? [] : db.query(statement, options),
    script: (text) => db.script(text),
    afterCommit: (work) => (later ? later.push(() => work(site)) : work(site)),
    async transaction(work) {
      const inside: (() => void)[] = []
      const result = await db.transaction((db) => work(asSite(db, inside)))
      if (later) later.push(...inside)
      else for (const follow of inside) follow()
      return result
    },
  })
  await outside()
    .transaction(async (db) => {
      endpoints.use(asSite(db))
      await work()
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  answers.forget('/')
}

/** Rooms have answers of their own, and keys are no one’s business. */
const ELSEWHERE = /\/room|\/rating-by-key$|\/my\/credential$/

test('every write that doesn’t change everything is tried', () => {
  const patternOf = (endpoint: string) => endpoint.replaceAll(/\{\w+\}/g, ':id')
  const tried = new Set(WRITES.map(([, endpoint]) => patternOf(endpoint)))
  const narrow = endpoints.routes.filter(
    ({ policy, url }) => policy?.changes && !ELSEWHERE.test(url),
  )
  expect(narrow.length).toBeGreaterThan(10)
  expect(narrow.filter(({ endpoint }) => !tried.has(endpoint))).toEqual([])
  const read = new Set(
    SHARED.map((endpoint) =>
      patternOf((endpoint.split('?')[0] as string).replace('erin-and-sons', ':slug')),
    ),
  )
  const shared = endpoints.routes.filter(({ policy }) => policy?.isShared)
  expect(shared.filter(({ endpoint }) => !read.has(endpoint))).toEqual([])
})

test.each(WRITES)('after %s’s %s, everyone reads what the database says', (who, endpoint, more) =>
  undone(async () => {
    for (const shared of SHARED) expect((await fromMemory(shared)).status, shared).toBe(200)
    const { status, body } = await call(who, endpoint, more)
    expect([200, 201, 202, 204], body).toContain(status)
    for (const shared of SHARED)
      expect(await fromMemory(shared), shared).toEqual(await anew(shared))
  }),
)
