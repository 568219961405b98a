/** What a database's schema and this program know of each other. */
import sql from 'sql-template-tag'
import type { Database } from './database.server.ts'
import type { Migration } from './migrations.server.ts'

export interface SchemaLevel {
  /** What the program has and the database lacks. */
  missing: Migration[]
  /** What the database has and the program does not know, in their order. */
  newer: { name: string; isCompatible: boolean }[]
  /** Applied as another text than the program's. */
  changed: string[]
  /** Applied before there was a baseline, which stands for them. */
  replaced: string[]
  /** What was applied before isn't all that the baseline stands for. */
  isTooOld: boolean
}

/** With what a baseline replaces no later version can begin: one that goes up to it must come first. */
export const TOO_OLD =
  'is from before Kettle 0.1. Bring it up with that version first, then with this one'

interface Applied {
  name: string
  checksum: string
  isCompatible: boolean
}

/** Locks nothing and waits for nobody. */
export async function levelOf(db: Database, known: Migration[]): Promise<SchemaLevel> {
  const applied = new Map((await appliedIn(db)).map((row) => [row.name, row]))
  const ours = new Set(known.map(({ name }) => name))
  const replaced = replacedIn(known, [...applied.keys()])
  return {
    missing: known.filter(({ name }) => !applied.has(name)),
    newer: [...applied.values()].filter(({ name }) => !ours.has(name) && !replaced.includes(name)),
    changed: known
      .filter(({ name, checksum }) => (applied.get(name)?.checksum ?? checksum) !== checksum)
      .map(({ name }) => name),
    replaced,
    isTooOld: isTooOld(known, replaced),
  }
}

/** Which of these names a baseline stands for. */
export function replacedIn(known: Migration[], names: string[]): string[] {
  const last = baselineOf(known)?.replaces ?? ''
  return names.filter((name) => name <= last)
}

/** Whether these aren't all that the baseline stands for. */
export const isTooOld = (known: Migration[], replaced: string[]) =>
  replaced.length > 0 && replaced.at(-1) !== baselineOf(known)?.replaces

export const baselineOf = (known: Migration[]) => known.find(({ replaces }) => replaces)

/** In their order; none in a database that nobody has migrated. */
async function appliedIn(db: Database): Promise<Applied[]> {
  const [table] = await db.query(sql`select from pg_class where oid = to_regclass('migrations')`)
  if (!table) return []
  return db.query<Applied>(sql`
    select name, checksum, is_compatible as "isCompatible" from migrations order by name collate "C"`)
}
