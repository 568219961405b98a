/** Prometheus metrics. Totals only: no label contains an address, id, search, company or person. */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type Aggregator,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'
import type { Database, OpenDatabase } from '../database/database.server.ts'
import type { Replica } from '../database/replica.server.ts'
import type { ResponseFigures } from '../http/http.server.ts'
import { withDeadline } from '../http/work-limits.server.ts'
import { givenUp } from '../mail/mail-tasks.server.ts'
import { COUNTED_AT_MOST, queueFigures } from '../queue/queue-figures.server.ts'
import type { HealthChecks } from './health.server.ts'
import { lastBackup } from './owner-steps.server.ts'

const ANSWER_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 15]
/** Other methods, real or made up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/**
 * We count these together. Otherwise, metrics stored every few seconds would reveal when each rating was given
 * and each account created. Failures still have their route.
 */
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** If the database takes longer, we leave out the queue's metrics this time. */
const PATIENCE_MS = 2_000

export interface Metrics {
  answers: ResponseFigures & { refused(why: string): void }
  statement(seconds: number): void
  /** Sources of current values. Each is called once. */
  watchOpenAnswers(count: () => { answers: number; streams: number }): void
  watchDatabase(figures: DatabaseFigures): void
  watchReplica(figures: Replica['figures']): void
  watchQueue(parts: { db: Database; now?: () => Date; healthChecks?: HealthChecks }): void
  figures(): Promise<MetricObject[]>
  /** Makes `text` use the metrics of all processes. */
  gather(all: () => Promise<string>): void
  text(): Promise<string>
  contentType: string
}

/** @param build the version and time of the build */
export function createMetrics(build: { version: string; buildTime: string }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  new Gauge({
    name: 'kettle_build_info',
    help: 'The running build, always 1',
    labelNames: ['version', 'built'],
    aggregator: 'first',
    registers,
  }).set({ version: build.version, built: build.buildTime }, 1)
  const requests = new Histogram({
    name: 'kettle_http_request_seconds',
    help: 'Request duration until the response was sent, by route pattern. All writes share one pattern',
    labelNames: ['route', 'method', 'status'],
    buckets: ANSWER_SECONDS,
    registers,
  })
  const pages = new Counter({
    name: 'kettle_pages_total',
    help: 'Requested pages, from the cache or rendered',
    labelNames: ['from'],
    registers,
  })
  const refused = new Counter({
    name: 'kettle_http_refused_total',
    help: 'Requests refused immediately: 503 for busy and search-busy, 429 for page-limit and search-limit',
    labelNames: ['why'],
    registers,
  })
  const leftOut = new Counter({
    name: 'kettle_rows_left_out_total',
    help: 'Unreadable rows left out of lists. The log says which list',
    registers,
  })
  const statements = new Histogram({
    name: 'kettle_database_statement_seconds',
    help: 'Statement duration, including the wait for a connection',
    buckets: STATEMENT_SECONDS,
    registers,
  })
  const gauge = (
    name: string,
    help: string,
    collect: (gauge: Gauge) => void = () => {},
    labelNames: string[] = [],
    /** Combines the values of several processes. */
    aggregator: Aggregator = 'sum',
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      aggregator,
      registers,
      collect() {
        collect(this)
      },
    })
  let readQueue = async () => {}
  let gathered = async () => {
    await readQueue()
    return registry.metrics()
  }

  return {
    answers: {
      answered({ route, method, status, seconds }) {
        const isWrite = WRITES.has(method) && status < 500
        requests.observe(
          {
            route: isWrite ? 'writes' : route,
            method: isWrite ? 'any' : METHODS.has(method) ? method : 'other',
            status: status === 0 ? 'gone' : `${Math.floor(status / 100)}xx`,
          },
          seconds,
        )
      },
      page: (how) => pages.inc({ from: how }),
      refused: (why) => refused.inc({ why }),
      leftOut: (rows) => leftOut.inc(rows),
    },
    statement: (seconds) => statements.observe(seconds),
    watchOpenAnswers(count) {
      gauge('kettle_http_requests_open', 'Requests being answered', (gauge) =>
        gauge.set(count().answers),
      )
      gauge('kettle_live_streams_open', 'Open streams for new comments', (gauge) =>
        gauge.set(count().streams),
      )
    },
    watchDatabase(figures) {
      gauge(
        'kettle_database_connections',
        'Connections in use, calls waiting for a connection, and the maximum',
        (gauge) => {
          gauge.set({ state: 'in_use' }, figures.inUse)
          gauge.set({ state: 'waiting' }, figures.waiting)
          gauge.set({ state: 'most' }, figures.most)
        },
        ['state'],
      )
    },
    watchReplica(figures) {
      new Counter({
        name: 'kettle_reads_total',
        help: 'Reads that return the same for everyone, by source: a standby or the primary',
        labelNames: ['from'],
        registers,
        collect() {
          this.reset()
          for (const [from, count] of Object.entries(figures)) this.inc({ from }, count)
        },
      })
    },
    watchQueue({ db, now = () => new Date(), healthChecks }) {
      // All processes share the queue, database and disk.
      const same = (name: string, help: string, labels: string[] = []) =>
        gauge(name, help, undefined, labels, 'max')
      const [waiting, failed, oldest] = [
        same('kettle_jobs_waiting', `Due jobs, up to ${COUNTED_AT_MOST}`),
        same('kettle_jobs_failed', `Jobs we gave up on, up to ${COUNTED_AT_MOST}`),
        same('kettle_jobs_oldest_seconds', 'Age of the oldest due job'),
      ]
      const refused = same('kettle_jobs_given_up', 'Jobs we gave up on, by reason', ['reason'])
      const backupAge = same('kettle_backup_age_seconds', 'Time since the last npm run backup')
      const lastWrite = same(
        'kettle_database_last_write_seconds',
        'Time since the last successful database write',
      )
      const failing = same('kettle_database_writes_failing', '1 while writes fail, otherwise 0')
      const room = same('kettle_disk_free_bytes', 'Free disk space for DATA_DIR')
      const rounds = same(
        'kettle_round_age_seconds',
        'Time since a recurring job last ran, by kind',
        ['kind'],
      )
      const readChecks = async (healthChecks: HealthChecks) => {
        const [writes, disk, done] = await Promise.all([
          ifKnown(healthChecks.writes()),
          ifKnown(healthChecks.disk()),
          ifKnown(healthChecks.recurringTasks()),
        ])
        lastWrite.set(writes?.lastWriteSeconds ?? Number.NaN)
        failing.set(writes ? Number(writes.writes === 'failing') : Number.NaN)
        room.set(disk?.freeBytes ?? Number.NaN)
        rounds.reset()
        for (const { kind, ageSeconds } of done ?? []) rounds.set({ kind }, ageSeconds)
      }
      readQueue = async () => {
        const [figures, put, backup] = await Promise.all([
          ifKnown(queueFigures({ db, now })),
          ifKnown(givenUp(db)),
          ifKnown(lastBackup({ db, now })),
          healthChecks && readChecks(healthChecks),
        ])
        refused.reset()
        for (const { reason, count } of put ?? []) refused.inc({ reason }, count)
        backupAge.set(
          backup ? (now().getTime() - Date.parse(backup.finishedAt)) / 1000 : Number.NaN,
        )
        waiting.set(figures?.waiting ?? Number.NaN)
        failed.set(figures?.failed ?? Number.NaN)
        oldest.set(figures?.oldestSeconds ?? Number.NaN)
      }
    },
    async figures() {
      await readQueue()
      return registry.getMetricsAsJSON()
    },
    gather(all) {
      gathered = all
    },
    text: () => gathered(),
    contentType: registry.contentType,
  }
}

/** Undefined if it fails or takes too long, because then the other metrics matter even more. */
const ifKnown = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  withDeadline(work, PATIENCE_MS).catch(() => undefined)

interface DatabaseFigures {
  readonly inUse: number
  /** Calls that wait for a connection. */
  readonly waiting: number
  readonly most: number
}

export interface MeasuredDatabase extends OpenDatabase {
  figures: DatabaseFigures
}

/**
 * Adds metrics to the database. Each query and outermost transaction has its own connection, or waits for one, so
 * counting them describes the pool.
 * @param connections the pool's size
 * @param onStatement gets each statement's seconds, waiting included
 * @param onFailure gets the error of a statement or commit, and returns what to throw
 */
export function measuredDatabase(
  db: OpenDatabase,
  settings: {
    connections: number
    onStatement: (seconds: number) => void
    onFailure?: (error: unknown) => unknown
  },
): MeasuredDatabase {
  const { connections, onStatement, onFailure = (error) => error } = settings
  let wanted = 0

  async function counted<Result>(work: () => Promise<Result>): Promise<Result> {
    wanted++
    try {
      return await work()
    } catch (error) {
      throw onFailure(error)
    } finally {
      wanted--
    }
  }
  async function timed<Result>(work: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    try {
      return await work()
    } catch (error) {
      throw onFailure(error)
    } finally {
      onStatement((performance.now() - began) / 1000)
    }
  }
  const within = (inner: Database): Database => ({
    query: (statement, options) => timed(() => inner.query(statement, options)),
    script: (text) => inner.script(text),
    transaction: (work) => inner.transaction((innermost) => work(within(innermost))),
    // The same handle as outside, because some code uses it as a key.
    afterCommit: (work) => inner.afterCommit(() => work(measured)),
  })
  const measured: MeasuredDatabase = {
    query: (statement, options) => counted(() => timed(() => db.query(statement, options))),
    script: (text) => counted(() => db.script(text)),
    transaction: (work) => counted(() => db.transaction((inner) => work(within(inner)))),
    afterCommit: (work) => work(measured),
    listen: db.listen,
    eventChannel: db.eventChannel,
    dedicated: db.dedicated,
    close: db.close,
    figures: {
      get inUse() {
        return Math.min(wanted, connections)
      },
      get waiting() {
        return Math.max(0, wanted - connections)
      },
      most: connections,
    },
  }
  return measured
}

/** Headers that proxies add. Behind a proxy, a client may be anyone, no matter where the proxy is. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_NAME = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i

/**
 * `GET /metrics`, for local clients without a proxy, and for clients with the token. Everyone else gets a "not
 * found". @param token undefined for local clients only
 */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined) {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isFromHere(request) && !knowsToken(request, token)) return reply.callNotFound()
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text())
  })
}

function isFromHere({ headers, raw }: FastifyRequest) {
  return (
    // Taken from the connection itself, because headers can be forged.
    LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
    LOOPBACK_NAME.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  )
}

/** Takes constant time. Both are hashed, so even their lengths don't show. */
function knowsToken({ headers }: FastifyRequest, token: string | undefined) {
  const sentToken = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (!token || !sentToken) return false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(sentToken), hash(token))
}
