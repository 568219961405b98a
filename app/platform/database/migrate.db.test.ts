/** The schema comes up to date beside a running site, whatever takes long, waits or breaks off. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import type { Database, OpenDatabase } from './database.server.ts'
import { migrate } from './migrate.server.ts'
import { levelOf, readMigrations } from './migrations.server.ts'

let database: OpenDatabase
let folder: string
let said: string[]
const underWay: (() => Promise<void>)[] = []
beforeAll(async () => {
  database = await openTestDatabase({ isEmpty: true })
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.script('drop schema public cascade; create schema public')
  folder = await mkdtemp(join(tmpdir(), 'kettle-migrations-'))
  said = []
})
afterEach(async () => {
  for (const end of underWay.splice(0)) await end()
  await rm(folder, { recursive: true })
})

const write = (name: string, text: string) => writeFile(join(folder, name), text)
const say = (line: string) => said.push(line)
const bringUp = () => migrate(database, { folder, say })

const one = async <Value>(statement: string, db: Database = database) =>
  Object.values((await db.query<Record<string, Value>>(raw(statement)))[0] ?? {})[0]

const NOTES = 'create table notes (id integer, text text);\n'
const notesOf = (n: number) =>
  `${NOTES}insert into notes select n, 'note' from generate_series(1, ${n}) n`

/** Something else that is under way meanwhile, until it is told to end. */
async function meanwhile(begin: (db: Database) => Promise<unknown>) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let done: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    done = database.dedicated((db) =>
      db.transaction(async (db) => {
        await begin(db)
        resolve()
        await ended
      }),
    )
    done.catch(reject)
  })
  const stop = async () => {
    end()
    await done
  }
  underWay.push(stop)
  return stop
}

test('a migration can take as long as it needs, but waits only briefly for locks', async () => {
  await write(
    '0001_long.sql',
    `create table limits as
       select current_setting('statement_timeout') as statement,
              current_setting('lock_timeout') as lock,
              current_setting('idle_in_transaction_session_timeout') as idle`,
  )
  await bringUp()
  expect(await database.query(sql`select * from limits`)).toEqual([
    { statement: '0', lock: '1s', idle: '0' },
  ])
})

test('readers continue while a migration waits, and it runs once the lock is free', async () => {
  await write('0001_notes.sql', NOTES)
  await bringUp()
  await write('0002_more.sql', 'alter table notes add column more text')
  const stopReading = await meanwhile((db) => db.query(sql`select from notes`))
  let isDone = false
  const done = bringUp().then(() => {
    isDone = true
  })
  await expect
    .poll(() => said)
    .toContainEqual(
      'The migration 0002_more.sql is waiting for other transactions. Trying again in 1 s.',
    )
  // Behind a waiting migration this would wait for as long as it does.
  await database.query(sql`select from notes`)
  expect(isDone).toBe(false)
  await stopReading()
  await done
  expect(await one('select count(more) from notes')).toBe(0)
})

test('a second process waits for the first, and says so once', async () => {
  await write('0001_notes.sql', NOTES)
  const MIGRATION_LOCK = sql`select pg_advisory_xact_lock(4815162342)`
  const end = await meanwhile((db) => db.query(MIGRATION_LOCK))
  const both = Promise.all([bringUp(), bringUp()])
  const waits = 'Waiting for another process to finish updating the database.'
  await expect.poll(() => said).toEqual([waits, waits])
  // Several looks later.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(said).toEqual([waits, waits])
  await end()
  expect((await both).flat()).toEqual(['0001_notes.sql'])
})

test('a file outside a transaction is applied statement by statement, and only once', async () => {
  await write('0001_notes.sql', notesOf(1_000))
  // A large table in portions, each committed before the next one.
  await write(
    '0002_portions.sql',
    `-- compatible: older programs may go on
-- outside a transaction
-- Ends where nothing is left to do; so it can be begun again.
do $$
begin
  loop
    update notes set text = 'changed'
     where id in (select id from notes where text = 'note' limit 300);
    exit when not found;
    commit;
  end loop;
end $$;

create index concurrently if not exists notes_by_id
  on notes (id);
alter table notes add column if not exists last text`,
  )
  expect(await Promise.all([bringUp(), bringUp()]).then((them) => them.flat())).toEqual([
    '0001_notes.sql',
    '0002_portions.sql',
  ])
  expect(await one(`select count(*) from notes where text = 'changed' and last is null`)).toBe(
    1_000,
  )
  expect(
    await one(`select indisvalid from pg_index where indexrelid = 'notes_by_id'::regclass`),
  ).toBe(true)
  expect(await bringUp()).toEqual([])
})

test('a file outside a transaction that broke off starts over', async () => {
  await write('0001_notes.sql', notesOf(10))
  await write(
    '0002_breaks_off.sql',
    `-- outside a transaction
create index concurrently if not exists notes_by_id on notes (id);
select 1 / (select count(*) - 10 from notes);`,
  )
  await expect(bringUp()).rejects.toThrow('The migration 0002_breaks_off.sql failed')
  // As it is left where a process died in the middle of making it.
  await database.query(
    sql`update pg_index set indisvalid = false where indexrelid = 'notes_by_id'::regclass`,
  )
  await database.query(sql`insert into notes values (11, 'one more')`)
  expect(await bringUp()).toEqual(['0002_breaks_off.sql'])
  expect(
    await one(`select indisvalid from pg_index where indexrelid = 'notes_by_id'::regclass`),
  ).toBe(true)
})

test('an index left invalid by a crash is rebuilt at the next start', async () => {
  await write('0001_notes.sql', notesOf(10))
  await bringUp()
  await write(
    '0002_index.sql',
    `-- outside a transaction
create index concurrently if not exists notes_by_id on notes (id);`,
  )
  // It waits until the writer is done.
  const endWriting = await meanwhile((db) => db.query(sql`insert into notes values (11, 'late')`))
  const killed = bringUp().catch((error: Error) => error)
  const making = sql`
    select pid from pg_stat_activity
     where datname = current_database() and query like 'create index concurrently%'
       and wait_event_type = 'Lock'`
  await expect.poll(() => database.query(making)).toHaveLength(1)
  // No one queues behind the waiting migration.
  await database.query(sql`insert into notes values (12, 'meanwhile')`)
  await database.query(sql`select pg_terminate_backend(pid) from (${making}) making`)
  expect(await killed).toMatchObject({ name: 'Unavailable' })
  await endWriting()
  const isValid = `select indisvalid from pg_index where indexrelid = 'notes_by_id'::regclass`
  expect(await one(isValid)).toBe(false)
  expect(await bringUp()).toEqual(['0002_index.sql'])
  expect(await one(isValid)).toBe(true)
})

test('an index that couldn’t be rebuilt is refused before anything runs', async () => {
  await write(
    '0001_index.sql',
    '-- outside a transaction\ncreate index concurrently on notes (id);',
  )
  await expect(bringUp()).rejects.toThrow('write "create index concurrently if not exists name"')
})

test('a file that was changed after it was applied is refused by its name', async () => {
  await write('0001_notes.sql', NOTES)
  await write('0002_more.sql', 'create table more (\n  id integer\n);\n')
  await bringUp()
  await write('0002_more.sql', 'create table more (\r\n\tid  integer\r\n);\r\n\r\n')
  expect(await bringUp()).toEqual([])
  await write('0002_more.sql', 'create table more (id bigint);')
  await write('0003_next.sql', 'create table next (id integer)')
  await expect(bringUp()).rejects.toThrow(
    'The migration 0002_more.sql was changed after it was applied to this database.',
  )
  expect(await one(`select to_regclass('next') is null`)).toBe(true)
})

/** Two migrations that were applied, then one in their place. */
async function takeTogether() {
  await write('0001_notes.sql', notesOf(3))
  await write('0002_more.sql', 'alter table notes add column more text')
  await bringUp()
  await rm(join(folder, '0001_notes.sql'))
  await rm(join(folder, '0002_more.sql'))
  await write(
    '0003_baseline.sql',
    '-- replaces the migrations up to 0002_more.sql\n' +
      'create table notes (id integer, text text, more text);\n',
  )
}
const applied = () => database.query(sql`select name from migrations order by name`)

test('a baseline changes nothing on a migrated database and creates the tables on an empty one', async () => {
  await takeTogether()
  expect(await Promise.all([bringUp(), bringUp()])).toEqual([[], []])
  expect(await applied()).toEqual([{ name: '0003_baseline.sql' }])
  expect(await one('select count(*) from notes')).toBe(3)
  await write('0004_next.sql', 'create table next (id integer)')
  expect(await bringUp()).toEqual(['0004_next.sql'])

  await database.script('drop schema public cascade; create schema public')
  expect(await bringUp()).toEqual(['0003_baseline.sql', '0004_next.sql'])
  expect(await one('select count(more) from notes')).toBe(0)
})

test.each([
  ['lacks the last of them', `delete from migrations where name = '0002_more.sql'`],
  ['was not carried over whole', 'create table notes_before (id integer)'],
])('a baseline refuses a database that %s, and changes nothing', async (_, statement) => {
  await takeTogether()
  await database.script(statement)
  const before = await applied()
  await expect(bringUp()).rejects.toThrow(
    'The database is from before Kettle 0.1. Update it with that version first, then with this one.',
  )
  expect(await applied()).toEqual(before)
})

test('a program refuses a newer schema unless it’s marked as compatible', async () => {
  await write('0001_notes.sql', NOTES)
  await bringUp()
  const older = await readMigrations(folder)
  const newerFor = async () =>
    (await levelOf(database, older)).newer.filter(({ isCompatible }) => !isCompatible)

  const newer = '0002_more.sql'
  await write(
    newer,
    '-- compatible: older programs may go on\nalter table notes add column more text',
  )
  await bringUp()
  await rm(join(folder, newer))
  expect(await newerFor()).toEqual([])
  expect(await bringUp()).toEqual([])

  await write('0003_less.sql', 'alter table notes drop column more')
  await bringUp()
  await rm(join(folder, '0003_less.sql'))
  expect(await newerFor()).toHaveLength(1)
  await expect(bringUp()).rejects.toThrow(
    'The database is newer than this version of Kettle (it has 0003_less.sql)',
  )
})
