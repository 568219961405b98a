/** What every process must hear of, from the transaction that makes it so. */
import sql from 'sql-template-tag'
import type { Database, OpenDatabase } from './database.server.ts'

/** @param name of the database's channel: processes of two versions may share it */
export function createChannel(name: string) {
  const local = createLocalChannel<string>()
  return {
    /**
     * In the caller's transaction, so that no process can die between the change and the word of it.
     * This process hears of it before whoever wrote has the answer, and like all others a little later.
     */
    async publish(db: Database, payloads: string[]) {
      if (payloads.length === 0) return
      for (const payload of payloads) local.publishAfterCommit(db, payload)
      await db.query(sql`
        select pg_notify(${name}, payload) from unnest(${payloads}::text[]) as published (payload)`)
    },
    async subscribe(db: OpenDatabase, listener: (payload: string) => void) {
      local.subscribe(db, listener)
      await db.listen(name, (payload) => {
        if (payload) listener(payload)
      })
    },
  }
}

/**
 * Events within this process, at once: before whoever wrote has the answer. Those of others come over the
 * database, and so do these, a little later: whoever subscribes to both gets them twice.
 */
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
