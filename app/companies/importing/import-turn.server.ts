/** One import at a time: two would not see each other's companies before they are committed. */
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'

/** After so long others who wait to import come in, between two batches. */
const TURN_MS = 3_000

/** Until the end of the transaction no other import writes; whoever is late waits. */
export const takeTurn = (db: Database) =>
  db.query(sql`select pg_advisory_xact_lock(hashtext('import of companies'))`)

const lines = new WeakMap<Database, Promise<unknown>>()

/** Whoever of this process waits for the turn waits here: not each on a connection of its own. */
function inLine<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  const turn = (lines.get(db) ?? Promise.resolve()).then(work)
  lines.set(
    db,
    turn.catch(() => {}),
  )
  return turn
}

/** Runs `work`, a transaction that takes the turn, when no other of this process has it. */
export const createTurn =
  (db: Database) =>
  <Result>(work: () => Promise<Result>): Promise<Result> =>
    inLine(db, work)

interface Turn {
  since: number
  users: number
  /** Nobody joins it any more. */
  isOver: boolean
  taken: Promise<void>
  giveBack: () => void
  /** When the lock is gone. */
  end: Promise<void>
}

/**
 * The same for batches that are written on several connections: one connection more keeps the turn
 * for all of them. It is given back when none runs, and now and then.
 * @returns runs `work` while the turn is ours; what it commits is seen by whoever has the next one
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
          await takeTurn(db)
          mine.since = performance.now()
          resolve()
          await unused
        })
      end = inLine(db, hold).finally(() => {
        if (turn === mine) turn = undefined
      })
      // Whoever waits for the turn hears that its connection was lost, and whoever gives it back.
      end.catch(reject)
    })
    const mine: Turn = { since: performance.now(), users: 0, isOver: false, taken, giveBack, end }
    return mine
  }
}
