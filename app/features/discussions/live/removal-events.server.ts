/** Tells every process that words are gone, so that no page which it kept shows them any more. */
import sql from 'sql-template-tag'
import type { Database, OpenDatabase } from '../../../server/database.server.ts'
import { createLocalChannel } from '../../../server/local-channel.server.ts'

const CHANNEL = 'removed_posts'
const local = createLocalChannel<string>()

/**
 * Of posts in these threads. In the transaction that takes them away, so that no process can die
 * between the two, and heard in this one before anybody has the answer.
 */
export async function publishRemoval(db: Database, threadIds: string[]) {
  if (threadIds.length === 0) return
  await db.query(
    sql`select pg_notify(${CHANNEL}, id) from unnest(${threadIds}::text[]) as gone (id)`,
  )
  for (const id of threadIds) local.publishAfterCommit(db, id)
}

/** @param listener gets the thread, which may be gone itself */
export async function onPostRemoval(db: OpenDatabase, listener: (threadId: string) => void) {
  local.subscribe(db, listener)
  await db.listen(CHANNEL, (threadId) => {
    if (threadId) listener(threadId)
  })
}
