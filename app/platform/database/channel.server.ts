/** Events that every process must get: sent in the transaction that causes them, or after its commit. */

import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database, OpenDatabase } from './database.server.ts'

/** @param name of the database's channel. Processes of two versions may share it */
export function createChannel(name: string) {
  const local = createLocalChannel<string>()
  return {
    /**
     * Sent in the caller's transaction, so a crash can't come between the change and the event. This
     * process gets the event before the writer has an answer, others a little later.
     */
    async broadcast(db: Database, payloads: string[]) {
      if (payloads.length === 0) return
      for (const payload of payloads) local.broadcastAfterCommit(db, payload)
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
 * Events within this process, delivered before the writer has an answer. Other processes' events come
 * through the database. This process's own events also arrive that way a little later, so code that
 * subscribes to both gets them twice.
 */
function createLocalChannel<Message>() {
  const listeners = new WeakMap<Database, ((message: Message) => void)[]>()
  return {
    subscribe(db: Database, listener: (message: Message) => void) {
      listeners.set(db, [...(listeners.get(db) ?? []), listener])
    },
    /** Broadcasts after the commit of the caller's transaction. */
    broadcastAfterCommit(db: Database, message: Message) {
      db.afterCommit((outside) => {
        for (const listener of listeners.get(outside) ?? []) listener(message)
      })
    },
  }
}

const BROADCAST_EVERY_MS = 20
/** How often we retry while the database is away. Others get the event as soon as it's back. */
const AGAIN_AFTER_MS = 250

/**
 * Makes a function that broadcasts an id after the commit of the caller's transaction. The first goes out
 * immediately. Those that follow meanwhile go out together, because each `notify` is a commit.
 * Subscribers in this process get it before the writer has an answer. If the process dies in between,
 * others never get it.
 */
export function createBroadcaster(notify: (db: Database, ids: string[]) => Promise<unknown>) {
  /** Ids to broadcast next. */
  const changed = new WeakMap<Database, Set<string>>()
  const local = createLocalChannel<string>()

  async function broadcastUntilQuiet(db: Database, waiting: Set<string>) {
    changed.set(db, waiting)
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting.clear()
      const isBroadcast = await notify(db, ids).then(
        () => true,
        () => false,
      )
      // We must broadcast committed changes, no matter how long it takes, because others may be listening
      // all the time.
      if (!isBroadcast) for (const id of ids) waiting.add(id)
      await setTimeout(isBroadcast ? BROADCAST_EVERY_MS : AGAIN_AFTER_MS, undefined, {
        ref: isBroadcast,
      })
    }
    changed.delete(db)
  }

  function broadcastAfterCommit(db: Database, id: string) {
    local.broadcastAfterCommit(db, id)
    db.afterCommit((db) => {
      const waiting = changed.get(db)
      if (waiting) waiting.add(id)
      else broadcastUntilQuiet(db, new Set([id]))
    })
  }
  return Object.assign(broadcastAfterCommit, { subscribe: local.subscribe })
}
