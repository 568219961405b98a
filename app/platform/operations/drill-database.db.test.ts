import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import type { Database } from '../database/database.server.ts'
import { postgresPrograms } from '../database/embedded-programs.server.ts'
import { ConfigError, readConfig } from './config.server.ts'
import { withDrillDatabase, withScratchDatabase } from './drill-database.server.ts'

// As on a system that npm has no PostgreSQL for.
vi.mock('../database/embedded-programs.server.ts', { spy: true })

let dataDir: string
let site: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kettle-drill-'))
  site = await openTestDatabase()
})
afterAll(async () => {
  await site.close()
  await rm(dataDir, { recursive: true })
})

const configOf = (url = site.url) => readConfig({ DATA_DIR: dataDir, DATABASE_URL: url })
const nameOf = async (db: Pick<Database, 'query'>) =>
  (await db.query<{ name: string }>(sql`select current_database() as name`))[0]?.name ?? ''
const tables = (db: Pick<Database, 'query'>) =>
  db.query(sql`select from information_schema.tables where table_schema = 'public'`)
const scratchNames = () =>
  site.query(sql`
    select datname from pg_database
     where datname = (select 'kettle_drill_' || oid from pg_database where datname = current_database())`)

test('without an embedded PostgreSQL, the drill gets an empty database beside the site’s, and nothing of it stays', async () => {
  vi.mocked(postgresPrograms).mockRejectedValueOnce(new ConfigError('Not here'))
  const drilled = await withDrillDatabase(configOf(), async (db) => {
    await db.query(sql`create table notes (text text)`)
    expect(await tables(db)).toHaveLength(1)
    expect(await scratchNames()).toHaveLength(1)
    return nameOf(db)
  })
  expect(drilled).toMatch(/^kettle_drill_\d+$/)
  expect(await scratchNames()).toEqual([])
  expect((await tables(site)).length).toBeGreaterThan(50)
  expect(await readdir(dataDir)).toEqual([])
})

test('a drill that fails leaves nothing, and the next one removes what a killed one left', async () => {
  const failed = withScratchDatabase(configOf(), async (db) => {
    await db.query(sql`create table notes (text text)`)
    throw new Error('Not this backup')
  })
  await expect(failed).rejects.toThrow('Not this backup')
  expect(await scratchNames()).toEqual([])
  const [own] = await site.query<{ oid: number }>(
    sql`select oid::integer from pg_database where datname = current_database()`,
  )
  await site.query(raw(`create database kettle_drill_${own?.oid}`))
  expect(await withScratchDatabase(configOf(), tables)).toEqual([])
})

test('of two drills at once, one says so and spares the other', async () => {
  await withScratchDatabase(configOf(), async (db) => {
    await expect(withScratchDatabase(configOf(), nameOf)).rejects.toThrow(
      'Another drill is running.',
    )
    expect(await nameOf(db)).toMatch(/^kettle_drill_/)
  })
})

test('a role that may not create databases is told what to do', async () => {
  const role = `drill_${process.pid}`
  await site.query(raw(`create role ${role} login password 'hush'`))
  try {
    const url = Object.assign(new URL(site.url), { username: role, password: 'hush' }).href
    await expect(withScratchDatabase(configOf(url), nameOf)).rejects.toThrow(
      /^The embedded PostgreSQL doesn’t run here, .* Run alter role … createdb, then try again\.$/,
    )
    expect(await scratchNames()).toEqual([])
    await site.query(raw(`alter role ${role} createdb`))
    expect(await withScratchDatabase(configOf(url), nameOf)).toMatch(/^kettle_drill_/)
  } finally {
    await site.query(raw(`drop role ${role}`))
  }
})
