/** The only access to the data: `query` and `transaction`. */
import sql, { raw, type Sql } from 'sql-template-tag'
import { isOutcomeUnknown } from '../http/unavailable.ts'

export interface Database {
  /** Returns a statement's rows. Timestamps and dates come as ISO text, int8 as a number. */
  query<Row>(statement: Sql, options?: QueryOptions): Promise<Row[]>
  /**
   * Runs `work` in a transaction. An error rolls it back and is rethrown. Throws `OutcomeUnknown` if the
   * connection broke at the commit: never retry that automatically. Nested calls are savepoints. Use
   * only the handle that `work` receives.
   */
  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /**
   * Calls `work` once the outermost transaction has committed, or may have (`OutcomeUnknown`), but not after
   * a rollback. Outside of a transaction, it runs immediately. `work` mustn't throw. It receives a handle
   * outside of the transaction. No one waits for what it starts, and a crash loses that.
   */
  afterCommit(work: (database: Database) => void): void
  /** Runs several statements at once, without parameters. For migrations. */
  script(text: string): Promise<void>
}

export interface QueryOptions {
  /**
   * Keeps the statement parsed, and later planned, on each connection. For statements that run at every
   * request and whose best plan doesn't depend on their values. Pass limits with `atMost`.
   */
  isPrepared?: boolean
}

/** Use this for statements that run at every request. D51. */
export const PREPARED: QueryOptions = { isPrepared: true }

/**
 * A row limit as part of the statement's text. If the limit were a value, PostgreSQL would assume a tenth of
 * all rows, and plan badly or replan at each call.
 */
export const atMost = (rows: number) => raw(String(Math.trunc(rows)))

/**
 * How well this process receives events. `refused` means the server accepts no one, so no one writes. `deaf`
 * means others may write without us knowing, so caches may be outdated.
 */
export type ChannelState = 'ok' | 'refused' | 'deaf'

export interface EventChannel {
  readonly state: ChannelState
  /** How often the connection was lost. */
  readonly losses: number
  /**
   * `watch` gets each change, and an `ok` after every loss, however short, once all listeners know they may
   * have missed events.
   */
  onChange(watch: (state: ChannelState) => void): void
}

/** An open database. The code that opened it closes it. */
export interface OpenDatabase extends Database {
  /**
   * Calls `listener` with the payload of each `notify` on `channel`, from any process, after its commit.
   * Events can get lost with a connection: read the tables after `listener(undefined)`.
   */
  listen(channel: string, listener: (payload: string | undefined) => void): Promise<void>
  readonly eventChannel: EventChannel
  /**
   * Runs `work` on its own connection without timeouts, for migrations. Use only the handle that `work`
   * receives.
   */
  dedicated<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** An error from PostgreSQL, with its SQLSTATE and the violated constraint. */
export interface DatabaseError extends Error {
  code: string
  constraint?: string
}

/** Escapes a text for `like`, so it matches exactly, whatever it contains. */
export const likeText = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'
const CHECK_VIOLATION = '23514'
const DEADLOCK = '40P01'
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether it's an error from PostgreSQL with this SQLSTATE. */
export const isDatabaseError = (error: unknown, code: string): error is DatabaseError =>
  error instanceof Error && (error as Partial<DatabaseError>).code === code

/** The referenced row is gone, or rows still refer to this one. */
export const isForeignKeyViolation = (error: unknown): error is DatabaseError =>
  isDatabaseError(error, FOREIGN_KEY_VIOLATION)

export const isUniqueViolation = (error: unknown): error is DatabaseError =>
  isDatabaseError(error, UNIQUE_VIOLATION)

/** Whether two transactions waited for each other. It's safe to try again. */
export const isDeadlock = (error: unknown) => isDatabaseError(error, DEADLOCK)

/** Whether a lock wasn't free within the `lock_timeout`. */
export const isLockTimeout = (error: unknown) => isDatabaseError(error, LOCK_NOT_AVAILABLE)

export const isCheckViolation = (error: unknown): error is DatabaseError =>
  isDatabaseError(error, CHECK_VIOLATION)

const TIMESTAMPTZ = 1184
const DATE = 1082
const INT8 = 20

/** Sessions use UTC, so '2026-11-21 01:52:20.12+00' becomes '2026-11-21T01:52:20.12Z'. */
const isoTimestamp = (text: string) => text.replace(' ', 'T').replace(/\+00$/, 'Z')

export const valueParsers: Record<number, (text: string) => unknown> = {
  [TIMESTAMPTZ]: isoTimestamp,
  [DATE]: (text) => text,
  [INT8]: Number,
}

/** One connection that runs one statement at a time. */
interface Connection {
  run(text: string, values: unknown[], options?: QueryOptions): Promise<{ rows: unknown[] }>
  script(text: string): Promise<unknown>
}

type AfterCommit = (database: Database) => void

/**
 * A handle on a running transaction. Nested transactions are savepoints.
 * @param afterwards collects the `afterCommit` work
 */
function handleInTransaction(
  connection: Connection,
  afterwards: AfterCommit[],
  depth = 1,
): Database {
  return {
    afterCommit: (work) => {
      afterwards.push(work)
    },
    query: async <Row>(statement: Sql, options?: QueryOptions) =>
      (await connection.run(statement.text, statement.values, options)).rows as Row[],
    script: async (text) => {
      await connection.script(text)
    },
    transaction: async (work) => {
      const savepoint = `nested_${depth}`
      const nestedAfterwards: AfterCommit[] = []
      await connection.run(`savepoint ${savepoint}`, [])
      try {
        const nested = handleInTransaction(connection, nestedAfterwards, depth + 1)
        const result = await work(nested)
        await connection.run(`release savepoint ${savepoint}`, [])
        afterwards.push(...nestedAfterwards)
        return result
      } catch (error) {
        // If that fails, the connection is broken, and the outer transaction also fails.
        await connection.run(`rollback to savepoint ${savepoint}`, []).catch(() => {})
        throw error
      }
    },
  }
}

/**
 * A handle on a connection that no one else uses meanwhile.
 * @param outside the database itself
 */
export function databaseOn(outside: Database, connection: Connection): Database {
  return {
    query: async <Row>(statement: Sql) =>
      (await connection.run(statement.text, statement.values)).rows as Row[],
    script: async (text) => {
      await connection.script(text)
    },
    transaction: (work) => runTransaction(outside, connection, work),
    afterCommit: (work) => work(outside),
  }
}

/**
 * Runs BEGIN, `work`, COMMIT, then the `afterCommit` work, on a connection no one else uses meanwhile.
 * @param outside the database itself
 */
export async function runTransaction<Result>(
  outside: Database,
  connection: Connection,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const afterwards: AfterCommit[] = []
  const follow = () => {
    for (const follow of afterwards) follow(outside)
  }
  let result: Result
  await connection.run('begin', [])
  try {
    result = await work(handleInTransaction(connection, afterwards))
  } catch (error) {
    await connection.run('rollback', []).catch(() => {})
    throw error
  }
  try {
    await connection.run('commit', [])
  } catch (error) {
    if (isOutcomeUnknown(error)) follow()
    else await connection.run('rollback', []).catch(() => {})
    throw error
  }
  follow()
  return result
}

/**
 * The database's time, for anything that's due, late or expired. All processes share it, so a wrong clock on
 * one machine does no harm.
 */
type DatabaseClock = () => Sql

/** @param now a clock for tests, instead of the database's */
export const databaseClock =
  (now?: () => Date): DatabaseClock =>
  () =>
    // This time is stable within a statement, so conditions on it can use an index. With clock_timestamp(),
    // they can't.
    now ? sql`${now().toISOString()}::timestamptz` : sql`statement_timestamp()`

/** The time plus this many milliseconds. */
export const after = (moment: Sql, ms: number) =>
  sql`(${moment} + make_interval(secs => ${Math.round(ms) / 1000}::float8))`
