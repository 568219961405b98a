/** What people keep, so many of each: under numbers that only the server can name. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Database } from '#app/platform/database/database.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { contextKey, numberKeys } from './context-keys.server.ts'
import { byNumber, insertOwn, isOwn, type OwnRows, removeOwn } from './own-rows.server.ts'

const { as } = withDatabase()

const CUPS: OwnRows = { table: 'cups', kind: 'cup', max: 40 }
const danas = Buffer.alloc(16, 1)
const veras = Buffer.alloc(16, 2)

const withCups = (work: (db: Database) => Promise<void>) =>
  as('dana', async ({ db }) => {
    await db.script('create table cups (key bytea unique, own_row_key bytea unique, name text)')
    await work(db)
  })
function keep(db: Database, root: Buffer, name: string) {
  const key = contextKey(root, CUPS.kind, name)
  return insertOwn<{ name: string }>(db, CUPS, {
    root,
    key,
    insert: (ownRowKey) => sql`
      insert into cups values (${key}, ${ownRowKey}, ${name}) on conflict do nothing returning name`,
  })
}
const kept = async (db: Database, root: Buffer) =>
  (
    await db.query<{ name: string }>(sql`
      select name from cups where ${isOwn(CUPS, root)} order by ${byNumber(CUPS, root)}`)
  ).map(({ name }) => name)

test('dana finds what she saved, in order, and nothing of vera’s', () =>
  withCups(async (db) => {
    for (const name of ['tea', 'mocha', 'water'])
      expect(await keep(db, danas, name)).toEqual({ name })
    await keep(db, veras, 'tea')
    expect(await keep(db, danas, 'mocha')).toBe('known')
    expect(await kept(db, danas)).toEqual(['tea', 'mocha', 'water'])
    expect(await kept(db, veras)).toEqual(['tea'])
    expect(await db.query(sql`select from cups where ${isOwn(CUPS, null)}`)).toEqual([])
    await removeOwn(db, CUPS, danas)
    expect([await kept(db, danas), await kept(db, veras)]).toEqual([[], ['tea']])
  }))

test('a freed number is the next one used', () =>
  withCups(async (db) => {
    for (const name of ['tea', 'mocha', 'water']) await keep(db, danas, name)
    await db.query(sql`delete from cups where name = 'mocha'`)
    await keep(db, danas, 'juice')
    expect(await kept(db, danas)).toEqual(['tea', 'juice', 'water'])
  }))

test('no one stores more rows than there are numbers, and storing a row twice uses one', () =>
  withCups(async (db) => {
    for (let n = 0; n < CUPS.max; n++) await keep(db, danas, `cup ${n}`)
    expect(await keep(db, danas, 'one more')).toBeUndefined()
    expect(await keep(db, danas, 'cup 39')).toBe('known')
    expect(await keep(db, veras, 'one more')).toEqual({ name: 'one more' })
    expect(await kept(db, danas)).toHaveLength(CUPS.max)
  }))

test('the slower of two requests takes the next number', () =>
  withCups(async (db) => {
    const [first] = numberKeys(danas, CUPS.kind, 0, 1)
    // Another request inserts between the select and the insert.
    const late: Database = {
      ...db,
      async query(statement, options) {
        const rows = await db.query<never>(statement, options)
        if (statement.text.trimStart().startsWith('select own_row_key'))
          await db.query(sql`insert into cups values ('quicker', ${first}, 'tea')`)
        return rows
      },
    }
    expect(await keep(late, danas, 'water')).toEqual({ name: 'water' })
    expect(await kept(db, danas)).toEqual(['tea', 'water'])
  }))
