/** A real PostgreSQL (15 or later) behind the `Database` interface. */
import pg from 'pg'
import { ConfigError } from './config.server.ts'
import {
  type Database,
  handleOn,
  type OpenDatabase,
  runTransaction,
  valueParsers,
} from './database.server.ts'

/** PostgreSQL cuts longer names of statements, and would take the one for the other. */
const NAME_MAX = 63
const usable = (name?: string) => (name && name.length <= NAME_MAX ? name : undefined)

/** A statement that runs longer than this is a bug or an attack: PostgreSQL ends it. */
const STATEMENT_TIMEOUT_MS = 15_000

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    valueParsers[oid] ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

export async function openPostgres(settings: {
  url: string
  connections?: number
}): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.connections ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'kettle',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // JIT compiles, and parallel workers begin, for longer than our statements run.
    options: '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
    types,
  })
  // An idle connection that breaks is replaced at the next query; without a listener it would end
  // the process.
  pool.on('error', () => {})

  await pool.query('select 1').catch(async (error: Error) => {
    await pool.end()
    const reason = error.message || (error as NodeJS.ErrnoException).code
    throw new ConfigError(`The database of DATABASE_URL cannot be reached: ${reason}.`)
  })
  const listeners: (() => Promise<void>)[] = []
  const database: OpenDatabase = {
    engine: 'postgres',
    query: async ({ text, values }, options) =>
      (await pool.query({ text, values, name: usable(options?.name) })).rows,
    async transaction(work) {
      const client = await pool.connect()
      let broken = false
      try {
        return await runTransaction(
          database,
          {
            run: (text, values, name) => client.query({ text, values, name: usable(name) }),
            script: (text) => client.query(text),
          },
          work,
        )
      } catch (error) {
        broken = isConnectionError(error)
        throw error
      } finally {
        client.release(broken)
      }
    },
    afterCommit: (work) => work(database),
    async script(text) {
      await pool.query(text)
    },
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
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types,
  })
  // The statement that was under way fails by it; without a listener the process would end.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(WITHOUT_LIMITS)
    return await work(
      handleOn(outside, {
        run: (text, values) => client.query({ text, values }),
        script: (text) => client.query(text),
      }),
    )
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

/** Errors that PostgreSQL itself reports carry a five-character SQLSTATE; others mean a lost link. */
const isConnectionError = (error: unknown) =>
  !(
    error instanceof Error && /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code ?? ''))
  )
