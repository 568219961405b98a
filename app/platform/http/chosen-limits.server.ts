/**
 * How often something may be done, where whoever runs the site chose another number than ours. Each process
 * holds all in memory, so that a request asks no table; a change is told to all of them.
 */
import sql from 'sql-template-tag'
import { createChannel } from '../database/channel.server.ts'
import type { Database, OpenDatabase } from '../database/database.server.ts'

let chosen: ReadonlyMap<string, number> = new Map()

/** Undefined where nobody chose. */
export const chosenUses = (name: string): number | undefined => chosen.get(name)

const changes = createChannel('chosen_limits')
/** What is told says nothing: there is one list. */
const LIST = 'chosen-limits'

/** Call it in the transaction that changes limits. */
export const limitsChanged = (db: Database) => changes.publish(db, [LIST])

export async function readChosenLimits(db: Database) {
  const rows = await db.query<{ name: string; uses: number }>(
    sql`select name, uses from chosen_limits`,
  )
  chosen = new Map(rows.map(({ name, uses }) => [name, uses]))
}

export async function followChosenLimits(db: OpenDatabase) {
  const read = () => void readChosenLimits(db).catch(() => {})
  // While this process heard nothing it may have missed a change.
  db.news.onChange((state) => state === 'ok' && read())
  await changes.subscribe(db, read)
}
