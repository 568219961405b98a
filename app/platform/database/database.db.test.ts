import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import { isDatabaseError, type OpenDatabase } from './database.server.ts'
import { migrate } from './migrate.server.ts'

let database: OpenDatabase
let folder: string
beforeAll(async () => {
  database = await openTestDatabase({ isEmpty: true })
  folder = await mkdtemp(join(tmpdir(), 'kettle-migrations-'))
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const count = async (db: Pick<OpenDatabase, 'query'>) =>
  (await db.query<{ n: number }>(sql`select count(*) as n from notes`))[0]?.n

test('a failed transaction leaves nothing behind, and a successful one everything', async () => {
  await database.script('create table notes (text text unique)')
  await expect(
    database.transaction(async (db) => {
      await db.query(sql`insert into notes values ('lost')`)
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  expect(await count(database)).toBe(0)
  await database.transaction((db) => db.query(sql`insert into notes values ('kept')`))
  expect(await count(database)).toBe(1)
})

test('a failed nested transaction undoes only its own part', async () => {
  await database.transaction(async (db) => {
    await db.query(sql`insert into notes values ('outer')`)
    await db
      .transaction(async (db) => {
        await db.query(sql`insert into notes values ('inner')`)
        throw new Error('inner fails')
      })
      .catch(() => {})
    expect(await count(db)).toBe(2)
  })
  expect(await count(database)).toBe(2)
})

test('statements from elsewhere never run inside someone’s transaction', async () => {
  let during: unknown
  const failing = database
    .transaction(async (db) => {
      await db.query(sql`insert into notes values ('taken back')`)
      during = database.query(sql`insert into notes values ('from outside')`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new Error('back')
    })
    .catch(() => {})
  await failing
  await during
  const rows = await database.query<{ text: string }>(sql`select text from notes`)
  expect(rows.map((row) => row.text)).toContain('from outside')
  expect(rows.map((row) => row.text)).not.toContain('taken back')
})

test('after-commit work runs after the commit, and not after a rollback', async () => {
  const heard: string[] = []
  await database.transaction(async (db) => {
    db.afterCommit((outside) => {
      heard.push('outer')
      // Everyone sees the commit, and the transaction's handle is no longer needed.
      outside
        .query<{ n: number }>(sql`select count(*) as n from notes where text = 'followed'`)
        .then(([row]) => heard.push(`${row?.n} row`))
    })
    await db.query(sql`insert into notes values ('followed')`)
    await db.transaction(async (db) => db.afterCommit(() => heard.push('nested')))
    await db
      .transaction(async (db) => {
        await db.transaction(async (db) => db.afterCommit(() => heard.push('never')))
        throw new Error('the savepoint fails')
      })
      .catch(() => {})
    expect(heard).toEqual([])
  })
  expect(heard.slice(0, 2)).toEqual(['outer', 'nested'])
  await expect.poll(() => heard).toEqual(['outer', 'nested', '1 row'])
  await database
    .transaction(async (db) => {
      db.afterCommit(() => heard.push('never'))
      throw new Error('all of it fails')
    })
    .catch(() => {})
  database.afterCommit(() => heard.push('at once'))
  expect(heard.slice(3)).toEqual(['at once'])
})

test('numbers come as numbers and times as text with microseconds', async () => {
  const [row] = await database.query(sql`
    select 5000000000::bigint as big, count(*) as n, '2026-01-02 03:04:05.123456+00'::timestamptz as at,
      null::timestamptz as never from (select 1) one`)
  expect(row).toEqual({ big: 5_000_000_000, n: 1, at: '2026-01-02T03:04:05.123456Z', never: null })
})

test('a refused row names the constraint that refused it', async () => {
  const error = await database.query(sql`insert into notes values ('kept')`).catch((it) => it)
  expect(isDatabaseError(error, '23505')).toBe(true)
  expect(error.constraint).toBe('notes_text_key')
})

test('migrations run once, in order, even if two processes start together', async () => {
  await writeFile(
    join(folder, '0001_first.sql'),
    'create table first (id int); insert into first values (1)',
  )
  await writeFile(join(folder, '0002_second.sql'), 'alter table first add column more int')
  const runs = await Promise.all([migrate(database, { folder }), migrate(database, { folder })])
  expect(runs.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await migrate(database, { folder })).toEqual([])
})

test('a migration that fails midway leaves the version before it working', async () => {
  await writeFile(
    join(folder, '0003_broken.sql'),
    'insert into first values (2); alter table first drop column more; select no_such_function();',
  )
  await expect(migrate(database, { folder })).rejects.toThrow('0003_broken.sql failed')
  expect(await database.query(sql`select id, more from first`)).toEqual([{ id: 1, more: null }])
})
