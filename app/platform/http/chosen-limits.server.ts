/** Limits that the operator changed. */
import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import { createLiveRows } from '../database/live-rows.server.ts'

let chosen: ReadonlyMap<string, number> = new Map()

/** Undefined if unchanged. */
export const chosenUses = (name: string): number | undefined => chosen.get(name)

export async function readChosenLimits(db: Database) {
  const rows = await db.query<{ name: string; uses: number }>(
    sql`select name, uses from chosen_limits`,
  )
  chosen = new Map(rows.map(({ name, uses }) => [name, uses]))
}

export const { changed: limitsChanged, follow: followChosenLimits } = createLiveRows(
  'chosen_limits',
  readChosenLimits,
)
