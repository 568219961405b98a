import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isUniqueViolation, type OpenDatabase } from './database.server.ts'
import { borrowDatabase, lendDatabase } from './lent-database.server.ts'
import { openPglite } from './pglite.server.ts'

let dataDir: string
/** What the site has open. */
let db: OpenDatabase
let lent: Awaited<ReturnType<typeof lendDatabase>>
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kettle-lent-'))
  db = await openPglite({ dataDir: 'memory://' })
  await db.script('create table notes (id int primary key, body bytea, day date)')
  lent = await lendDatabase(db, { dataDir })
})
afterAll(async () => {
  await lent?.close()
  await db?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const borrow = async () => (await borrowDatabase(dataDir)) as OpenDatabase
const idsIn = async (db: OpenDatabase) =>
  (await db.query<{ id: number }>(sql`select id from notes order by id`)).map(({ id }) => id)

test('a command reads and writes what the site does, bytes and days alike', async () => {
  const ada = await borrow()
  await ada.query(sql`insert into notes values (1, ${Buffer.from([0, 255])}, '2026-11-24')`)
  const [row] = await ada.query<{ body: Uint8Array; day: string }>(sql`select body, day from notes`)
  expect([...(row?.body ?? [])]).toEqual([0, 255])
  expect(row?.day).toBe('2026-11-24')
  expect(await idsIn(db)).toEqual([1])
  await ada.close()
})

test('what the database refuses arrives with its code', async () => {
  const ada = await borrow()
  const twice = ada.query(sql`insert into notes (id) values (1)`)
  await expect(twice).rejects.toSatisfy(isUniqueViolation)
  // And the next one is heard.
  expect(await idsIn(ada)).toEqual([1])
  await ada.close()
})

test('a transaction of hers is whole: the site waits for its end, and savepoints nest', async () => {
  const ada = await borrow()
  const transaction = ada.transaction(async (inner) => {
    await inner.query(sql`insert into notes (id) values (2)`)
    await expect(
      inner.transaction(async (innermost) => {
        await innermost.query(sql`insert into notes (id) values (3)`)
        throw new Error('Never mind')
      }),
    ).rejects.toThrow('Never mind')
    const seen = idsIn(db)
    await inner.query(sql`insert into notes (id) values (4)`)
    return { seen }
  })
  expect(await (await transaction).seen).toEqual([1, 2, 4])
  await ada.close()
})

test('who goes away in the middle, or says nothing for long, leaves nothing and keeps nobody waiting', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'kettle-silent-'))
  const impatient = await lendDatabase(db, { dataDir: elsewhere, silentMs: 100 })
  const goes = await borrow()
  const isSilent = (await borrowDatabase(elsewhere)) as OpenDatabase
  const silence = () => new Promise((resolve) => setTimeout(resolve, 500))
  for (const [ada, leave] of [[goes, goes.close] as const, [isSilent, silence] as const]) {
    const left = ada.transaction(async (inner) => {
      await inner.query(sql`insert into notes (id) values (9)`)
      await leave()
      await inner.query(sql`insert into notes (id) values (10)`)
    })
    await expect(left).rejects.toMatchObject({ name: 'Unavailable' })
    expect(await idsIn(db)).toEqual([1, 2, 4])
  }
  await impatient.close()
  await rm(elsewhere, { recursive: true, force: true })
})

test('where no site runs, also where one was killed, the database is hers', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'kettle-nobody-'))
  expect(await borrowDatabase(elsewhere)).toBeUndefined()
  const other = await lendDatabase(db, { dataDir: elsewhere })
  await other.close()
  expect(await borrowDatabase(elsewhere)).toBeUndefined()
  await rm(elsewhere, { recursive: true, force: true })
})

test('a site that stops tells who is at work, and keeps nothing half', async () => {
  const ada = await borrow()
  const left = ada.transaction(async (inner) => {
    await inner.query(sql`insert into notes (id) values (11)`)
    await lent.close()
    await inner.query(sql`insert into notes (id) values (12)`)
  })
  await expect(left).rejects.toMatchObject({ name: 'Unavailable' })
  expect(await idsIn(db)).toEqual([1, 2, 4])
  lent = await lendDatabase(db, { dataDir })
})
