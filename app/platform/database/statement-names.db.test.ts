import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCopy } from '#tests/support/database.ts'
import { type OpenDatabase, PREPARED } from './database.server.ts'
import { createStatementNames, NAMED_MAX, openPostgres } from './postgres.server.ts'

describe('a statement that is prepared', () => {
  let outside: OpenDatabase & { url: string }
  let db: OpenDatabase
  beforeAll(async () => {
    outside = await openCopy('template0')
    await outside.script('create table notes (id integer, text text); insert into notes values (1)')
    db = await openPostgres({ url: outside.url, connections: 1 })
  })
  afterAll(async () => {
    await db?.close()
    await outside?.close()
  })

  const prepared = async () =>
    (
      await db.query<{ text: string }>(sql`select statement as text from pg_prepared_statements`)
    ).map(({ text }) => text)

  test('a prepared statement is kept once, whatever its values are, even within a transaction', async () => {
    const note = (id: number) => sql`select text from notes where id = ${id}`
    await db.query(sql`select 'planned anew'`)
    await db.query(note(1), PREPARED)
    await db.query(note(2), PREPARED)
    await db.transaction((db) => db.transaction((db) => db.query(note(3), PREPARED)))
    expect(await prepared()).toEqual(['select text from notes where id = $1'])
  })

  test('a prepared statement works after a migration changes its column’s type, even in a transaction', async () => {
    const read = sql`select id from notes`
    const add = sql`update notes set id = id + 1 returning id`
    expect(await db.query(read, PREPARED)).toEqual([{ id: 1 }])
    await db.transaction((db) => db.query(add, PREPARED))
    await outside.script('alter table notes alter id type text using id::text')
    expect(await db.query(read, PREPARED)).toEqual([{ id: '2' }])
    await outside.script('alter table notes alter id type integer using id::integer')
    await db.transaction((db) => db.query(add, PREPARED))
    await outside.script('alter table notes alter id type bigint')
    let runs = 0
    const added = await db.transaction(async (db) => {
      runs++
      await db.query(sql`insert into notes (text) values ('whole')`)
      return db.query(add, PREPARED)
    })
    expect(added).toContainEqual({ id: 4 })
    // What was begun was taken back before it was begun again.
    expect(await outside.query(sql`select from notes where text = 'whole'`)).toHaveLength(1)
    expect(runs).toBe(2)
  })
})

test('only as many statements get a name as connections can keep, each its own', () => {
  const { nameOf, renew } = createStatementNames()
  const names = Array.from({ length: NAMED_MAX }, (_, n) => nameOf(`select ${n}`))
  expect(new Set(names).size).toBe(NAMED_MAX)
  // PostgreSQL would cut a longer one.
  for (const name of names) expect(name?.length).toBeLessThan(64)
  expect(nameOf('select 1')).toBe(names[1])
  expect(nameOf('one more')).toBeUndefined()
  renew()
  expect(nameOf('select 1')).not.toBe(names[1])
  expect(nameOf('one more')).toBeDefined()
})
