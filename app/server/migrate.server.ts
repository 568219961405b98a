/** Brings the database's schema up to date, forward only, from the files in db/migrations. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Database } from './database.server.ts'
import { projectFolder } from './project-folder.server.ts'

/** Any number that nobody else uses: two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 4_815_162_342

/**
 * Applies the migrations that are missing, each in a transaction of its own: one that fails
 * leaves everything as the previous version had it.
 * @returns the names of those that were applied now.
 */
export async function migrate(database: Database, folder = join(projectFolder, 'db/migrations')) {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  const applied: string[] = []
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    if (await applyOnce(database, name, text)) applied.push(name)
  }
  return applied
}

const applyOnce = (database: Database, name: string, text: string) =>
  database.transaction(async (database) => {
    await database.query(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`)
    await database.script(
      'create table if not exists migrations (name text primary key, applied_on date not null default current_date)',
    )
    const done = await database.query(sql`select from migrations where name = ${name}`)
    if (done.length > 0) return false
    try {
      await database.script(text)
    } catch (cause) {
      throw new Error(`The migration ${name} failed: ${(cause as Error).message}`, { cause })
    }
    await database.query(sql`insert into migrations (name) values (${name})`)
    return true
  })
