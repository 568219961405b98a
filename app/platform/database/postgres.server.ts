/** A real PostgreSQL (15 or later) behind the `Database` interface. */

import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { OutcomeUnknown, Unavailable } from '../http/unavailable.ts'
import { ConfigError } from '../operations/config.server.ts'
import {
  type Database,
  handleOn,
  type OpenDatabase,
  type QueryOptions,
  runTransaction,
  valueParsers,
} from './database.server.ts'
import {
  createConnectionCheck,
  endsConnection,
  isMisconfigured,
  whyNotConnected,
  whyNotDone,
} from './postgres-availability.server.ts'
import { createChannel, cutOff, GOODBYE_WITHIN_MS } from './postgres-channel.server.ts'

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

/** What each connection is told at its start, as pg_settings says it. A pooler may drop it silently. */
export const sessionSettings: Record<string, string> = {
  TimeZone: 'UTC',
  // JIT compiles, and parallel workers begin, for longer than our statements run.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
}

/** What a statement says that takes the server's limit away, and ours with it. */
const LIFTS_LIMIT = /statement_timeout(\s*=\s*|',\s*')0/
const OVERLOOKED = 'A statement of this transaction failed and was overlooked: nothing was kept'
/** "Canceling the wait for synchronous replication": kept here, and perhaps nowhere else. */
const STANDBY_MISSED = '01000'
const isMissedByStandby = ({ code, routine }: { code?: string; routine?: string }) =>
  code === STANDBY_MISSED && routine === 'SyncRepWaitForLSN'

/** Without `values` several statements at once. */
type Run = (text: string, values?: unknown[], options?: QueryOptions) => Promise<pg.QueryResult>

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    valueParsers[oid] ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/** What the site asks of each session. A pooler hands sessions around, so there the role has them. */
const SESSION = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  // JIT compiles, and parallel workers begin, for longer than our statements run.
  options: '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
}

/** All that PostgreSQL calls by which times end in +00. */
const IS_UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu|GMT|Greenwich)([+-]?0)?$/i

interface PostgresSettings {
  url: string
  connections?: number
  /** Where it leads to the same PostgreSQL without a pooler in transaction mode. */
  listenUrl?: string | undefined
  /** False behind a pooler in transaction mode, which knows neither names nor sessions. */
  hasStatementNames?: boolean
  /** Called with each connection before it is used, each time; what it throws refuses it. */
  onConnection?: (connection: object, run: Run) => Promise<void>
}

/**
 * @throws ConfigError where role, password, database or time zone are wrong, Unavailable where nobody
 * answers; both with a sentence for whoever runs the site
 */
export async function openPostgres(settings: PostgresSettings): Promise<OpenDatabase> {
  const { hasStatementNames = true } = settings
  /** For what needs a session of its own. */
  const sessionUrl = settings.listenUrl ?? settings.url
  const names = hasStatementNames ? createStatementNames() : undefined
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.connections ?? 10,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: 30_000,
    application_name: 'kettle',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(hasStatementNames && SESSION),
    types,
  })
  const inHand = new Set<pg.PoolClient>()
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

  await requireUtc(pool).catch(async (error) => {
    await pool.end()
    throw error
  })

  /** A connection that nobody else uses until `work` ends; it is not used again once it broke. */
  async function withConnection<Result>(
    isInTransaction: boolean,
    work: (run: Run) => Promise<Result>,
  ): Promise<Result> {
    // While news are not heard it is asked first whether anybody is there: nobody waits for long then.
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
    // What broke there has likely broken here, perhaps without a word.
    for (let idle = pool.idleCount; idle > 0; idle--)
      pool.connect().then(
        (client) => client.release(true),
        () => {},
      )
    const failure = await requirePresence().then(
      () => undefined,
      (error: Unavailable) => error,
    )
    // Silence here too: whoever waits for an answer would wait until the limit of a statement.
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
    news: channel,
    dedicated: (work) => onOwnConnection(sessionUrl, database, work),
    async close() {
      await channel.close()
      const isOver = pool.end()
      await Promise.race([isOver, wait(GOODBYE_WITHIN_MS)])
      // What is still in hand waits for an answer that may never come; it acknowledged nothing.
      for (const client of inHand) cutOff(client)
      await Promise.race([isOver, wait(GOODBYE_WITHIN_MS)])
    },
  }
  return database
}

/** Once more, where a statement was outdated: nothing was kept, and names are new by now. */
async function withNewNames<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isOutdated(error)) throw error
    return work()
  }
}

/** Times are read as UTC. Behind a pooler it is the role that says so. */
async function requireUtc(pool: pg.Pool) {
  const { rows } = await pool
    .query("select current_setting('TimeZone') as zone")
    .catch((error: NodeJS.ErrnoException) => {
      const sentence = `The database of DATABASE_URL can’t be reached: ${error.message || error.code}.`
      if (isMisconfigured(error))
        throw Object.assign(new ConfigError(sentence), { code: error.code })
      throw Object.assign(whyNotConnected(error), { message: sentence })
    })
  const zone = String(rows[0]?.zone)
  if (IS_UTC.test(zone)) return
  throw new ConfigError(
    `The sessions of DATABASE_URL have the time zone ${zone}, and the site needs UTC: ` +
      "alter role … set timezone = 'UTC', then restart the pooler’s sessions.",
  )
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

/** Texts that have a name. Each costs every connection memory, and some texts are put together of filters. */
export const NAMED_MAX = 300

/**
 * Names under which connections keep parsed and planned statements. They are made of the text, so nobody
 * has to invent one, and the same text has the same name in every process.
 */
interface StatementNames {
  /** Undefined once as many others have one: such a statement is planned anew each time. */
  nameOf(text: string): string | undefined
  /** From now on every text has a name that no connection knows. */
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
 * Whether a named statement was refused because its columns have other types since it was prepared: a
 * migration ran beside the site. PostgreSQL looks before it does anything, so it may be asked again.
 */
const isOutdated = (error: unknown) =>
  (error as { routine?: unknown } | undefined)?.routine === 'RevalidateCachedQuery'
