/** A real PostgreSQL (15 or later) behind the `Database` interface. */
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { ConfigError } from './config.server.ts'
import {
  type Database,
  handleOn,
  type OpenDatabase,
  type QueryOptions,
  runTransaction,
  valueParsers,
} from './database.server.ts'
import { endsConnection, whyNotConnected, whyNotDone } from './postgres-errors.server.ts'
import { OutcomeUnknown, Unavailable } from './unavailable.ts'

/** PostgreSQL cuts longer names of statements, and would take the one for the other. */
const NAME_MAX = 63
const usable = (name?: string) => (name && name.length <= NAME_MAX ? name : undefined)

/** A statement that runs longer than this is a bug or an attack: PostgreSQL ends it. */
const STATEMENT_TIMEOUT_MS = 15_000
/** A little longer: then nobody is at the other end who could end it. */
const ANSWER_WITHIN_MS = STATEMENT_TIMEOUT_MS + 2_000
/** Node's timers know no longer ones. */
const NO_LIMIT_MS = 2 ** 31 - 1
/** A transaction whose process is gone without a word gives its locks back. */
const IDLE_IN_TRANSACTION_MS = 60_000
/** For a connection of the pool to be free, and for a new one to be made. */
const CONNECT_WITHIN_MS = 5_000
/** A connection that is silent for so long is asked by the system whether it is there. */
const KEEP_ALIVE_MS = 10_000

/** What a statement says that takes the server's limit away, and ours with it. */
const LIFTS_LIMIT = /statement_timeout(\s*=\s*|',\s*')0/
const OVERLOOKED = 'A statement of this transaction failed and was overlooked: nothing was kept'
/** "Canceling the wait for synchronous replication": kept here, and perhaps nowhere else. */
const STANDBY_MISSED = '01000'
const isMissedByStandby = ({ code, routine }: { code?: string; routine?: string }) =>
  code === STANDBY_MISSED && routine === 'SyncRepWaitForLSN'

/** Without `values` several statements at once. */
type Run = (text: string, values?: unknown[], name?: string) => Promise<pg.QueryResult>

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    valueParsers[oid] ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

export async function openPostgres(settings: {
  url: string
  connections?: number
  /** Called with each connection before it is used, each time; what it throws refuses it. */
  onConnection?: (connection: object, run: Run) => Promise<void>
}): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.connections ?? 10,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: 30_000,
    application_name: 'kettle',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // JIT compiles, and parallel workers begin, for longer than our statements run.
    options: '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
    types,
  })
  /** What became of connections while somebody had them. */
  const lost = new WeakSet<pg.ClientBase>()
  const standbyMissed = new WeakSet<pg.ClientBase>()
  /** Whose session has no limit of time. */
  const patient = new WeakSet<pg.ClientBase>()
  pool.on('connect', (client) => {
    // The pool listens only while nobody has it. Without a listener an error would end the process.
    client.on('error', () => lost.add(client))
    client.on('notice', (notice) => {
      if (isMissedByStandby(notice)) standbyMissed.add(client)
    })
  })
  // An idle connection that breaks is replaced at the next query.
  pool.on('error', () => {})

  await pool.query('select 1').catch(async (error: Error) => {
    await pool.end()
    const reason = error.message || (error as NodeJS.ErrnoException).code
    throw new ConfigError(`The database of DATABASE_URL cannot be reached: ${reason}.`)
  })

  /** A connection that nobody else uses until `work` ends; it is not used again once it broke. */
  async function withConnection<Result>(
    isInTransaction: boolean,
    work: (run: Run) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect().catch((error) => {
      throw whyNotConnected(error)
    })
    let isBroken = false
    let isPatient = patient.has(client)
    const run: Run = async (text, values, name) => {
      if (isBroken) throw new Unavailable({})
      if (LIFTS_LIMIT.test(text)) {
        isPatient = true
        if (!isInTransaction) patient.add(client)
      }
      try {
        const answer = await client.query({
          text,
          ...(values && { values, name: usable(name) }),
          query_timeout: isPatient || !values ? NO_LIMIT_MS : ANSWER_WITHIN_MS,
        } as pg.QueryConfig)
        if (standbyMissed.delete(client)) throw new OutcomeUnknown({ code: STANDBY_MISSED })
        if (text === 'commit' && answer.command !== 'COMMIT') throw new Error(OVERLOOKED)
        return answer
      } catch (error) {
        isBroken = lost.has(client) || endsConnection(error) || text === 'rollback'
        throw whyNotDone(error, { text, isLost: lost.has(client), isInTransaction })
      }
    }
    try {
      await settings.onConnection?.(client, run)
      return await work(run)
    } finally {
      client.release(isBroken)
    }
  }

  const listeners: (() => Promise<void>)[] = []
  const database: OpenDatabase = {
    engine: 'postgres',
    query: <Row>({ text, values }: Sql, options?: QueryOptions) =>
      withConnection(false, async (run) => (await run(text, values, options?.name)).rows as Row[]),
    transaction: (work) =>
      withConnection(true, (run) =>
        runTransaction(database, { run, script: (text) => run(text) }, work),
      ),
    afterCommit: (work) => work(database),
    script: (text) =>
      withConnection(false, async (run) => {
        await run(text)
      }),
    async listen(channel, hear) {
      listeners.push(await listenOn(settings.url, channel, hear))
    },
    dedicated: (work) => onOwnConnection(settings.url, database, work),
    async close() {
      for (const stop of listeners) await stop()
      await pool.end()
    },
  }
  return database
}

/** Said in the session, as a role may have limits of its own. */
const WITHOUT_LIMITS = `
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set timezone = 'UTC'`

/** A connection beside the pool's, which ends when `work` does. */
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
  // The statement that was under way fails by it; without a listener the process would end.
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
    return await work(handleOn(outside, { run, script: (text) => run(text) }))
  } finally {
    await client.end()
  }
}

const LISTEN_AGAIN_MS = 2_000

/** A connection of its own that hears news, and comes back when it was lost. Answers how to stop. */
async function listenOn(
  url: string,
  channel: string,
  hear: (payload: string | undefined) => void,
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined
  let isStopped = false
  let again: NodeJS.Timeout | undefined
  const connect = async () => {
    const fresh = new pg.Client({ connectionString: url, application_name: 'kettle live' })
    fresh.on('notification', ({ payload }) => hear(payload ?? ''))
    fresh.on('error', () => {})
    fresh.on('end', () => {
      if (isStopped || fresh !== client) return
      again = setTimeout(reconnect, LISTEN_AGAIN_MS)
      again.unref()
    })
    await fresh.connect()
    await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = fresh
  }
  const reconnect = () =>
    connect().then(
      () => hear(undefined),
      () => {
        again = setTimeout(reconnect, LISTEN_AGAIN_MS)
        again.unref()
      },
    )
  await connect()
  return async () => {
    isStopped = true
    clearTimeout(again)
    await client?.end()
  }
}
