/**
 * News within this process, at once: before whoever wrote has the answer. What others write comes over
 * the database, and so does this, a little later: whoever hears it hears it twice.
 */
import type { Database } from './database.server.ts'

export function createHere<News>() {
  /** Per database. */
  const listeners = new WeakMap<Database, ((news: News) => void)[]>()
  return {
    hear(db: Database, hear: (news: News) => void) {
      listeners.set(db, [...(listeners.get(db) ?? []), hear])
    },
    /** After the commit of the caller's transaction. */
    tellAfterCommit(db: Database, news: News) {
      db.afterCommit((outside) => {
        for (const hear of listeners.get(outside) ?? []) hear(news)
      })
    },
  }
}
