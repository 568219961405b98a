/** Runs one import at a time, because two wouldn't see each other's uncommitted companies. */
import sql from 'sql-template-tag'
import { type Database, isDeadlock } from '#app/platform/database/database.server.ts'

/** After this long, other waiting imports get a turn between two batches. */
const TURN_MS = 3_000
const TRIES = 3

/** Locks out other imports until the end of the transaction. */
export const lockImports = (db: Database) =>
  db.query(sql`select pg_advisory_xact_lock(hashtext('import of companies'))`)

/** Retries after a deadlock, with another batch or with someone who writes about the same companies. */
export async function retryDeadlocks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = TRIES; ; left--)
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !isDeadlock(error)) throw error
    }
}

const lines = new WeakMap<Database, Promise<unknown>>()

/** Queues within this process, so waiting doesn't take a connection. */
function inLine<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  const turn = (lines.get(db) ?? Promise.resolve()).then(work)
  lines.set(
    db,
    turn.catch(() => {}),
  )
  return turn
}

/** Runs `work`, a transaction that calls `lockImports`, when no other import in this process has the turn. */
export const createTurn =
  (db: Database) =>
  <Result>(work: () => Promise<Result>): Promise<Result> =>
    inLine(db, work)

interface Turn {
  since: number
  users: number
  /** Whether no more batches may join. */
  isOver: boolean
  taken: Promise<void>
  giveBack: () => void
  /** Resolves when the lock is released. */
  end: Promise<void>
}

/**
 * For batches on several connections: one more connection holds the turn for all of them, and releases it when no batch
 * runs, and every TURN_MS. @returns a function that runs `work` during the turn, so the next holder sees its commit
 */
export function createSharedTurn(db: Database) {
  let turn: Turn | undefined

  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    while (turn && (turn.isOver || performance.now() - turn.since > TURN_MS)) {
      turn.isOver = true
      await turn.end.catch(() => {})
    }
    turn ??= begin()
    const ours = turn
    ours.users++
    try {
      await ours.taken
      return await work()
    } finally {
      ours.users--
      if (ours.users === 0) {
        ours.isOver = true
        ours.giveBack()
        await ours.end
      }
    }
  }

  function begin(): Turn {
    let giveBack = () => {}
    const unused = new Promise<void>((resolve) => {
      giveBack = resolve
    })
    let end = Promise.resolve()
    const taken = new Promise<void>((resolve, reject) => {
      const hold = () =>
        db.transaction(async (db) => {
          await lockImports(db)
          mine.since = performance.now()
          resolve()
          await unused
        })
      end = inLine(db, hold).finally(() => {
        if (turn === mine) turn = undefined
      })
      // If the connection is lost, rejects both those who wait for the turn and those who release it.
      end.catch(reject)
    })
    const mine: Turn = { since: performance.now(), users: 0, isOver: false, taken, giveBack, end }
    return mine
  }
}
