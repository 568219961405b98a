/**
 * Limits that the operator changed. Each process keeps them in memory, so requests read no table.
 * Changes are broadcast to all processes.
 */
import sql from 'sql-template-tag'
import { createChannel } from '../database/channel.server.ts'
import type { Database, OpenDatabase } from '../database/database.server.ts'

let chosen: ReadonlyMap<string, number> = new Map()

/** Undefined if unchanged. */
export const chosenUses = (name: string): number | undefined => chosen.get(name)

const changes = createChannel('chosen_limits')
const AGAIN_AFTER_MS = 10_000
/** The event has no content, because there's only one list. */
const LIST = 'chosen-limits'

/** Call it in the transaction that changes limits. */
export const limitsChanged = (db: Database) => changes.broadcast(db, [LIST])

export async function readChosenLimits(db: Database) {
  const rows = await db.query<{ name: string; uses: number }>(
    sql`select name, uses from chosen_limits`,
  )
  chosen = new Map(rows.map(({ name, uses }) => [name, uses]))
}

/** Retries until it has read them. */
export async function followChosenLimits(db: OpenDatabase, onFailure: (error: unknown) => void) {
  let again: NodeJS.Timeout | undefined
  const read = () =>
    void readChosenLimits(db).catch((error) => {
      onFailure(error)
      clearTimeout(again)
      again = setTimeout(read, AGAIN_AFTER_MS).unref()
    })
  // We may have missed changes while disconnected.
  db.eventChannel.onChange((state) => state === 'ok' && read())
  await changes.subscribe(db, read)
}
