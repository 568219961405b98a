/** Rows that each process keeps in memory, so requests read no table. Changes are broadcast to all processes. */
import { createChannel } from './channel.server.ts'
import type { Database, OpenDatabase } from './database.server.ts'

const AGAIN_AFTER_MS = 10_000

/** @param name of the database's channel. Events have no content, because `read` reads all rows */
export function createLiveRows(name: string, read: (db: Database) => Promise<void>) {
  const changes = createChannel(name)
  let last = Promise.resolve()
  return {
    /** Call it in the transaction that changes rows. */
    changed: (db: Database) => changes.broadcast(db, [name]),
    /** Resolves once this process has read what it has heard of. */
    settled: () => last,
    /** Retries until it has read them. */
    async follow(db: OpenDatabase, onFailure: (error: unknown) => void) {
      let again: NodeJS.Timeout | undefined
      // One after the other, so an older answer can't replace a newer one.
      const reread = () => {
        last = last
          .then(() => read(db))
          .catch((error) => {
            onFailure(error)
            clearTimeout(again)
            again = setTimeout(reread, AGAIN_AFTER_MS).unref()
          })
      }
      // We may have missed changes while disconnected.
      db.eventChannel.onChange((state) => state === 'ok' && reread())
      await changes.subscribe(db, reread)
    },
  }
}
