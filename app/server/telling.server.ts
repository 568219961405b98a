/** Tells every process that something is not as it was, in few commands however often it changes. */
import { setTimeout } from 'node:timers/promises'
import type { Database } from './database.server.ts'
import { createHere } from './here.server.ts'

const TELL_EVERY_MS = 20
/** While the database is away: others hear of it as soon as it is back. */
const AGAIN_AFTER_MS = 250

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
