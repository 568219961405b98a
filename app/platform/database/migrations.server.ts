/** The files of db/migrations (name, header, checksum), and which of them a database has. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { projectFolder } from '../folders.server.ts'
import type { Database } from './database.server.ts'

export interface Migration {
  /** Such as 0001_companies.sql. Names give the order. */
  name: string
  text: string
  /** Ignores line endings and spacing. */
  checksum: string
  /** Programs that don't know this migration may start and continue. */
  isCompatible: boolean
  /** Applied statement by statement, without a transaction, so it must be harmless to repeat. */
  isOutside: boolean
  /** The last migration that a baseline replaces. */
  replaces: string | undefined
}

/** Lines above the first statement. CONTRIBUTING.md says when to write them. */
const COMPATIBLE = '-- compatible: older programs may go on'
const OUTSIDE = '-- outside a transaction'
const REPLACES = '-- replaces the migrations up to '

const sqlFile = /^\d{4}_.+\.sql$/

let ours: Promise<Migration[]> | undefined

/** Read once per process, because a `git pull` may change the files for the next start. */
export function ourMigrations(): Promise<Migration[]> {
  ours ??= readMigrations(join(projectFolder, 'db/migrations'))
  return ours
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => sqlFile.test(name)).sort()
  return Promise.all(
    names.map(async (name) => migrationOf(name, await readFile(join(folder, name), 'utf8'))),
  )
}

/** @throws an Error with a sentence if the file isn't safe to repeat */
export function migrationOf(name: string, text: string): Migration {
  const firstLines = text.split(/\r?\n/).map((line) => line.trimEnd())
  firstLines.splice(firstLines.findIndex((line) => !line.startsWith('--')))
  const migration = {
    name,
    text,
    checksum: checksumOf(text),
    isCompatible: firstLines.includes(COMPATIBLE),
    isOutside: firstLines.includes(OUTSIDE),
    replaces: firstLines.find((line) => line.startsWith(REPLACES))?.slice(REPLACES.length),
  }
  if (migration.isOutside)
    for (const statement of statementsOf(text))
      if (/^create\s+(unique\s+)?index\b/i.test(statement) && !indexOf(statement))
        throw new Error(
          `The migration ${name} may run more than once, so write "create index concurrently if not exists name".`,
        )
  return migration
}

function checksumOf(text: string) {
  const lines = text.split(/\r?\n/).map((line) => line.trim().replace(/\s+/g, ' '))
  return createHash('sha256').update(lines.filter(Boolean).join('\n')).digest('hex')
}

/**
 * The statements of a file that runs outside a transaction. Each ends with a semicolon at the end of a
 * line, unless that's between two `$$`.
 */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const line of text.split(/\r?\n/)) {
    if (statement === '' && /^\s*(--.*)?$/.test(line)) continue
    statement += `${line}\n`
    if (!/;\s*$/.test(line) || statement.split('$$').length % 2 === 0) continue
    statements.push(statement.trim())
    statement = ''
  }
  if (statement.trim() !== '') statements.push(statement.trim())
  return statements
}

/** The index that a statement builds concurrently. */
export const indexOf = (statement: string) =>
  /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i.exec(statement)?.[1]

/** How a database's schema compares to this program's migrations. */
export interface SchemaLevel {
  /** Migrations that the program has, but the database doesn't. */
  missing: Migration[]
  /** Migrations that the database has, but the program doesn't know, in order. */
  newer: { name: string; isCompatible: boolean }[]
  /** Migrations applied with a different text than the program's. */
  changed: string[]
  /** Applied migrations that the baseline replaces. */
  replaced: string[]
  /** Whether some migrations that the baseline replaces were never applied. */
  isTooOld: boolean
}

/** Older databases must first be updated with the last version before the baseline. */
export const TOO_OLD =
  'is from before Kettle 0.1. Update it with that version first, then with this one'

interface Applied {
  name: string
  checksum: string
  isCompatible: boolean
}

/** Takes no locks and waits for no one. */
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

/** Which of these names the baseline replaces. */
export function replacedIn(known: Migration[], names: string[]): string[] {
  const last = baselineOf(known)?.replaces ?? ''
  return names.filter((name) => name <= last)
}

/** Whether some migrations that the baseline replaces are missing. */
export const isTooOld = (known: Migration[], replaced: string[]) =>
  replaced.length > 0 && replaced.at(-1) !== baselineOf(known)?.replaces

export const baselineOf = (known: Migration[]) => known.find(({ replaces }) => replaces)

/** Applied migrations in order. Empty for a new database. */
async function appliedIn(db: Database): Promise<Applied[]> {
  const [table] = await db.query(sql`select from pg_class where oid = to_regclass('migrations')`)
  if (!table) return []
  return db.query<Applied>(sql`
    select name, checksum, is_compatible as "isCompatible" from migrations order by name collate "C"`)
}
