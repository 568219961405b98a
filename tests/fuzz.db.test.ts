/**
 * Random requests to every endpoint, as every role: whatever is sent, the response is one of ours. FUZZ_REQUESTS and
 * FUZZ_SEED say how many, and from which seed. `npm run fuzz` sets them.
 */
import type { InjectOptions } from 'light-my-request'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, type Endpoints, openCalls, openEndpoints } from './endpoints/endpoints.ts'
import { goodRequest, SENT } from './endpoints/sent.ts'
import { settleWorld, type World } from './endpoints/world.ts'
import { type FuzzRequest, requestsTo, sentRequest } from './fuzz/requests.ts'
import { someOf } from './support/amounts.ts'
import { withDatabase } from './support/database.ts'
import fc from './support/fast-check.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 300)
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_314)
/** A slower request hangs, however busy the machine is. */
const PATIENCE_MS = 300_000
/** For everything, on a busy machine. */
const TIMEOUT_MS = 60_000 + REQUESTS * 60

const { as, outside } = withDatabase()
let endpoints: Endpoints
let world: World
let ask: Awaited<ReturnType<typeof openCalls>>

beforeAll(async () => {
  endpoints = await openEndpoints()
  world = await settleWorld(endpoints, outside(), (name) => as(name, async ({ actor }) => actor))
  ask = await openCalls(endpoints, outside())
})

test(
  `${REQUESTS} random requests get the answers they should`,
  async () => {
    const statuses = new Map<number, number>()
    const requests = fc.oneof(...endpoints.routes.map(requestsTo))
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const answer = await withDeadline(ask(sentRequest(request, world)))
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const problem = problemOf(request, answer)
        if (problem) throw new Error(`${problem}\n${answer.status} ${answer.text.slice(0, 500)}`)
      }),
      { numRuns: REQUESTS, seed: SEED },
    )
    const counted = [...statuses].sort().map(([status, n]) => `${n} × ${status}`)
    console.info(`Seed ${SEED}: ${counted.join(', ')}`)
    // If every request were refused at once, this would prove nothing.
    const good = [...statuses].reduce((sum, [status, n]) => sum + (status < 300 ? n : 0), 0)
    expect(good / REQUESTS).toBeGreaterThan(0.1)
  },
  TIMEOUT_MS,
)

/** Where texts and numbers end: for the database, for JSON in it, for JavaScript. */
const ENDS = ['a\ud800b', 'a\u0000b', 2 ** 63, 'é'.repeat(70_000)]

test('no field of a valid request accepts what the database can’t hold', async () => {
  const found: string[] = []
  for (const [endpoint, { payload, query }] of Object.entries(SENT)) {
    if (typeof payload !== 'object' && typeof query !== 'object') continue
    const who = await whoMay(endpoint)
    if (!who) continue
    const good = goodRequest(world, endpoint, who, known)
    for (const part of ['payload', 'query'] as const)
      for (const path of someOf(leavesOf(good[part]), 4))
        for (const end of ENDS) {
          if (part === 'query' && typeof end === 'string' && end.includes('\ud800')) continue
          const request = { ...good, [part]: withLeaf(good[part], path, end) } as InjectOptions
          const answer = await withDeadline(ask(request))
          const asked = { who, method: String(good.method), url: String(good.url), headers: {} }
          const problem = problemOf(asked, answer)
          if (problem) found.push(`${who}, ${endpoint}, ${path}: ${problem} (${answer.text})`)
        }
  }
  expect(found).toEqual([])
})

const known = (name: string) => world.names[name] ?? ''

/** Someone whose good request succeeds. A few requests are only ever refused. */
async function whoMay(endpoint: string) {
  for (const who of ['olga', 'mona', 'erin', 'vera'])
    if ((await ask(goodRequest(world, endpoint, who, known))).status < 300) return who
  return undefined
}

const leavesOf = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null && !(value instanceof Buffer)
    ? Object.entries(value).flatMap(([name, it]) => leavesOf(it, [...path, name]))
    : path.length > 0
      ? [path]
      : []

function withLeaf(value: unknown, [name, ...rest]: string[], leaf: unknown): unknown {
  if (name === undefined) return leaf
  const copy = structuredClone(value) as Record<string, unknown>
  copy[name] = withLeaf(copy[name], rest, leaf)
  return copy
}

async function withDeadline(answer: Promise<Answer>) {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It hangs')), PATIENCE_MS)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** What reveals internals: a line of our code, a statement, a database message. */
const INSIDE =
  /\bat .{1,200}:\d+:\d+|node_modules|file:\/\/\/|\.server\.ts|SQLSTATE|syntax error at|violates|relation "|invalid input syntax|invalid byte sequence|out of range for type|\bselect .{1,200} from |insert into /i
/** Pages for people, those made by hand, and files. Everything else reports errors in JSON. */
const PAGES =
  /^\/(unsubscribe|claims\/(confirm|news-off)|auth\/v1\/verify|api\/docs|(?!api|auth|functions))/
/** A first visit creates the profile. */
const MAKES_PROFILE = /^\/api\/v1\/me\b/

/** What's wrong with a response. Undefined if it's fine. */
function problemOf({ method, url, body }: FuzzRequest, answer: Answer) {
  const { status, headers, text, changed } = answer
  if (status >= 500) return 'A failure of ours'
  if (status >= 400) {
    if (changed.length > 0) return `Refused, and yet it changed ${changed}`
    if (INSIDE.test(withoutEcho(text, body))) return 'It tells of the inside'
    const isSaid = method === 'HEAD' || PAGES.test(pathOf(url)) || hasSentence(headers, text)
    if (!isSaid) return 'A refusal without a sentence'
  } else if (method === 'GET' && changed.length > 0 && !MAKES_PROFILE.test(pathOf(url)))
    return `It only reads, and yet it changed ${changed}`
  for (const [whose, secrets] of Object.entries(world.secrets))
    for (const secret of secrets)
      if (!world.allowed.has(secret) && text.includes(secret))
        return `It tells a secret of ${whose}`
  return undefined
}

/** A sentence may quote the request, which may itself look like internals. */
function withoutEcho(text: string, body: string | undefined) {
  let rest = text
  try {
    JSON.parse(body ?? '', (_, value) => {
      if (INSIDE.test(value)) rest = rest.replaceAll(JSON.stringify(value).slice(1, -1), '')
      return value
    })
  } catch {
    // Not JSON, so no field of it is quoted.
  }
  return rest
}

/** As it arrives: with dot segments resolved. */
const pathOf = (url: string) => new URL(url, 'http://kettle.test').pathname

function hasSentence(headers: Record<string, unknown>, text: string) {
  if (!String(headers['content-type']).startsWith('application/json')) return false
  const body = JSON.parse(text)
  const sentence = body?.error?.message ?? body?.message ?? body?.msg ?? body?.error
  return typeof sentence === 'string' && sentence.length > 5
}
