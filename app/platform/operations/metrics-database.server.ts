/** A database that is the same as another, and knows how busy it is. */
import type { Database, OpenDatabase } from '../database/database.server.ts'

export interface DatabaseFigures {
  /** Connections that somebody has. */
  readonly inUse: number
  /** Who waits for one. */
  readonly waiting: number
  readonly most: number
}

export interface MeasuredDatabase extends OpenDatabase {
  figures: DatabaseFigures
}

/**
 * Each query and each outermost transaction has one connection of the pool to itself, or waits for
 * one; so who counts them knows the pool.
 * @param connections how many there are at most
 * @param onStatement hears of each statement's time, in seconds, with its wait
 * @param onFailure hears why a statement or a commit failed, and says what to throw
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
    // The same handle as everybody else's outside: some remember what they do for which.
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
