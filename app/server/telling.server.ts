/** Tells every process that something is not as it was, in few commands however often it changes. */
import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database } from './database.server.ts'
import { createHere } from './here.server.ts'

const TELL_EVERY_MS = 20
/** While the database is away: others hear of it as soon as it is back. */
const AGAIN_AFTER_MS = 250

/**
 * The last word of what is told after a commit: how far the database's log is, so that whoever hears of it
 * reads from no standby that is not as far.
 */
export const POSITION = sql`'@' || pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint`

/** What was told, without its position. */
export function newsIn(payload: string): { words: string[]; position: number | undefined } {
  const words = payload.split(' ')
  const position = /^@(\d+)$/.exec(words.at(-1) ?? '')?.[1]
  return position === undefined
    ? { words, position }
    : { words: words.slice(0, -1), position: Number(position) }
}

/**
 * Makes a function that tells of something by its id, after the commit of the caller's transaction: the
 * first at once, and what comes meanwhile together, for each telling is a commit. This process hears it
 * by `hearHere` before whoever wrote has the answer. A process that dies in between told nobody else.
 */
export function createTelling(tell: (db: Database, ids: string[]) => Promise<unknown>) {
  /** Of which is told next, per database. */
  const changed = new WeakMap<Database, Set<string>>()
  const here = createHere<string>()

  async function tellUntilQuiet(db: Database, waiting: Set<string>) {
    changed.set(db, waiting)
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting.clear()
      const isTold = await tell(db, ids).then(
        () => true,
        () => false,
      )
      // What was committed is told, however long that takes: others may be hearing all the time.
      if (!isTold) for (const id of ids) waiting.add(id)
      await setTimeout(isTold ? TELL_EVERY_MS : AGAIN_AFTER_MS, undefined, { ref: isTold })
    }
    changed.delete(db)
  }

  function tellAfterCommit(db: Database, id: string) {
    here.tellAfterCommit(db, id)
    db.afterCommit((db) => {
      const waiting = changed.get(db)
      if (waiting) waiting.add(id)
      else tellUntilQuiet(db, new Set([id]))
    })
  }
  return Object.assign(tellAfterCommit, { hearHere: here.hear })
}
