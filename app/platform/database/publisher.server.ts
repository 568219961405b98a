/** Publishes to every process that something is not as it was, in few commands however often it changes. */
import { setTimeout } from 'node:timers/promises'
import { createLocalChannel } from './channel.server.ts'
import type { Database } from './database.server.ts'

const PUBLISH_EVERY_MS = 20
/** While the database is away: others hear of it as soon as it is back. */
const AGAIN_AFTER_MS = 250

/**
 * Makes a function that publishes an id after the commit of the caller's transaction: the first at once,
 * and what comes meanwhile together, for each `notify` is a commit. Whoever subscribes in this process
 * hears of it before whoever wrote has the answer. A process that dies in between told nobody else.
 */
export function createPublisher(notify: (db: Database, ids: string[]) => Promise<unknown>) {
  /** What is published next, per database. */
  const changed = new WeakMap<Database, Set<string>>()
  const local = createLocalChannel<string>()

  async function publishUntilQuiet(db: Database, waiting: Set<string>) {
    changed.set(db, waiting)
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting.clear()
      const isPublished = await notify(db, ids).then(
        () => true,
        () => false,
      )
      // What was committed is published, however long that takes: others may be listening all the time.
      if (!isPublished) for (const id of ids) waiting.add(id)
      await setTimeout(isPublished ? PUBLISH_EVERY_MS : AGAIN_AFTER_MS, undefined, {
        ref: isPublished,
      })
    }
    changed.delete(db)
  }

  function publishAfterCommit(db: Database, id: string) {
    local.publishAfterCommit(db, id)
    db.afterCommit((db) => {
      const waiting = changed.get(db)
      if (waiting) waiting.add(id)
      else publishUntilQuiet(db, new Set([id]))
    })
  }
  return Object.assign(publishAfterCommit, { subscribe: local.subscribe })
}
