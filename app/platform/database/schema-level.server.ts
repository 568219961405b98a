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
  /** Applied by a program that kept no checksums. */
  unsigned: Migration[]
}

interface Applied {
  name: string
  checksum: string | null
  isCompatible: boolean
}

/** Locks nothing and waits for nobody. */
export async function levelOf(db: Database, known: Migration[]): Promise<SchemaLevel> {
  const applied = new Map((await appliedIn(db)).map((row) => [row.name, row]))
  const ours = new Set(known.map(({ name }) => name))
  const checksumIn = (name: string) => applied.get(name)?.checksum
  return {
    missing: known.filter(({ name }) => !applied.has(name)),
    newer: [...applied.values()].filter(({ name }) => !ours.has(name)),
    changed: known
      .filter(({ name, checksum }) => (checksumIn(name) ?? checksum) !== checksum)
      .map(({ name }) => name),
    unsigned: known.filter(({ name }) => checksumIn(name) === null),
  }
}

/** In their order; none in a database that nobody has migrated. */
async function appliedIn(db: Database): Promise<Applied[]> {
  const columns = await columnsOfMigrations(db)
  if (columns.length === 0) return []
  return db.query<Applied>(
    columns.includes('checksum')
      ? sql`select name, checksum, is_compatible as "isCompatible"
              from migrations order by name collate "C"`
      : sql`select name, null as checksum, false as "isCompatible"
              from migrations order by name collate "C"`,
  )
}

/** Of the table that keeps what was applied: none where it is not there yet. */
export async function columnsOfMigrations(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select attname::text as name from pg_attribute
     where attrelid = to_regclass('migrations') and attnum > 0 and not attisdropped`)
  return rows.map(({ name }) => name)
}
