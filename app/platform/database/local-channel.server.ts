/**
 * Events within this process, at once: before whoever wrote has the answer. Those of others come over the
 * database, and so do these, a little later: whoever subscribes to both gets them twice.
 */
import type { Database } from './database.server.ts'

export function createLocalChannel<Message>() {
  /** Per database. */
  const listeners = new WeakMap<Database, ((message: Message) => void)[]>()
  return {
    subscribe(db: Database, listener: (message: Message) => void) {
      listeners.set(db, [...(listeners.get(db) ?? []), listener])
    },
    /** After the commit of the caller's transaction. */
    publishAfterCommit(db: Database, message: Message) {
      db.afterCommit((outside) => {
        for (const listener of listeners.get(outside) ?? []) listener(message)
      })
    },
  }
}
