/**
 * Figures for whoever watches over the site, in the words of Prometheus. They are of everybody
 * together: no label holds an address, an id, a search, a company or a person.
 */
import {
  type Aggregator,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'
import type { Database } from '../database/database.server.ts'
import type { Replica } from '../database/replica.server.ts'
import { withDeadline } from '../http/deadline.server.ts'
import type { ResponseFigures } from '../http/http.server.ts'
import { COUNTED_AT_MOST, queueFigures } from '../jobs/queue-figures.server.ts'
import { givenUp } from '../mail/given-up.server.ts'
import type { HealthChecks } from './health-checks.server.ts'
import type { DatabaseFigures } from './metrics-database.server.ts'

const ANSWER_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 15]
/** Whatever else HTTP knows, or somebody makes up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/**
 * Counted together: whoever keeps these figures every few seconds would otherwise keep when each rating was given
 * and each account made. What fails is told by its route all the same.
 */
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** A queue that does not answer within this has no figures this time. */
const PATIENCE_MS = 2_000

export interface Metrics {
  answers: ResponseFigures & { refused(why: string): void }
  statement(seconds: number): void
  /** Where the figures of now are read from; each once. */
  watchOpenAnswers(count: () => { answers: number; streams: number }): void
  watchDatabase(figures: DatabaseFigures): void
  watchReplica(figures: Replica['figures']): void
  watchQueue(parts: { db: Database; now?: () => Date; signs?: HealthChecks }): void
  /** Of this process, for whoever adds them up. */
  figures(): Promise<MetricObject[]>
  /** Where `text` takes the figures of all processes from, if there are several. */
  gather(all: () => Promise<string>): void
  text(): Promise<string>
  contentType: string
}

/** @param build when and as what this was built */
export function createMetrics(build: { version: string; buildTime: string }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  new Gauge({
    name: 'kettle_build_info',
    help: 'What runs here; always 1',
    labelNames: ['version', 'built'],
    aggregator: 'first',
    registers,
  }).set({ version: build.version, built: build.buildTime }, 1)
  const requests = new Histogram({
    name: 'kettle_http_request_seconds',
    help: 'Requests by the pattern of their route, writes together, from their start until the answer has left',
    labelNames: ['route', 'method', 'status'],
    buckets: ANSWER_SECONDS,
    registers,
  })
  const pages = new Counter({
    name: 'kettle_pages_total',
    help: 'Pages that were asked for: kept ones that were sent, and those rendered',
    labelNames: ['from'],
    registers,
  })
  const refused = new Counter({
    name: 'kettle_http_refused_total',
    help: 'Refused at once: busy and search-busy with 503, page-limit and search-limit with 429',
    labelNames: ['why'],
    registers,
  })
  const statements = new Histogram({
    name: 'kettle_database_statement_seconds',
    help: 'Statements, with the wait for a connection',
    buckets: STATEMENT_SECONDS,
    registers,
  })
  const gauge = (
    name: string,
    help: string,
    collect: (gauge: Gauge) => void = () => {},
    labelNames: string[] = [],
    /** Of the values of several processes. */
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
  let lookAtQueue = async () => {}
  let gathered = async () => {
    await lookAtQueue()
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
    },
    statement: (seconds) => statements.observe(seconds),
    watchOpenAnswers(count) {
      gauge('kettle_http_requests_open', 'Requests that are being answered', (gauge) =>
        gauge.set(count().answers),
      )
      gauge('kettle_live_streams_open', 'Readers who hear of new comments', (gauge) =>
        gauge.set(count().streams),
      )
    },
    watchDatabase(figures) {
      gauge(
        'kettle_database_connections',
        'Connections in use, wishes that wait for one, and how many there may be',
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
        help: 'Reads of what is the same for everybody, by who answered: a standby, or the primary',
        labelNames: ['from'],
        registers,
        collect() {
          this.reset()
          for (const [from, count] of Object.entries(figures)) this.inc({ from }, count)
        },
      })
    },
    watchQueue({ db, now, signs }) {
      // All processes look at the same queue, database and disk.
      const same = (name: string, help: string, labels: string[] = []) =>
        gauge(name, help, undefined, labels, 'max')
      const [waiting, failed, oldest] = [
        same('kettle_jobs_waiting', `Jobs that are due and not taken, to ${COUNTED_AT_MOST}`),
        same('kettle_jobs_failed', `Jobs that are not tried again, to ${COUNTED_AT_MOST}`),
        same('kettle_jobs_oldest_seconds', 'How long the oldest job that is due has waited'),
      ]
      const refused = same('kettle_jobs_given_up', 'Jobs that are not tried again, by why', [
        'reason',
      ])
      const lastWrite = same(
        'kettle_database_last_write_seconds',
        'Since the last write of the database that succeeded',
      )
      const failing = same('kettle_database_writes_failing', '1 while writes fail, else 0')
      const room = same('kettle_disk_free_bytes', 'Room where DATA_DIR is')
      const rounds = same(
        'kettle_round_age_seconds',
        'Since work that comes round was last done, by its kind',
        ['kind'],
      )
      const lookAtSigns = async (signs: HealthChecks) => {
        const [writes, disk, done] = await Promise.all([
          ifKnown(signs.writes()),
          ifKnown(signs.disk()),
          ifKnown(signs.rounds()),
        ])
        lastWrite.set(writes?.lastWriteSeconds ?? Number.NaN)
        failing.set(writes ? Number(writes.writes === 'failing') : Number.NaN)
        room.set(disk?.freeBytes ?? Number.NaN)
        rounds.reset()
        for (const { kind, ageSeconds } of done ?? []) rounds.set({ kind }, ageSeconds)
      }
      lookAtQueue = async () => {
        const [figures, put] = await Promise.all([
          ifKnown(queueFigures({ db, now })),
          ifKnown(givenUp(db)),
          signs && lookAtSigns(signs),
        ])
        refused.reset()
        for (const { reason, count } of put ?? []) refused.inc({ reason }, count)
        waiting.set(figures?.waiting ?? Number.NaN)
        failed.set(figures?.failed ?? Number.NaN)
        oldest.set(figures?.oldestSeconds ?? Number.NaN)
      }
    },
    async figures() {
      await lookAtQueue()
      return registry.getMetricsAsJSON()
    },
    gather(all) {
      gathered = all
    },
    text: () => gathered(),
    contentType: registry.contentType,
  }
}

/** Undefined if it fails or takes too long: the other figures are wanted all the more then. */
const ifKnown = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  withDeadline(work, PATIENCE_MS).catch(() => undefined)
