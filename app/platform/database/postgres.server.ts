/** A real PostgreSQL (15 or later) behind the `Database` interface. */

import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { OutcomeUnknown, Unavailable } from '../http/unavailable.ts'
import { ConfigError } from '../operations/config.server.ts'
import {
  type Database,
  databaseOn,
  type OpenDatabase,
  type QueryOptions,
  runTransaction,
  valueParsers,
} from './database.server.ts'
import {
  createConnectionCheck,
  endsConnection,
  isMisconfigured,
  unreachableSentence,
  whyNotConnected,
  whyNotDone,
} from './postgres-availability.server.ts'
import { CLOSE_TIMEOUT_MS, createChannel, cutOff } from './postgres-channel.server.ts'

/** A statement that runs longer is a bug or an attack. PostgreSQL ends it. */
const STATEMENT_TIMEOUT_MS = 15_000
/** Slightly longer than the server's limit. After that, the server won't end it anymore. */
const ANSWER_WITHIN_MS = STATEMENT_TIMEOUT_MS + 2_000
/** The longest time Node's timers take. */
const NO_LIMIT_MS = 2 ** 31 - 1
/** Releases the locks of a transaction whose process died silently. */
const IDLE_IN_TRANSACTION_MS = 60_000
/** How long to wait for a free connection or a new one. */
const CONNECT_WITHIN_MS = 5_000
/** When the system starts to probe a silent connection. */
const KEEP_ALIVE_MS = 10_000

/** Settings of each connection, as pg_settings shows them. A pooler may silently drop them. */
export const sessionSettings: Record<string, string> = {
  TimeZone: 'UTC',
  // Starting JIT or parallel workers takes longer than our statements run.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
}

/** A statement that lifts the server's timeout, and so ours. */
const LIFTS_LIMIT = /statement_timeout(\s*=\s*|',\s*')0/
const OVERLOOKED = 'A statement in this transaction failed unnoticed, so nothing was saved'
/** "Canceling the wait for synchronous replication": stored here, perhaps nowhere else. */
const STANDBY_MISSED = '01000'
const isMissedByStandby = ({ code, routine }: { code?: string; routine?: string }) =>
  code === STANDBY_MISSED && routine === 'SyncRepWaitForLSN'

/** Without `values`, it takes several statements at once. */
type Run = (text: string, values?: unknown[], options?: QueryOptions) => Promise<pg.QueryResult>

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    valueParsers[oid] ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/** Settings of each session. A pooler shares sessions, so with one, the role must have them. */
const SESSION = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  options: '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
}

/** PostgreSQL's names for time zones whose times end in +00. */
const IS_UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu|GMT|Greenwich)([+-]?0)?$/i

interface PostgresSettings {
  url: string
  connections?: number
  /** The same PostgreSQL, without a pooler in transaction mode. */
  listenUrl?: string | undefined
  /** False behind a pooler in transaction mode, where names and sessions don't last. */
  hasDatabaseStatementNames?: boolean
  /** Called before each use of a connection. If this throws, the connection isn't used. */
  onConnection?: (connection: object, run: Run) => Promise<void>
}

/**
 * @throws ConfigError if role, password, database or time zone are wrong, Unavailable if no server
 * answers, both with a sentence for the operator
 */
export async function openPostgres(settings: PostgresSettings): Promise<OpenDatabase> {
  const { hasDatabaseStatementNames = true } = settings
  const sessionUrl = settings.listenUrl ?? settings.url
  const names = hasDatabaseStatementNames ? createStatementNames() : undefined
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.connections ?? 10,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: 30_000,
    application_name: 'kettle',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(hasDatabaseStatementNames && SESSION),
    types,
  })
  const inHand = new Set<pg.PoolClient>()
  /** Connections that broke while in use. */
  const lost = new WeakSet<pg.ClientBase>()
  const standbyMissed = new WeakSet<pg.ClientBase>()
  /** Connections without a statement timeout. */
  const patient = new WeakSet<pg.ClientBase>()
  pool.on('connect', (client) => {
    // The pool only listens to idle connections. Without a listener, an error would end the process.
    client.on('error', () => lost.add(client))
    client.on('notice', (notice) => {
      if (isMissedByStandby(notice)) standbyMissed.add(client)
    })
  })
  // The pool replaces a broken idle connection at the next query.
  pool.on('error', () => {})

  await requireUtc(pool).catch(async (error) => {
    await pool.end()
    throw error
  })

  /** Gives `work` its own connection. A broken connection isn't used again. */
  async function withConnection<Result>(
    isInTransaction: boolean,
    work: (run: Run) => Promise<Result>,
  ): Promise<Result> {
    // While we receive no events, check first that the server is there, so callers don't wait long.
    if (channel.state !== 'ok') await requirePresence()
    const client = await pool.connect().catch((error) => {
      throw whyNotConnected(error)
    })
    inHand.add(client)
    let isBroken = false
    let isPatient = patient.has(client)
    const run: Run = async (text, values, options) => {
      if (isBroken) throw new Unavailable({})
      if (LIFTS_LIMIT.test(text)) {
        isPatient = true
        if (!isInTransaction) patient.add(client)
      }
      try {
        const answer = await client.query({
          text,
          ...(values && { values, name: options?.isPrepared ? names?.nameOf(text) : undefined }),
          query_timeout: isPatient || !values ? NO_LIMIT_MS : ANSWER_WITHIN_MS,
        } as pg.QueryConfig)
        if (standbyMissed.delete(client)) throw new OutcomeUnknown({ code: STANDBY_MISSED })
        if (text === 'commit' && answer.command !== 'COMMIT') throw new Error(OVERLOOKED)
        return answer
      } catch (error) {
        if (isOutdated(error)) names?.renew()
        isBroken = lost.has(client) || endsConnection(error) || text === 'rollback'
        throw whyNotDone(error, { text, isLost: lost.has(client), isInTransaction })
      }
    }
    try {
      await settings.onConnection?.(client, run)
      return await work(run)
    } finally {
      inHand.delete(client)
      client.release(isBroken)
    }
  }

  const channel = createChannel({
    url: sessionUrl,
    say: (channel, payload) =>
      database.query({ text: 'select pg_notify($1, $2)', values: [channel, payload] } as Sql),
  })
  const requirePresence = createConnectionCheck(settings.url)
  channel.onChange(async (state) => {
    if (state === 'ok') return
    // Idle connections are probably also broken, perhaps without noticing.
    for (let idle = pool.idleCount; idle > 0; idle--)
      pool.connect().then(
        (client) => client.release(true),
        () => {},
      )
    const failure = await requirePresence().then(
      () => undefined,
      (error: Unavailable) => error,
    )
    // The server isn't answering at all. Waiting callers would otherwise wait for the statement timeout.
    if (!failure || failure.code !== undefined) return
    for (const client of inHand) {
      lost.add(client)
      client.end().catch(() => {})
    }
  })
  const database: OpenDatabase = {
    query: <Row>({ text, values }: Sql, options?: QueryOptions) =>
      withNewNames(() =>
        withConnection(false, async (run) => (await run(text, values, options)).rows as Row[]),
      ),
    transaction: (work) =>
      withNewNames(() =>
        withConnection(true, (run) =>
          runTransaction(database, { run, script: (text) => run(text) }, work),
        ),
      ),
    afterCommit: (work) => work(database),
    script: (text) =>
      withConnection(false, async (run) => {
        await run(text)
      }),
    listen: channel.listen,
    eventChannel: channel,
    dedicated: (work) => onOwnConnection(sessionUrl, database, work),
    async close() {
      await channel.close()
      const isOver = pool.end()
      await Promise.race([isOver, wait(CLOSE_TIMEOUT_MS)])
      // Connections in use are waiting for an answer that may never come. They've acknowledged nothing.
      for (const client of inHand) cutOff(client)
      await Promise.race([isOver, wait(CLOSE_TIMEOUT_MS)])
    },
  }
  return database
}

/** Retries if a prepared statement was outdated. Nothing was stored, and it has a new name now. */
async function withNewNames<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isOutdated(error)) throw error
    return work()
  }
}

/** We read times as UTC. Behind a pooler, the role's setting decides. */
async function requireUtc(pool: pg.Pool) {
  const { rows } = await sessionZone(pool).catch((error: NodeJS.ErrnoException) => {
    const sentence = unreachableSentence('DATABASE_URL', error)
    if (isMisconfigured(error)) throw Object.assign(new ConfigError(sentence), { code: error.code })
    throw Object.assign(whyNotConnected(error), { message: sentence })
  })
  const zone = String(rows[0]?.zone)
  if (IS_UTC.test(zone)) return
  throw new ConfigError(
    `Sessions on DATABASE_URL use ${zone}, but the site needs UTC. Run ` +
      "alter role … set timezone = 'UTC', then restart the pooler’s sessions.",
  )
}

/** Async, because a bad URL throws before there's a promise. */
const sessionZone = async (pool: pg.Pool) =>
  pool.query("select current_setting('TimeZone') as zone")

/** We set these in the session, because a role may have its own limits. */
const WITHOUT_LIMITS = `
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set timezone = 'UTC'`

/** Gives `work` a connection outside the pool. */
async function onOwnConnection<Result>(
  url: string,
  outside: Database,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'kettle',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
  })
  let isLost = false
  // The running statement fails, too. Without a listener, the error would end the process.
  client.on('error', () => {
    isLost = true
  })
  await client.connect().catch((error) => {
    throw whyNotConnected(error)
  })
  const run: Run = (text, values) =>
    client.query({ text, ...(values && { values }) }).catch((error) => {
      throw whyNotDone(error, { text, isLost, isInTransaction: true })
    })
  try {
    await run(WITHOUT_LIMITS)
    return await work(databaseOn(outside, { run, script: (text) => run(text) }))
  } finally {
    await client.end()
  }
}

/** The most prepared statements. Each costs memory on every connection, and filters create many texts. */
export const NAMED_MAX = 300

/**
 * Names for prepared statements, so connections keep them parsed and planned. Derived from the text, so
 * they're unique and the same in every process.
 */
interface StatementNames {
  /** Undefined once there are too many. Then PostgreSQL plans the statement on each call. */
  nameOf(text: string): string | undefined
  /** Gives every text a new name that no connection knows. */
  renew(): void
}

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  let generation = 0
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= NAMED_MAX) return known
      const digest = createHash('sha256').update(text).digest('hex').slice(0, 32)
      const name = generation === 0 ? digest : `${digest} ${generation}`
      names.set(text, name)
      return name
    },
    renew() {
      names.clear()
      generation++
    },
  }
}

/**
 * Whether a prepared statement failed because a migration changed its columns' types. PostgreSQL checks
 * that before it does anything, so it's safe to retry.
 */
const isOutdated = (error: unknown) =>
  (error as { routine?: unknown } | undefined)?.routine === 'RevalidateCachedQuery'
