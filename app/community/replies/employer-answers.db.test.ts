/**
 * An employer has no power over what people say: every answer to Erin, who acts for the company that it
 * is about, is a visitor's, but for the reply right, the dashboard's aggregates and jobs; and whatever
 * she sends, the words of others stay as they are. Asked of the site's own routes, so that an endpoint
 * that comes later is asked too.
 */

import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { type AuthSettings, actorOf } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createRefreshTokenExchanges } from '#app/api/auth/refresh-token-exchanges.server.ts'
import { createSpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { createTokens } from '#app/api/auth/tokens.server.ts'
import { registerRoutes } from '#app/main.features.server.ts'
import { lockThread, pinThread, removePost } from '#app/moderation/decision-commands.server.ts'
import { reportPost } from '#app/moderation/report-commands.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { createHttp, type Http } from '#app/platform/http/http.server.ts'
import { createPageCache } from '#app/platform/http/page-cache.server.ts'
import { countsInMemory } from '#app/platform/http/shared-counts.server.ts'
import { createChosenSettings } from '#app/platform/operations/chosen-settings.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { voteHelpful } from '#app/ratings/rating-commands.server.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { launchChecks } from '#app/site/site-settings/launch-checks.server.ts'
import { giveErinHerCompany, OWNER_EMAIL, type Person } from '#tests/people.ts'
import { usualSigningKey } from '#tests/support/auth-site.ts'
import { NOW, testSecrets, withDatabase } from '#tests/support/database.ts'
import { testIssuer } from '#tests/support/issuer.ts'
import { rate } from '#tests/support/raters.ts'
import {
  addComment,
  searchingFreely,
  startThread,
  voteComment,
  votePoll,
  voteThread,
} from '#tests/support/unlimited.ts'
import { deleteComment } from '../discussions/comments/comment-commands.server.ts'
import { changeCompanyReply, replyToNote, replyToThread } from './reply-commands.server.ts'

/** Ways to ask beside the plain one. */
const QUERIES: Record<string, Record<string, string>[]> = {
  'GET /api/v1/threads': [
    ...['hot', 'new', 'top', 'unanswered'].map((sort) => ({ sort })),
    { company: '{company}' },
    { company: '{company}', sort: 'top', period: 'all' },
    { topic: 'pay' },
    { search: 'Thursdays' },
    { search: 'Saturdays' },
    { search: 'Fridays', company: '{company}' },
  ],
  'GET /api/v1/threads/:id/comments': [
    { sort: 'best' },
    { sort: 'new' },
    { sort: 'old' },
    { below: '{comment}' },
  ],
  'GET /api/v1/companies': [
    { search: 'Erin' },
    ...['trending', 'newest', 'highest-rated', 'most-discussed', 'a-z'].map((sort) => ({ sort })),
  ],
  'GET /api/v1/companies/suggest': [{ text: 'Er' }],
  'GET /api/v1/companies/compare': [{ refs: '{company},{other}' }],
  'GET /api/v1/removals': [{ company: '{company}' }],
}

/** Only about the person who asks. Every member has them. */
const OWN =
  /^GET \/api\/v1\/(me(\/|$)|my-page$|my\/|notifications(\/|$)|threads\/:id\/mine$|(threads|comments)\/:id\/source$|admin-tools$|company-replies\/:id\/source$)/
/** What an employer has beside it: the dashboard's aggregates, colleagues, and the own jobs below /my/. */
const OF_EMPLOYERS = /^GET \/api\/v1\/companies\/:id\/(dashboard|jobs|seats)/
/** New each time, or the time of the response. A stream never ends. */
const NEVER_THE_SAME = /^GET \/(api\/v1\/challenge$|api\/v1\/threads\/:id\/live$|readyz$|healthz$)/
/** Their own documents and addresses, which are the same for everyone. */
const DOCUMENTS = /^GET \/(api\/docs|api\/openapi|auth\/v1|unsubscribe|\*|assets|logos)/

/**
 * What she may send about the words of others: to say that they break the rules, to hear no more of
 * them, and her company's own words below them.
 */
const HER_OWN =
  /^(POST \/api\/v1\/reports|PUT \/api\/v1\/threads\/:id\/muted|POST \/api\/v1\/(threads|notes)\/:id\/company-reply|(PATCH|DELETE) \/api\/v1\/company-replies\/:id)$/
/** Of these the words of people are asked about by an id, or in the body. */
const ABOUT_WORDS =
  /^(POST|PUT|PATCH|DELETE) \/api\/v1\/(threads|comments|notes|moderation\/(posts|threads|log)|reports|my\/threads|my\/moderation|company-replies|companies\/:id\/my-rating)/

/** Found by keys, and refused if the request says who sent it. */
const APART = /^POST \/api\/v1\/(notes\/:id\/by-key|room\/|companies\/:id\/room)/

/** Where the words of people stand, and what is counted about them. */
const WORDS = [
  'threads',
  'comments',
  'ratings',
  'polls',
  'poll_options',
  'poll_votes',
  'votes',
  'rating_votes',
  'rating_months',
  'moderation_log',
  'suspensions',
]

const { as, outside } = withDatabase()

/** Each call is a transaction of its own that never commits, so all find the same. */
let current: Ctx
const db = new Proxy({} as OpenDatabase, {
  get: (_, name) => {
    if (name === 'listen') return async () => {}
    if (name === 'eventChannel') return { state: 'ok', losses: 0, onChange: () => {} }
    return Reflect.get(current.db, name)
  },
})
const queue = createQueue(db, { now: () => NOW })
const base = { db, now: () => NOW, secrets: testSecrets, queue, events: [] }

const ROUTES: string[] = []
/** What each takes in its body. */
const BODIES = new Map<string, { shape?: object } | undefined>()
let http: Http
let tokens: ReturnType<typeof createTokens>
const tokenOf: Partial<Record<Person, string>> = {}
let names: Record<string, string>

beforeAll(async () => {
  tokens = createTokens({
    keys: [await usualSigningKey()],
    issuer: 'http://kettle.test/auth/v1',
    lifetime: 3600,
  })
  http = await openSite()
  names = await settleWorld()
  for (const name of ['dana', 'erin'] as const) {
    const { account } = await as(name, async ({ actor }) => actor)
    const claims = {
      session_id: account?.sessionId,
      session_generation: 0,
      role: 'authenticated',
    }
    tokenOf[name] = tokens.sign(claims, account?.id ?? '').token
  }
})

/** The site as main composes it, but for its pages, its tasks and its clock. */
async function openSite() {
  const config = readConfig({
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    CONTACT_DOMAIN: 'kettle.test',
    // Erin's company has fewer: what is held back must be held back from her, too.
    RATING_MIN_SHOWN: '5',
    RATING_BATCH: '1',
    MARKET_MOVERS_URL: 'http://127.0.0.1:9/',
    MARKET_MOVERS_NAME: 'Movers',
  })
  const cache = createPageCache(async () => ({ status: 404, html: '' }), { headers: [] })
  const http = await createHttp({ config, pages: { keyOf: (url) => url, cache } })
  http.addHook('onRoute', ({ method, url, schema }) => {
    if (Array.isArray(method) || method === 'HEAD') return
    ROUTES.push(`${method} ${url}`)
    BODIES.set(`${method} ${url}`, schema?.body as { shape?: object })
  })
  const site = {
    siteName: 'Kettle',
    siteUrl: 'http://kettle.test',
    contactDomain: 'kettle.test',
    ratingBatch: 5,
    legalNoticeHours: 24,
    hasLogoSearch: true,
    flags: config.flags,
    build: { buildTime: NOW.toISOString(), timestamp: NOW.getTime() },
  }
  const auth: AuthSettings = {
    tokens,
    exchanges: createRefreshTokenExchanges(testSecrets),
    siteName: site.siteName,
    siteUrl: () => site.siteUrl,
    autoconfirm: true,
    redirectUrls: [],
    ownerEmail: OWNER_EMAIL,
    adminSecondFactor: 'offered',
  }
  await registerRoutes({
    http,
    db,
    base,
    reading: base,
    site: () => site,
    settings: createChosenSettings(),
    environmentConfig: config,
    auth,
    config,
    issuer: testIssuer,
    checks: {
      address: () => [],
      mail: async () => [],
      launch: (db) => launchChecks(db, config),
    },
    spamChecks: createSpamChecks(0),
    markFirst: countsInMemory().markFirst,
    limits: () => 'alone',
    searches: searchingFreely,
    services: [],
    contextOf: async (identity) => ({
      ...base,
      network: identity.network,
      actor: await actorOf({ ...base, ...auth }, identity),
    }),
    htmlPage: (title) => title,
    forgetPages: () => {},
    forgetThread: () => {},
  })
  await http.ready()
  return http
}

/** Ada wrote it all, Olga decided about it, and Erin's company replied. */
async function settleWorld() {
  const seen = async (name: Person): Promise<Ctx> => ({
    ...base,
    db: outside(),
    network: '127.0.0.1',
    actor: await as(name, async ({ actor }) => actor),
  })
  const [ada, olga, erin, vera] = [
    await seen('ada'),
    await seen('olga'),
    await seen('erin'),
    await seen('vera'),
  ]
  const company = await giveErinHerCompany(ada.db)
  const [found] = await ada.db.query<{ id: string }>(sql`
    insert into companies (name, name_key, slug)
    values ('Erinaceus', 'erinaceus', 'erinaceus') returning id`)
  const other = found?.id as string
  const start = (title: string, companyId?: string, options?: string[]) =>
    startThread(ada, {
      title,
      body: 'I was there, and it is **true**.',
      topics: ['pay'],
      name: 'pseudonym',
      companyId,
      poll: options && { options, days: 7 },
      idempotencyKey: crypto.randomUUID(),
    })
  const say = (threadId: string, body: string, parentId?: string) =>
    addComment(ada, threadId, {
      body,
      parentId,
      name: 'pseudonym',
      idempotencyKey: crypto.randomUUID(),
    })
  const { id: thread } = await start('About Thursdays', company, ['Yes', 'No'])
  const pinned = await start('About Fridays', company)
  const removed = await start('About Saturdays, with a name', company)
  const held = await start('About Sundays', company)
  await start('About every day', other)
  await start('About no day at all')
  const comment = await say(thread, 'Somebody comes on Thursdays')
  await say(thread, 'I do', comment.id)
  const stub = await say(thread, 'Not any more')
  await say(thread, 'Why not?', stub.id)
  await deleteComment(ada, stub.id)
  const spam = await say(thread, 'Saturdays are better')
  await voteThread(vera, thread, 1)
  await voteComment(vera, comment.id, -1)
  await votePoll(olga, thread, 1)
  const given: RatingInput = {
    rto: 2,
    dei: null,
    workLife: 4,
    culture: null,
    officeDays: 3,
    relation: 'current',
    era: null,
    note: 'Ask about the desks',
  }
  const { id: note } = await rate(ada, company, given, { minShown: 5, ratingBatch: 1 })
  const hidden = await rate(
    olga,
    company,
    { ...given, note: 'A removed one' },
    { minShown: 5, ratingBatch: 1 },
  )
  await rate(ada, other, given, { minShown: 5, ratingBatch: 1 })
  await voteHelpful(vera, note, true, { ratingBatch: 1 })
  await replyToThread(erin, thread, 'Thank you for telling us')
  const { id: reply } = await replyToNote(erin, note, 'We have new desks now')
  await changeCompanyReply(erin, reply, { text: 'We have newer desks now', version: 1 })
  const SPAM = { reason: 'spam' as const, note: 'Words for its author' }
  await removePost(olga, { kind: 'thread', id: removed.id }, SPAM)
  await removePost(olga, { kind: 'comment', id: spam.id }, SPAM)
  await removePost(olga, { kind: 'note', id: hidden.id }, SPAM)
  await reportPost(vera, { kind: 'thread', id: thread }, SPAM)
  await reportPost(vera, { kind: 'note', id: note }, SPAM)
  await ada.db.query(sql`update threads set hidden = 'held' where id = ${held.id}`)
  await lockThread(olga, pinned.id)
  const { entry } = await pinThread(olga, pinned.id)
  return {
    company,
    other,
    thread,
    pinned: pinned.id,
    removed: removed.id,
    held: held.id,
    comment: comment.id,
    spam: spam.id,
    note,
    hidden: hidden.id,
    reply,
    entry: String(entry),
  }
}

/** What a parameter of a path may be filled with: each is asked for by itself. */
function fillings(route: string): string[] {
  if (/\/threads\/:id/.test(route)) return ['thread', 'pinned', 'removed', 'held']
  if (/\/comments\/:id/.test(route)) return ['comment', 'spam']
  if (/\/notes\/:id/.test(route)) return ['note', 'hidden']
  if (/\/company-replies\/:id/.test(route)) return ['reply']
  if (/\/companies\/:id/.test(route)) return ['company', 'other']
  if (/\/log\/:entry/.test(route)) return ['entry']
  return ['thread', 'company', 'note', 'reply']
}

const KINDS: Record<string, string[]> = {
  thread: ['thread', 'pinned', 'removed', 'held'],
  comment: ['comment', 'spam'],
  note: ['note', 'hidden'],
}

/** Every address of a route, over everything that its parameters can name. */
function addressesOf(route: string): string[] {
  const [, path = ''] = route.split(' ')
  if (path.includes(':kind'))
    return Object.entries(KINDS).flatMap(([kind, things]) =>
      things.map((name) => path.replace(':kind', kind).replace(/:\w+/, names[name] ?? '')),
    )
  if (path.includes(':slug'))
    return ['erin-and-sons', 'erinaceus'].map((slug) => path.replace(':slug', slug))
  if (path.includes('/company/:file')) return [path.replace(':file', `${names.company}.atom`)]
  if (path.includes('/topic/:file')) return [path.replace(':file', 'pay.atom')]
  if (!path.includes(':')) return [path]
  return fillings(route).map((name) => path.replace(/:\w+/g, names[name] ?? ''))
}

const filled = (query: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(query).map(([key, value]) => [
      key,
      value.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? ''),
    ]),
  )

/** One call as that person's browser makes it, undone afterwards. */
const call = (
  who: Person,
  method: string,
  url: string,
  { query, payload }: { query?: Record<string, string>; payload?: object } = {},
) =>
  as('vera', async (ctx) => {
    current = ctx
    const before = method === 'GET' ? '' : await wordsIn(ctx)
    const token = tokenOf[who]
    const answer = await http.inject({
      method: method as 'GET',
      url,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(query && { query: filled(query) }),
      ...(payload && { payload }),
    })
    const hasChanged = method !== 'GET' && (await wordsIn(ctx)) !== before
    return { status: answer.statusCode, body: answer.body, hasChanged }
  })

/** All that people said and what was counted about it, as one text. */
async function wordsIn(ctx: Ctx) {
  const tables: unknown[] = []
  for (const table of WORDS)
    tables.push(await ctx.db.query(sql`select t::text as row from ${raw(table)} t order by 1`))
  return JSON.stringify(tables)
}

const bodyOf = ({ body }: { body: string }) => {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

test('an employer gets the answers a visitor gets, or a member’s where visitors get none', async () => {
  const asked = new Set<string>()
  let compared = 0
  for (const route of ROUTES) {
    if (!route.startsWith('GET ')) continue
    if ([OWN, OF_EMPLOYERS, NEVER_THE_SAME, DOCUMENTS].some((those) => those.test(route))) continue
    for (const url of addressesOf(route))
      for (const query of [undefined, ...(QUERIES[route] ?? [])]) {
        const [vera, dana, erin] = [
          await call('vera', 'GET', url, { query }),
          await call('dana', 'GET', url, { query }),
          await call('erin', 'GET', url, { query }),
        ]
        const like = vera.status === 401 ? dana : vera
        const where = `${url} ${JSON.stringify(query ?? {})}`
        expect(erin.status, where).toBe(like.status)
        expect(bodyOf(erin), where).toEqual(bodyOf(like))
        if (vera.status === 200) asked.add(route)
        compared++
      }
  }
  // The comparison means something: these were really answered.
  for (const route of [
    'threads',
    'threads/:id',
    'threads/:id/comments',
    'companies',
    'companies/suggest',
    'companies/compare',
    'companies/trending',
    'companies/recent',
    'companies/highest-rated',
    'companies/by-slug/:slug',
    'companies/:id',
    'companies/:id/ratings',
    'companies/:id/ratings.csv',
    'companies/:id/notes',
    'companies/:id/edits',
    'company-replies/:id/versions',
    'removals',
  ])
    expect(asked).toContain(`GET /api/v1/${route}`)
  for (const feed of ['discussions.atom', 'company/:file', 'topic/:file'])
    expect(asked).toContain(`GET /feeds/${feed}`)
  expect(compared).toBeGreaterThan(60)
})

test('answers about the employer herself say nothing about others', async () => {
  for (const id of [names.thread, names.pinned]) {
    const [vera, erin] = [
      await call('vera', 'GET', `/api/v1/threads/${id}/mine`),
      await call('erin', 'GET', `/api/v1/threads/${id}/mine`),
    ]
    // Who writes as a company writes nothing else; all besides is as for anybody who did nothing here.
    const { comment: _, ...can } = bodyOf(erin).can
    expect(bodyOf(erin)).toEqual({
      ...bodyOf(vera),
      can: { ...can, comment: expect.any(Boolean) },
      // Of a confirmed address no spam check is asked.
      needsSpamCheck: false,
    })
    expect(can).toEqual({ edit: false, delete: false, moderate: false })
  }
  const rating = await call('erin', 'GET', '/api/v1/my/ratings')
  expect(bodyOf(rating)).toEqual({ ratings: [], helpful: [] })
  for (const path of [`threads/${names.thread}`, `comments/${names.comment}`])
    expect((await call('erin', 'GET', `/api/v1/${path}/source`)).status).toBe(404)
  for (const path of ['my/threads', 'my/comments', 'my/saved', 'my/moderation']) {
    const [dana, erin] = [
      await call('dana', 'GET', `/api/v1/${path}`),
      await call('erin', 'GET', `/api/v1/${path}`),
    ]
    expect(bodyOf(erin), path).toEqual(bodyOf(dana))
  }
  const me = bodyOf(await call('erin', 'GET', '/api/v1/me'))
  for (const power of ['moderate', 'manageAccounts', 'openAdminPanel', 'editCompanies'])
    expect(me.can).not.toContain(power)
})

test('the only thing an employer sees beyond that is her right to reply, and only at her company', async () => {
  const rights = async (who: Person, company = names.company ?? '') =>
    bodyOf(await call(who, 'GET', '/api/v1/my/reply-rights', { query: { company } }))
  expect(await rights('erin')).toEqual({ canReply: true })
  expect(await rights('erin', names.other)).toEqual({ canReply: false })
  for (const who of ['vera', 'dana'] as const)
    expect(await rights(who)).toEqual({ canReply: false })
  const url = `/api/v1/company-replies/${names.reply}`
  const payload = { text: 'We have the newest desks now', version: 2 }
  for (const [who, status] of [
    ['vera', 401],
    ['dana', 403],
    ['erin', 200],
  ] as const) {
    expect((await call(who, 'GET', `${url}/source`)).status).toBe(status)
    expect((await call(who, 'PATCH', url, { payload })).status).toBe(status)
    expect((await call(who, 'DELETE', url)).status).toBe(status)
  }
})

describe('an employer has no power over what people say', () => {
  /** What would do harm if it were let in; nothing that its route doesn't know, which is refused anyway. */
  const payloads = (route: string): (object | undefined)[] => {
    const text = 'The company would rather say this here'
    const all = {
      text,
      body: text,
      title: 'A title that the company prefers',
      topics: [],
      reason: 'spam',
      note: '',
      kind: 'thread',
      id: names.thread,
      posts: [{ kind: 'thread', id: names.thread, seen: 0 }],
      companyId: route.includes('/move') ? null : names.company,
      days: 7,
      minutes: 10,
      vote: -1,
      isMuted: true,
      isSaved: true,
      isHelpful: true,
      optionIndex: 0,
      version: 1,
      name: 'pseudonym',
      idempotencyKey: crypto.randomUUID(),
      rto: 5,
    }
    if (route.includes('/my/threads')) return [{ title: 'About Thursdays' }]
    const { shape = {} } = BODIES.get(route) ?? {}
    return [Object.fromEntries(Object.entries(all).filter(([name]) => name in shape))]
  }

  test('nothing erin sends changes a post, a vote or a number about her company', async () => {
    const refusals = new Map<string, number[]>()
    for (const route of ROUTES.filter((route) => ABOUT_WORDS.test(route))) {
      const [method = ''] = route.split(' ')
      for (const url of addressesOf(route))
        for (const payload of payloads(route)) {
          const { status, body, hasChanged } = await call('erin', method, url, { payload })
          const where = `${method} ${url}: ${status} ${body}`
          expect(hasChanged, where).toBe(false)
          expect(status, where).toBeLessThan(500)
          if (!HER_OWN.test(route)) {
            // A removed thread is gone for everyone, and what she could take away was never there.
            expect(APART.test(route) ? [400] : [401, 403, 404, 409, 410], where).toContain(status)
            refusals.set(route, [...(refusals.get(route) ?? []), status])
          }
        }
    }
    for (const route of [
      'PATCH /api/v1/threads/:id',
      'DELETE /api/v1/threads/:id',
      'PATCH /api/v1/comments/:id',
      'DELETE /api/v1/comments/:id',
      'POST /api/v1/moderation/threads/:id/lock',
      'POST /api/v1/moderation/threads/:id/pin',
      'POST /api/v1/moderation/threads/:id/move',
      'POST /api/v1/moderation/posts/:kind/:id/remove',
      'POST /api/v1/moderation/posts/:kind/:id/suspend',
      'PUT /api/v1/notes/:id/helpful',
    ])
      expect(new Set(refusals.get(route)), route).toEqual(new Set([403]))
  })

  test('erin can report like anyone, and her report alone holds nothing', async () => {
    for (const [kind, name] of [
      ['thread', 'thread'],
      ['comment', 'comment'],
      ['note', 'note'],
    ] as const) {
      const payload = { kind, id: names[name], reason: 'spam', note: '' }
      const answer = await call('erin', 'POST', '/api/v1/reports', { payload })
      expect(answer).toMatchObject({ status: 201, hasChanged: false })
    }
  })
})
