import type { Database, OpenDatabase } from '../database/database.server.ts'

export interface DatabaseFigures {
  readonly inUse: number
  /** Calls that wait for a connection. */
  readonly waiting: number
  readonly most: number
}

export interface MeasuredDatabase extends OpenDatabase {
  figures: DatabaseFigures
}

/**
 * The same database, with metrics. Each query and outermost transaction has a connection to itself,
 * or waits for one, so counting them describes the pool.
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
    // The same handle as outside, as some code remembers things by it.
    afterCommit: (work) => inner.afterCommit(() => work(measured)),
  })
  const measured: MeasuredDatabase = {
    query: (statement, options) => counted(() => timed(() => db.query(statement, options))),
    script: (text) => counted(() => db.script(text)),
    transaction: (work) => counted(() => db.transaction((inner) => work(within(inner)))),
    afterCommit: (work) => work(measured),
    listen: db.listen,
    news: db.news,
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
