/**
 * The site's own routes as main composes them, without pages, jobs or a clock, and a function that calls them, for tests
 * that call every one. Each call is a transaction that never commits, so all start from the same data.
 */

import type { Readable } from 'node:stream'
import type { RouteOptions } from 'fastify'
import type { InjectOptions } from 'light-my-request'
import sql, { raw, type Sql } from 'sql-template-tag'
import { type AuthSettings, actorOf } from '#app/api/auth/actor.server.ts'
import { createRefreshTokenExchanges } from '#app/api/auth/refresh-token-exchanges.server.ts'
import { createSpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { createTokens, type Tokens } from '#app/api/auth/tokens.server.ts'
import type { Policy } from '#app/api/contract.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { eventsOf, registerRoutes } from '#app/main.features.server.ts'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import {
  type AnswerCache,
  broadcastAnswerChange,
  onAnswerChange,
} from '#app/platform/http/answer-cache.server.ts'
import { createHttp, type Http } from '#app/platform/http/http.server.ts'
import { createPageCache, type RenderedPage } from '#app/platform/http/page-cache.server.ts'
import { countsInMemory } from '#app/platform/http/shared-counts.server.ts'
import { createChosenSettings } from '#app/platform/operations/chosen-settings.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import type { Flag } from '#app/platform/operations/flags.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import type { RatingSettings } from '#app/ratings/publication.server.ts'
import type { AppClient } from '#app/site/pages/app-client.ts'
import { launchChecks } from '#app/site/site-settings/launch-checks.server.ts'
import { searchingFreely } from '#tests/support/unlimited.ts'
import { OWNER_EMAIL } from '../people.ts'
import { usualSigningKey } from '../support/auth-site.ts'
import { NOW, testSecrets } from '../support/database.ts'
import { testIssuer } from '../support/issuer.ts'

const SITE = 'http://kettle.test'

/** A registered route. `endpoint` reads `GET /api/v1/threads/:id`. */
export interface Route {
  /** What its contract requires before a call. */
  policy?: Policy | undefined
  endpoint: string
  method: string
  url: string
  /** The contract's schema. A route that's bound by hand may have none. */
  schema: { params?: unknown; querystring?: unknown; body?: unknown; summary?: string }
}

export interface Endpoints {
  http: Http
  /** Endpoints in this process, as pages call them. */
  api: AppClient
  routes: Route[]
  base: ServerContext
  /** Each rating counts immediately, unless a test says otherwise. */
  ratings: RatingSettings
  tokens: Tokens
  /** Signed two hours ago, so expired by now. */
  tokensOfBefore: Tokens
  /** Uses this database from now on. */
  use(db: Database): void
}

/** Renders a key's page. `pageKey` of app/site/pages makes the key from an address. */
type Pages = (key: string, site: SiteConfig, api: AppClient) => Promise<RenderedPage>

interface EndpointOptions {
  /** If missing, there are no pages. */
  pages?: Pages
  hasRateLimits?: boolean
  adminSecondFactor?: AuthSettings['adminSecondFactor']
  /** Without it, every response is computed again. */
  answers?: AnswerCache
}

/** Opens the routes with these parts of the site off. Call `use` before the first request. */
export async function openEndpoints(
  off: Flag[] = [],
  { pages, hasRateLimits = false, adminSecondFactor = 'offered', answers }: EndpointOptions = {},
): Promise<Endpoints> {
  let current: Database
  // Replaces the database while we mount the routes.
  const alone: Pick<OpenDatabase, 'listen' | 'eventChannel'> = {
    listen: async () => {},
    eventChannel: { state: 'ok', losses: 0, onChange: () => {} },
  }
  const db = new Proxy(alone as OpenDatabase, {
    get: (alone, name) => Reflect.get(name in alone ? alone : current, name),
  })
  const now = () => NOW
  const keys = [await usualSigningKey()]
  const tokensAt = (now: () => Date) =>
    createTokens({ keys, issuer: `${SITE}/auth/v1`, lifetime: 3600, now })
  const tokens = tokensAt(now)
  const settings = readConfig({
    LOG_LEVEL: 'silent',
    CONTACT_DOMAIN: 'kettle.test',
    ENABLE_JOBS: 'true',
    // Nothing listens there, so a scraper run that's allowed to start ends immediately.
    MARKET_MOVERS_URL: 'http://127.0.0.1:9/',
    MARKET_MOVERS_NAME: 'Movers',
  })
  const flags = { ...settings.flags, ...Object.fromEntries(off.map((flag) => [flag, false])) }
  const config = { ...settings, hasRateLimits, minShown: 1, ratingBatch: 1, flags }
  const queue = createQueue(db, { now })
  const base = { db, now, secrets: testSecrets, queue, events: eventsOf({ config }) }
  const cache = createPageCache(
    async (key) => (pages ? pages(key, site, api) : { status: 404, html: '' }),
    { headers: [], keeps: !pages },
  )
  const http = await createHttp({ config, pages: { keyOf: (url) => url, cache } })
  if (answers) await onAnswerChange(db, answers.drop)
  const routes: Route[] = []
  http.addHook('onRoute', ({ method, url, schema, config }: RouteOptions) => {
    // A route with several methods refuses those that an address doesn't have.
    if (Array.isArray(method) || method === 'HEAD') return
    routes.push({
      endpoint: `${method} ${url}`,
      method: String(method),
      url,
      schema: schema ?? {},
      policy: config?.policy,
    })
  })
  const site = {
    siteName: 'Kettle',
    siteUrl: SITE,
    contactDomain: config.contactDomain,
    // Pages say five, although each rating counts immediately.
    ratingBatch: 5,
    legalNoticeHours: 24,
    hasLogoSearch: true,
    flags,
    build: { buildTime: NOW.toISOString(), timestamp: NOW.getTime() },
  }
  const auth: AuthSettings = {
    tokens,
    exchanges: createRefreshTokenExchanges(testSecrets),
    siteName: site.siteName,
    siteUrl: () => SITE,
    autoconfirm: true,
    redirectUrls: [],
    ownerEmail: OWNER_EMAIL,
    adminSecondFactor,
  }
  const api = await registerRoutes({
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
    htmlPage: (title, body) => `<title>${title}</title>${body}`,
    answers,
    onChange: (changed) => broadcastAnswerChange(db, changed),
    forgetPages: (prefix) => answers?.forget(prefix),
    forgetThread: (threadId) => answers?.drop(threadId),
  })
  await http.ready()
  return {
    http,
    api,
    routes,
    base,
    ratings: config,
    tokens,
    tokensOfBefore: tokensAt(() => new Date(NOW.getTime() - 7_200_000)),
    use: (db) => {
      current = db
    },
  }
}

export interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
  /** Whether the call wrote or locked a row. A refusal that did neither can't have changed anything. */
  hasTouched: boolean
  /** The tables that changed. Only for refusals and for reads. */
  changed: string[]
  /** The statements that it ran. */
  statements: Sql[]
}

const undo = new Error('undone on purpose')

/** A function that calls the routes over `database`, one call at a time, and undoes each one afterwards. */
export async function openCalls({ http, use }: Endpoints, database: OpenDatabase) {
  const tables = await database.query<{ name: string }>(sql`
    select format('%I', tablename) as name from pg_tables where schemaname = 'public' order by 1`)
  const sumsIn = async (db: Database, of: { name: string }[]) => {
    if (of.length === 0) return new Map<string, string>()
    const sums = of.map(
      ({ name }) =>
        `select '${name}' as name,
                md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as sum
           from ${name} t`,
    )
    const rows = await db.query<{ name: string; sum: string }>(
      sql`${raw(sums.join(' union all '))}`,
    )
    return new Map(rows.map(({ name, sum }) => [name, sum]))
  }
  const before = await sumsIn(database, tables)

  return async function call(request: InjectOptions): Promise<Answer> {
    // Begins with the first statement, so a refusal without one costs no transaction.
    let beginning: Promise<Database> | undefined
    let end = () => {}
    let ended: Promise<unknown> = Promise.resolve()
    const begin = () => {
      beginning ??= new Promise((begun, failed) => {
        ended = database
          .transaction(async (db) => {
            begun(db)
            await new Promise<void>((resolve) => {
              end = resolve
            })
            throw undo
          })
          .catch((error) => {
            if (error !== undo) failed(error)
          })
      })
      return beginning
    }
    const statements: Sql[] = []
    use(
      noting(statements, {
        query: async (...it) => (await begin()).query(...it),
        transaction: async (work) => (await begin()).transaction(work),
        script: async (text) => (await begin()).script(text),
        afterCommit: () => {},
      }),
    )
    try {
      const { statusCode: status, headers, text } = await answerOf(http, request)
      const db = await beginning
      return { status, headers, text, statements, ...(await changesIn(db, request, status)) }
    } finally {
      end()
      await ended
    }
  }

  async function changesIn(db: Database | undefined, { method }: InjectOptions, status: number) {
    // A bug of ours may have left an aborted transaction.
    if (!db || status >= 500) return { hasTouched: false, changed: [] }
    const [touched] = await db.query<{ isSo: boolean }>(
      sql`select pg_current_xact_id_if_assigned() is not null as "isSo"`,
    )
    if (!touched?.isSo) return { hasTouched: false, changed: [] }
    if (status < 400 && method !== 'GET') {
      // Checks now what a commit would check.
      await db.query(sql`set constraints all immediate`)
      return { hasTouched: true, changed: [] }
    }
    // Comparing all tables takes longer than the request.
    const written = await db.query<{ name: string }>(sql`
      select format('%I', relname) as name from pg_stat_xact_user_tables
       where schemaname = 'public' and n_tup_ins + n_tup_upd + n_tup_del > 0`)
    const after = await sumsIn(db, written)
    const changed = [...after].filter(([name, sum]) => before.get(name) !== sum)
    return { hasTouched: true, changed: changed.map(([name]) => name) }
  }
}

/** The same database, adding every statement to `statements`, including those in transactions. */
const noting = (statements: Sql[], db: Database): Database => ({
  query(statement, options) {
    statements.push(statement)
    return db.query(statement, options)
  },
  transaction: (work) => db.transaction((db) => work(noting(statements, db))),
  script: (text) => db.script(text),
  afterCommit: (work) => db.afterCommit(work),
})

/** An event stream never ends, so its beginning counts as the response. */
async function answerOf(http: Http, request: InjectOptions) {
  const answer = await http.inject({ ...request, payloadAsStream: true })
  const { statusCode, headers } = answer
  const stream: Readable = answer.stream()
  const isEndless = String(headers['content-type']).startsWith('text/event-stream')
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    if (isEndless) break
  }
  // Lets its subscribers notice the end before the transaction is over.
  if (isEndless) await new Promise((resolve) => setTimeout(resolve, 30))
  return { statusCode, headers, text: Buffer.concat(chunks).toString() }
}
