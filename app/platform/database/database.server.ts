/** The one way to the data: `query` and `transaction`. */
import sql, { raw, type Sql } from 'sql-template-tag'
import { isOutcomeUnknown } from '../http/unavailable.ts'

export interface Database {
  /** Rows of one statement. Timestamps and dates come as ISO text, int8 as number. */
  query<Row>(statement: Sql, options?: QueryOptions): Promise<Row[]>
  /**
   * Runs `work` in a transaction and commits it; an error rolls it back and is thrown on. Throws
   * `OutcomeUnknown` when the connection was lost at the commit: never run such work again by yourself.
   * Inside a transaction it nests as a savepoint. Use only the handle that `work` receives.
   */
  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /**
   * Calls `work` when the outermost transaction has committed, or may have (`OutcomeUnknown`), never
   * when this or an outer one is rolled back; outside of a transaction at once. `work` must not throw.
   * It receives a handle outside of the transaction; what it begins is nobody's to wait for, and lost
   * with the process.
   */
  afterCommit(work: (database: Database) => void): void
  /** Several statements at once, without parameters: for migrations. */
  script(text: string): Promise<void>
}

export interface QueryOptions {
  /**
   * Each connection keeps the statement parsed, and after some calls planned: for what runs at every
   * request, and whose best plan is the same whatever the values are. Its limits are said by `atMost`.
   */
  isPrepared?: boolean
}

/** Options of what runs at every request. D51. */
export const PREPARED: QueryOptions = { isPrepared: true }

/**
 * A number of rows as a part of the statement itself: of a limit that it does not know PostgreSQL expects
 * a tenth of all rows, and plans each time anew, or badly.
 */
export const atMost = (rows: number) => raw(String(Math.trunc(rows)))

/**
 * How well this process hears of what others write. `refused`: the server takes nobody in, so nobody
 * writes. `deaf`: we may be cut off while others write, so what is kept here may be wrong.
 */
export type ChannelState = 'ok' | 'refused' | 'deaf'

export interface EventChannel {
  readonly state: ChannelState
  /** How often its connection was lost. */
  readonly losses: number
  /**
   * `watch` hears of each change, and of `ok` after every loss, however short, when all who listen were
   * told that they may have missed news.
   */
  onChange(watch: (state: ChannelState) => void): void
}

/** A database that somebody opened and must close. */
export interface OpenDatabase extends Database {
  /**
   * Calls `listener` with the payload of each `notify` on `channel`, of any process, after its commit.
   * News may be missed while a connection is lost: ask the tables after `listener(undefined)`.
   */
  listen(channel: string, listener: (payload: string | undefined) => void): Promise<void>
  readonly news: EventChannel
  /**
   * Runs `work` on a connection of its own, on which nothing is ended for taking long, and whose session
   * ends with it: for migrations. Use only the handle that `work` receives.
   */
  dedicated<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** What an error of the database looks like: the SQLSTATE and the constraint that refused. */
export interface DatabaseError extends Error {
  code: string
  constraint?: string
}

/** True for an error of the database with this SQLSTATE, for example '23503' (what it refers to is gone). */
export const isDatabaseError = (error: unknown, code: string): error is DatabaseError =>
  error instanceof Error && (error as Partial<DatabaseError>).code === code

/** True where a row would have stood twice. */
export const isUniqueViolation = (error: unknown): error is DatabaseError =>
  isDatabaseError(error, '23505')

/** True where it and another transaction waited for each other: it may be begun again. */
export const isDeadlock = (error: unknown) => isDatabaseError(error, '40P01')

/** True where a value is not one that its column may hold. */
export const isCheckViolation = (error: unknown): error is DatabaseError =>
  isDatabaseError(error, '23514')

const TIMESTAMPTZ = 1184
const DATE = 1082
const INT8 = 20

/** Sessions speak UTC: '2026-11-21 01:52:20.12+00' becomes '2026-11-21T01:52:20.12Z'. */
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
 * A handle on a transaction in progress; nested transactions are savepoints.
 * @param afterwards collects what follows the commit
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
        // Where that fails the connection is lost, and the outer one fails as well.
        await connection.run(`rollback to savepoint ${savepoint}`, []).catch(() => {})
        throw error
      }
    },
  }
}

/**
 * A handle on a connection that nobody else uses meanwhile.
 * @param outside the database itself
 */
export function handleOn(outside: Database, connection: Connection): Database {
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
 * BEGIN, `work`, COMMIT on a connection that nobody else uses meanwhile; then what was to follow.
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
 * The moment as the database sees it, for whatever must be due, late or over: all processes agree on
 * it, and a machine with a wrong clock harms nobody else.
 */
export type DatabaseClock = () => Sql

/** @param now a clock that tests move by hand, in the place of the database's */
export const databaseClock =
  (now?: () => Date): DatabaseClock =>
  () =>
    // Stable within a statement, so that an index serves: clock_timestamp() would not be.
    now ? sql`${now().toISOString()}::timestamptz` : sql`statement_timestamp()`

/** So many milliseconds after the moment; before it when negative. */
export const after = (moment: Sql, ms: number) =>
  sql`(${moment} + make_interval(secs => ${Math.round(ms) / 1000}::float8))`
