/**
 * One ID is one ID, however it's spelled. PostgreSQL maps uppercase, braces, spaces and missing hyphens to the same row, so
 * a key, a limit or a comparison based on the text would differ.
 */

import type { InjectOptions } from 'light-my-request'
import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { authorKeyOfVisitor } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { discussionContract } from '#app/community/discussions/discussion.contract.ts'
import { discussionHandlers } from '#app/community/discussions/feature.server.ts'
import { deleteThread } from '#app/community/discussions/threads/thread-commands.server.ts'
import { VOTERS_PER_NETWORK } from '#app/community/discussions/votes/vote.ts'
import { createUntrustedLimits } from '#app/community/discussions/votes/vote-rules.server.ts'
import { reportContract } from '#app/community/reports/report.contract.ts'
import { followHandlers } from '#app/companies/following/feature.server.ts'
import { followContract } from '#app/companies/following/follow.contract.ts'
import { PRESENTATION_BYTES } from '#app/identity/credentials/credential.ts'
import { reportHandlers } from '#app/moderation/feature.server.ts'
import { chooseLimitStore, forgetLimitStore } from '#app/platform/http/rate-limits.server.ts'
import {
  addComment,
  searchingFreely,
  startThread,
  votePoll,
  voteThread,
} from '#tests/support/unlimited.ts'
import {
  type Answer,
  type Endpoints,
  openCalls,
  openEndpoints,
  type Route,
} from './endpoints/endpoints.ts'
import { goodRequest, SENT } from './endpoints/sent.ts'
import { settleWorld, type World } from './endpoints/world.ts'
import { THINGS_OF } from './fuzz/requests.ts'
import { type JsonSchema, schemaOf } from './fuzz/schema-values.ts'
import { amount, someOf } from './support/amounts.ts'
import { callsOf } from './support/api.ts'
import { testSecrets, withDatabase } from './support/database.ts'
import { testIssuer } from './support/issuer.ts'

const { as, outside } = withDatabase()
let endpoints: Endpoints
let world: World
let ask: Awaited<ReturnType<typeof openCalls>>
/** The keys of all counted uses. No limit is ever exceeded. */
const counted: string[] = []

beforeAll(async () => {
  chooseLimitStore(({ name }) => {
    const note = async (key: string) => counted.push(`${name} ${key}`)
    return { consume: note, reward: note }
  })
  endpoints = await openEndpoints([], { hasRateLimits: true })
  world = await settleWorld(endpoints, outside(), (name) => as(name, async ({ actor }) => actor))
  ask = await openCalls(endpoints, outside())
})

const badge = {
  companyId: '{company}',
  domain: 'erin.example',
  quarter: '2026-Q1',
  presentation: Buffer.alloc(PRESENTATION_BYTES).toString('base64url'),
}
/** IDs that may be sent, in addition to those in `SENT`. */
const MORE: [string, Pick<InjectOptions, 'query' | 'payload'>][] = [
  ['GET /api/v1/challenge', { query: { subject: '{thread}' } }],
  ['GET /api/v1/threads', { query: { company: '{company}' } }],
  ['GET /api/v1/threads/{thread}/comments', { query: { below: '{comment}' } }],
  ['GET /api/v1/threads/{thread}/comments', { query: { after: '{comment}' } }],
  ['POST /api/v1/threads', { payload: { companyId: '{company}' } }],
  ['POST /api/v1/threads', { payload: { badge } }],
  ['POST /api/v1/threads/{thread}/comments', { payload: { parentId: '{comment}' } }],
  ['POST /api/v1/threads/{thread}/comments', { payload: { badge } }],
  ['GET /feeds/company/{company}.atom', {}],
  ['GET /api/v1/company-edits', { query: { company: '{company}' } }],
  ['GET /api/v1/jobs', { query: { company: '{company}' } }],
  ['GET /api/v1/my/jobs', { query: { company: '{company}' } }],
  ['POST /api/v1/my/job-alerts', { payload: { company: '{company}' } }],
  ['GET /api/v1/removals', { query: { company: '{company}' } }],
  ['POST /api/v1/moderation/threads/{thread}/move', { payload: { companyId: '{company}' } }],
  ['GET /api/v1/moderation/queue', { query: { company: '{company}' } }],
  ['GET /auth/v1/admin/users/{monaId}', {}],
  ['DELETE /auth/v1/admin/users/{monaId}', {}],
]
/** It also accepts slugs, reports unknown names, and ignores spaces around commas. */
const TAKES_NAMES = 'GET /api/v1/companies/compare'

/** Addresses without an ID that could be spelled differently: handles are sealed, entries are numbers. */
const NOT_OF_IDS =
  /administration\/users\/:handle|company-edits\/:id|handovers\/:id|log\/:entry|labels\/:label|(limits|settings)\/:name|set-up\/:step|by-slug|feeds\/topic|sitemaps|docs|\/(brand|logos)\/|feeds\/\*/

interface Asked {
  route: Route
  endpoint: string
  who: string
  request: InjectOptions
}

const known = (name: string) => world.names[name] ?? ''
const filled = <Part>(part: Part): Part =>
  part && JSON.parse(JSON.stringify(part).replace(/\{(\w+)\}/g, (_, name) => known(name)))

const patternOf = (url: string) =>
  new RegExp(`^${url.replace(/[.*]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
const openEnds = (url: string) => url.match(/:\w+/g)?.length ?? 0
function routeOf(endpoint: string) {
  const [method, path = ''] = endpoint.replace(/\?.*/, '').split(' ')
  return endpoints.routes
    .filter((route) => route.method === method && patternOf(route.url).test(path))
    .sort((a, b) => openEnds(a.url) - openEnds(b.url))[0]
}

/** For an endpoint that no list names: with the first thing that its address can be about. */
function usualEndpoint({ method, url }: Route) {
  const things = THINGS_OF.find(([where]) => where.test(url))?.[1] ?? []
  const path = url
    .replace(':kind', things[0] === 'appealable' ? 'comment' : 'thread')
    .replace(/:(\w+)/g, `{${things[0] ?? 'thread'}}`)
  return `${method} ${path}`
}

const PEOPLE = ['vera', 'mona', 'dana', 'erin', 'ada', 'olga', 'nobody']

/** A request for each endpoint and each of its IDs, as each of those people. */
function requests(): Asked[] {
  const named = [...Object.keys(SENT), ...MORE.map(([endpoint]) => endpoint)]
  const reached = new Set(named.map((endpoint) => routeOf(endpoint)))
  const rest = endpoints.routes.filter((route) => !reached.has(route)).map(usualEndpoint)
  const all: [string, Pick<InjectOptions, 'query' | 'payload'>][] = [
    ...[...Object.keys(SENT), ...rest].map((endpoint): (typeof all)[number] => [endpoint, {}]),
    ...MORE,
  ]
  return all.flatMap(([endpoint, more]) => {
    const route = routeOf(endpoint)
    if (!route) throw new Error(`No route is ${endpoint}`)
    return PEOPLE.map((who) => {
      const good = goodRequest(world, endpoint, who, known)
      const added = (part: 'query' | 'payload') =>
        more[part] && { [part]: { ...(good[part] as object), ...filled(more[part] as object) } }
      const request = { ...good, ...added('query'), ...added('payload') } as InjectOptions
      return { route, endpoint, who, request }
    })
  })
}

const ID = /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/g

/** The same request with each of its IDs spelled differently. */
function spelled(
  { url, query, payload, ...request }: InjectOptions,
  spell: (id: string) => string,
) {
  const isJson = typeof payload === 'object' && !(payload instanceof Buffer)
  const inJson = (id: string) => JSON.stringify(spell(id)).slice(1, -1)
  const changed = (part: unknown) => JSON.parse(JSON.stringify(part).replace(ID, inJson))
  return {
    ...request,
    url: String(url).replace(ID, (id) => encodeURIComponent(spell(id))),
    ...(query && { query: changed(query) }),
    ...(payload !== undefined && { payload: isJson ? changed(payload) : payload }),
  } as InjectOptions
}
const hasIds = (request: InjectOptions) =>
  JSON.stringify(spelled(request, () => 'other')) !== JSON.stringify(spelled(request, (id) => id))

const capitals = (id: string) => id.toUpperCase()
/** Other spellings that PostgreSQL accepts for the same ID, and some that it doesn't. */
const REFUSED: Record<string, (id: string) => string> = {
  'in braces': (id) => `{${id}}`,
  'without hyphens': (id) => id.replaceAll('-', ''),
  'with other hyphens': (id) => id.replaceAll('-', '').replace(/(.{4})(?=.)/g, '$1-'),
  'with a blank before it': (id) => ` ${id}`,
  'with a blank behind it': (id) => `${id} `,
  'with a line break behind it': (id) => `${id}\n`,
  'in full-width digits': (id) =>
    id.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
}

const asKept = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : (JSON.stringify(value) ?? '')
const asText = (statements: Sql[]) =>
  statements.flatMap(({ text, values }) =>
    values.flat().map((value) => `${asKept(value)} in ${text.replace(/\s+/g, ' ')}`),
  )

/** What both have, as often as both have it. That leaves out what's random. */
function common(one: string[], other: string[]) {
  const left = [...other]
  return one.filter((it) => {
    const at = left.indexOf(it)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}
const missing = (wanted: string[], there: string[]) => {
  const found = common(wanted, there)
  return wanted.filter((it) => {
    const at = found.indexOf(it)
    if (at >= 0) found.splice(at, 1)
    return at < 0
  })
}

/** The fields of a response, so that random ones can be left out. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([name, it]) => fieldsOf(it, `${path}.${name}`))
}
const said = ({ headers, text }: Answer) =>
  String(headers['content-type']).startsWith('application/json')
    ? fieldsOf(JSON.parse(text))
    : text.split('\n')

async function asked(request: InjectOptions) {
  counted.length = 0
  const answer = await ask(request)
  return { answer, counts: [...counted] }
}

describe('ids in capitals', () => {
  test('an id in capitals gets the same answers, keys, names, limits and counts from every endpoint', async () => {
    const problems: string[] = []
    let compared = 0
    for (const { endpoint, who, request } of someOf(requests(), 5)) {
      // A slug that looks like an ID is still a slug, and is looked up as typed.
      if (!hasIds(request) || endpoint.includes('/by-slug/')) continue
      const told = (what: string) => problems.push(`${who}, ${endpoint}: ${what}`)
      // Twice, to learn what differs each time.
      const [one, other] = [await asked(request), await asked(request)]
      const again = await asked(spelled(request, capitals))
      compared++
      if (again.answer.status !== one.answer.status)
        told(`${one.answer.status} is ${again.answer.status} ${again.answer.text.slice(0, 200)}`)
      if (`${again.counts}` !== `${one.counts}`) told(`counted by ${again.counts}`)
      for (const it of missing(common(said(one.answer), said(other.answer)), said(again.answer)))
        told(`is not said again: ${it.slice(0, 200)}`)
      const stable = common(asText(one.answer.statements), asText(other.answer.statements))
      for (const it of missing(stable, asText(again.answer.statements)))
        told(`is not asked again: ${it.slice(0, 200)}`)
    }
    expect(problems).toEqual([])
    expect(compared).toBeGreaterThan(amount(100, 500))
  })
})

/** In addition to the comparison of everything: what people did with it, step by step. */
describe('people who spell an id in capitals', () => {
  function calls() {
    // Where uses are counted, and may exceed a limit.
    forgetLimitStore()
    const untrustedLimits = createUntrustedLimits(true)
    const discussions = { issuer: testIssuer, searches: searchingFreely, untrustedLimits }
    return callsOf(
      { ...discussionContract, ...reportContract, ...followContract },
      { ...discussionHandlers(discussions), ...reportHandlers, ...followHandlers },
    )
  }
  const idempotencyKey = () => crypto.randomUUID()
  /** The same person without the address, or with another one. */
  const visitor = (ctx: Ctx, n: number): Ctx => ({
    ...ctx,
    actor: {
      ...ctx.actor,
      role: 'visitor',
      account: null,
      authorKey:
        authorKeyOfVisitor(testSecrets, `anon-${n.toString(16).padStart(32, '0')}`) ?? null,
    },
  })
  const aThread = {
    title: 'Is it true about the Thursdays?',
    body: 'They say nobody comes in.',
    topics: [],
    idempotencyKey: '',
  }
  const SPELLINGS = [
    (id: string) => id,
    (id: string) => id.toUpperCase(),
    (id: string) => id.replace(/[a-f]/, (letter) => letter.toUpperCase()),
    (id: string) => id.replace(/[a-f](?=[^a-f]*$)/, (letter) => letter.toUpperCase()),
  ]

  test('an author in capitals has one name in a thread, and is its author there', () =>
    as('dana', async (ctx) => {
      const call = calls()(visitor(ctx, 1))
      const thread = await call('POST /api/v1/threads', {
        body: { ...aThread, idempotencyKey: idempotencyKey() },
      })
      const { author } = await call('GET /api/v1/threads/{id}', { params: { id: thread.id } })
      for (const spell of SPELLINGS) {
        const said = await call('POST /api/v1/threads/{id}/comments', {
          params: { id: spell(thread.id) },
          body: { body: 'I was there.', idempotencyKey: idempotencyKey() },
        })
        expect(said).toMatchObject({ author, isOp: true })
      }
    }))

  test('a voter in capitals votes once, and never on their own posts', () =>
    as('dana', async (ctx) => {
      const site = calls()
      const [author, reader] = [site(visitor(ctx, 1)), site(visitor(ctx, 2))]
      const poll = { options: ['Yes', 'No'], days: 3 }
      const body = { ...aThread, poll, idempotencyKey: idempotencyKey() }
      const thread = await author('POST /api/v1/threads', { body })
      const said = await author('POST /api/v1/threads/{id}/comments', {
        params: { id: thread.id },
        body: { body: 'I was there.', idempotencyKey: idempotencyKey() },
      })
      for (const spell of SPELLINGS) {
        const own = { body: { vote: 1 as const } }
        await expect(
          author('PUT /api/v1/threads/{id}/vote', { params: { id: spell(thread.id) }, ...own }),
        ).rejects.toMatchObject({ status: 403 })
        await expect(
          author('PUT /api/v1/comments/{id}/vote', { params: { id: spell(said.id) }, ...own }),
        ).rejects.toMatchObject({ status: 403 })
        await reader('PUT /api/v1/comments/{id}/vote', { params: { id: spell(said.id) }, ...own })
      }
      const [votes] = await ctx.db.query<{ n: number }>(sql`
        select count(*)::integer as n from votes where subject_id = ${said.id}`)
      expect(votes?.n).toBe(1)
      const [first, ...others] = SPELLINGS.map(
        (spell) => () =>
          reader('PUT /api/v1/threads/{id}/poll', {
            params: { id: spell(thread.id) },
            body: { optionIndex: 0 },
          }),
      )
      await first?.()
      for (const again of others) await expect(again()).rejects.toMatchObject({ status: 409 })
    }))

  test('an author in capitals waits in slow mode like everyone', () =>
    as('dana', async (ctx) => {
      const site = calls()
      const thread = await site(visitor(ctx, 1))('POST /api/v1/threads', {
        body: { ...aThread, idempotencyKey: idempotencyKey() },
      })
      await ctx.db.query(sql`update threads set slow_minutes = 10 where id = ${thread.id}`)
      const [first, ...others] = SPELLINGS.map(
        (spell) => () =>
          site(visitor(ctx, 2))('POST /api/v1/threads/{id}/comments', {
            params: { id: spell(thread.id) },
            body: { body: 'I was there.', idempotencyKey: idempotencyKey() },
          }),
      )
      await first?.()
      for (const again of others) await expect(again()).rejects.toMatchObject({ status: 429 })
    }))

  test('visitors in capitals count as one network, of which five vote', () =>
    as('dana', async (ctx) => {
      const site = calls()
      const thread = await site(visitor(ctx, 1))('POST /api/v1/threads', {
        body: { ...aThread, idempotencyKey: idempotencyKey() },
      })
      const votes = await Promise.allSettled(
        Array.from({ length: 36 }, (_, n) =>
          site(visitor(ctx, n + 2))('PUT /api/v1/threads/{id}/vote', {
            params: { id: (SPELLINGS[n % SPELLINGS.length] ?? String)(thread.id) },
            body: { vote: -1 },
          }),
        ),
      )
      expect(votes.filter(({ status }) => status === 'fulfilled')).toHaveLength(VOTERS_PER_NETWORK)
    }))

  test('a reporter in capitals reports a post once, and never one of their own', () =>
    as('dana', async (ctx) => {
      const site = calls()
      const thread = await site(visitor(ctx, 1))('POST /api/v1/threads', {
        body: { ...aThread, idempotencyKey: idempotencyKey() },
      })
      for (const spell of SPELLINGS) {
        const body = { kind: 'thread', id: spell(thread.id), reason: 'spam' } as const
        await site(ctx)('POST /api/v1/reports', { body })
        await expect(site(visitor(ctx, 1))('POST /api/v1/reports', { body })).rejects.toMatchObject(
          { status: 403 },
        )
      }
      const [reports] = await ctx.db.query<{ n: number }>(
        sql`select count(*)::integer as n from reports join moderation_cases on case_id = moderation_cases.id
             where thread_id = ${thread.id}`,
      )
      expect(reports?.n).toBe(1)
    }))

  test('a person in capitals is the same to commands without a contract before them', () =>
    as('dana', async (ctx) => {
      const [author, reader] = [visitor(ctx, 1), visitor(ctx, 2)]
      const poll = { options: ['Yes', 'No'], days: 3 }
      const { id } = await startThread(author, {
        ...{ ...aThread, topics: [], poll, name: 'pseudonym' as const },
        idempotencyKey: idempotencyKey(),
      })
      const capitals = id.toUpperCase()
      await expect(voteThread(author, capitals, 1)).rejects.toMatchObject({ status: 403 })
      await voteThread(reader, id, 1)
      expect(await voteThread(reader, capitals, 1)).toMatchObject({ score: 1 })
      await votePoll(reader, capitals, 0)
      await expect(votePoll(reader, id, 0)).rejects.toMatchObject({ status: 409 })
      const form = {
        body: 'I was there.',
        name: 'pseudonym' as const,
        idempotencyKey: idempotencyKey(),
      }
      await expect(addComment(reader, capitals, form)).rejects.toThrow('exactly as stored')
      expect(await deleteThread(author, capitals)).toEqual({ title: aThread.title })
    }))

  test('a person in capitals sends a form once, and saves, mutes and follows once', () =>
    as('dana', async (ctx) => {
      const call = calls()(ctx)
      const mark = idempotencyKey()
      const [company] = await ctx.db.query<{ id: string }>(sql`
        insert into companies (name, name_key) values ('Acme', 'acme') returning id`)
      const sent = new Set<string>()
      for (const spell of SPELLINGS) {
        const body = { ...aThread, idempotencyKey: spell(mark) }
        sent.add((await call('POST /api/v1/threads', { body })).id)
      }
      expect(sent.size).toBe(1)
      const [id = ''] = sent
      for (const spell of SPELLINGS) {
        const params = { id: spell(id) }
        await call('PUT /api/v1/threads/{id}/saved', { params, body: { isSaved: true } })
        await call('PUT /api/v1/threads/{id}/muted', { params, body: { isMuted: true } })
        await call('PUT /api/v1/companies/{id}/follow', {
          params: { id: spell(company?.id ?? '') },
          body: { isFollowing: true },
        })
      }
      const [kept] = await ctx.db.query(sql`
        select (select count(*)::integer from saved_threads where thread_id = ${id}) as saved,
               (select count(*)::integer from muted_threads where thread_id = ${id}) as muted,
               (select count(*)::integer from follows where company_id = ${company?.id}) as follows`)
      expect(kept).toEqual({ saved: 1, muted: 1, follows: 1 })
    }))
})

describe('every other spelling', () => {
  test.each(Object.entries(REFUSED))('%s is refused', async (_, spell) => {
    const problems: string[] = []
    for (const { endpoint, who, request } of someOf(requests(), 5)) {
      if (!hasIds(request) || endpoint === TAKES_NAMES) continue
      const { status, text, changed } = await ask(spelled(request, spell))
      if (status < 400 || status >= 500 || changed.length > 0)
        problems.push(`${who}, ${endpoint}: ${status} ${text.slice(0, 200)}`)
    }
    expect(problems).toEqual([])
  })
})

/** The fields that a schema requires IDs in. Those in lists are named `*`. */
function idFields(schema: JsonSchema | undefined, path = ''): string[] {
  if (!schema) return []
  const isList = schema.pattern?.includes('{36}')
  if (schema.format === 'uuid' || isList) return [path]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, it]) =>
      idFields(it, `${path}.${name}`),
    ),
    ...idFields(schema.items, `${path}.*`),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((it) => idFields(it, path)),
  ]
}
const fieldsWithIds = (value: unknown) =>
  fieldsOf(value)
    .filter((it) => it.search(ID) >= 0)
    .map((it) => it.replace(/: .*/s, '').replace(/\.\d+(?=\.|$)/g, '.*'))

test('these tests send every id that an endpoint takes', () => {
  const sent = new Map<Route, Set<string>>()
  for (const { route, request } of requests()) {
    const fields = sent.get(route) ?? new Set<string>()
    sent.set(route, fields)
    for (const it of fieldsWithIds({ query: request.query })) fields.add(it)
    for (const it of fieldsWithIds({ body: request.payload })) fields.add(it)
    if (String(request.url).search(ID) >= 0) fields.add('the address')
  }
  const left = endpoints.routes.flatMap((route) => {
    const { url, schema, endpoint } = route
    const wanted = [
      ...(/[:*]/.test(url) && !NOT_OF_IDS.test(url) ? ['the address'] : []),
      ...idFields(schemaOf(schema.querystring), '.query'),
      ...idFields(schemaOf(schema.body), '.body'),
    ]
    return wanted.filter((it) => !sent.get(route)?.has(it)).map((it) => `${endpoint} ${it}`)
  })
  expect(left).toEqual([])
})
