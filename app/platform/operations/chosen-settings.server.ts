/** What administrators set in the panel: texts by their settings' names, in each process's memory. */
import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import { createLiveRows } from '../database/live-rows.server.ts'

export interface ChosenSetting {
  value: string
  /** The day of the last change. */
  day: string
}

/** By the settings' names. */
export async function storedSettings(
  db: Pick<Database, 'query'>,
): Promise<ReadonlyMap<string, ChosenSetting>> {
  const rows = await db.query<ChosenSetting & { name: string }>(sql`
    select name, value, to_char(changed_on, 'YYYY-MM-DD') as day from site_settings`)
  return new Map(rows.map(({ name, ...setting }) => [name, setting]))
}

export function createChosenSettings() {
  let chosen: ReadonlyMap<string, ChosenSetting> = new Map()
  const listeners: (() => void)[] = []
  const { changed, follow, settled } = createLiveRows('site_settings', read)

  async function read(db: Pick<Database, 'query'>) {
    chosen = await storedSettings(db)
    for (const listener of listeners) listener()
  }

  return {
    changed,
    follow,
    settled,
    read,
    /** Undefined if unchanged. */
    get: (name: string) => chosen.get(name),
    /** Called after each read, in the order of the calls. */
    whenRead(listener: () => void) {
      listeners.push(listener)
    },
  }
}

export type ChosenSettings = ReturnType<typeof createChosenSettings>
