/** The files of db/migrations: their names, what their first lines say, their checksums, and which of them a database has. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { projectFolder } from '../folders.server.ts'
import type { Database } from './database.server.ts'

export interface Migration {
  /** Such as 0001_companies.sql: the order in which they are applied. */
  name: string
  text: string
  /** Of the text, however its lines end and its spaces stand. */
  checksum: string
  /** A program that does not know it may go on, and may start. */
  isCompatible: boolean
  /** Applied statement by statement, each a transaction of its own: begun again it must do no harm. */
  isOutside: boolean
  /** The name of the last of the migrations that this one, a baseline, stands for. */
  replaces: string | undefined
}

/** Lines above the first statement. CONTRIBUTING.md says when to write them. */
const COMPATIBLE = '-- compatible: older programs may go on'
const OUTSIDE = '-- outside a transaction'
const REPLACES = '-- replaces the migrations up to '

const sqlFile = /^\d{4}_.+\.sql$/

let ours: Promise<Migration[]> | undefined

/** This program's own, as they were when it was first asked: a `git pull` meanwhile is the next one's. */
export function ourMigrations(): Promise<Migration[]> {
  ours ??= readMigrations(join(projectFolder, 'db/migrations'))
  return ours
}

/** All of a folder, in their order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => sqlFile.test(name)).sort()
  return Promise.all(
    names.map(async (name) => migrationOf(name, await readFile(join(folder, name), 'utf8'))),
  )
}

/** @throws an Error with a sentence for a file that could not be begun again */
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
          `The migration ${name} may be begun again: write "create index concurrently if not exists name".`,
        )
  return migration
}

function checksumOf(text: string) {
  const lines = text.split(/\r?\n/).map((line) => line.trim().replace(/\s+/g, ' '))
  return createHash('sha256').update(lines.filter(Boolean).join('\n')).digest('hex')
}

/**
 * The statements of a file that is not applied as one. Each ends with a semicolon at the end of a line;
 * one between two `$$` ends nothing.
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

/** The name of the index that a statement makes beside the running site. */
export const indexOf = (statement: string) =>
  /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i.exec(statement)?.[1]

/** What a database's schema and this program know of each other. */
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
  'is from before Kettle 0.1. Update it with that version first, then with this one'

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
