import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, testSecrets } from '#tests/support/database.ts'
import type { Database, OpenDatabase } from '../database/database.server.ts'
import { checkSecrets, createSecrets } from '../database/secrets.server.ts'
import { type Finding, findingLines } from './doctor.server.ts'
import {
  databaseFindings,
  keyFindings,
  queueFindings,
  retryGivenUp,
} from './doctor-database.server.ts'

let db: OpenDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const told = (found: Finding[]) => findingLines(found).join('\n')
const now = () => new Date()

test('a healthy database has no problem', async () => {
  const found = await databaseFindings(db, { connections: 2, now })
  expect(told(found)).not.toMatch(/problem|warning/)
  expect(told(found)).toMatch(/All \d+ migrations have been applied/)
})

test('the doctor reports clocks that differ', async () => {
  const slow = () => new Date(Date.now() - 60_000)
  expect(told(await databaseFindings(db, { connections: 2, now: slow }))).toMatch(
    /problem {2}database {2}This machine’s clock .* are 60 s apart/,
  )
})

test('the doctor says when there are too few connections', async () => {
  expect(told(await databaseFindings(db, { connections: 5_000, now }))).toMatch(
    /problem .* Lower DATABASE_CONNECTIONS/,
  )
})

test('the doctor says how to give a connection what the site asks for at its start', () =>
  db.transaction(async (db) => {
    const settings = { connections: 2, now }
    expect(told(await databaseFindings(db, settings))).toContain('have the settings the site')
    await db.script(`set local jit = on; set local statement_timeout = '60s'`)
    const found = told(await databaseFindings(db, settings))
    expect(found).toMatch(/warning .* alter role USER set jit = 'off'/)
    expect(found).toContain(`alter role USER set statement_timeout = '15000'`)
    expect(found).not.toContain('TimeZone')
  }))

test('the doctor says if its user can’t see other connections, and counts them anyway', async () => {
  const role = `doctor_${process.pid}`
  const free = async (db: Database) =>
    Number(
      /PostgreSQL has (\d+) free connections/.exec(told(await databaseFindings(db, settings)))?.[1],
    )
  const settings = { connections: 1, now }
  await db.script(`create role ${role}`)
  // Someone else has a connection of their own.
  await db
    .dedicated(async () => {
      await db.transaction(async (db) => {
        const seen = await free(db)
        await db.script(`grant all on schema public to ${role};
                         grant select on all tables in schema public to ${role};
                         set local role ${role}`)
        // Others come and go meanwhile; unseen they would all be free.
        expect(Math.abs((await free(db)) - seen)).toBeLessThan(3)
        expect(told(await databaseFindings(db, settings))).toMatch(
          /skipped {2}database {2}Transactions on \d+ connections by other users: not checked, because/,
        )
        await db.script('reset role')
        throw new Error('undone')
      })
    })
    .catch((error: Error) => expect(error.message).toBe('undone'))
  await db.script(`drop role ${role}`)
})

test('the doctor reports missing migrations, and those of a newer program', async () => {
  await db.query(sql`insert into migrations (name) values ('9999_later.sql')`)
  expect(told(await databaseFindings(db, { connections: 2, now }))).toMatch(
    /problem .* newer than this version of Kettle \(9999_later\.sql\)/,
  )
  await db.query(sql`update migrations set is_compatible = true where name = '9999_later.sql'`)
  expect(told(await databaseFindings(db, { connections: 2, now }))).toMatch(
    /warning .* newer than this version of Kettle \(9999_later\.sql\), which still works/,
  )
  await db.query(sql`delete from migrations where name = '9999_later.sql'`)
  await db.query(sql`update migrations set checksum = 'another' where name = '0065_baseline.sql'`)
  expect(told(await databaseFindings(db, { connections: 2, now }))).toMatch(
    /problem .* 0065_baseline\.sql in db\/migrations was changed/,
  )
  await db.query(sql`update migrations set checksum = null where name = '0065_baseline.sql'`)
  await db.query(
    sql`update migrations set name = '0064_names.sql' where name = '0065_baseline.sql'`,
  )
  expect(told(await databaseFindings(db, { connections: 2, now }))).toMatch(
    /warning .* 1 migration is missing/,
  )
  // A database of Kettle 0.1 has none of our tables, but isn't empty.
  const later = await db.query<{ name: string; checksum: string; is_compatible: boolean }>(sql`
    delete from migrations where name > '0064_names.sql' returning *`)
  expect(told(await databaseFindings(db, { connections: 2, now }))).toMatch(
    /warning .* \d+ migrations are missing/,
  )
  for (const { name, checksum, is_compatible } of later)
    await db.query(sql`
      insert into migrations (name, checksum, is_compatible) values (${name}, ${checksum}, ${is_compatible})`)
  await db.query(sql`update migrations set name = '0063_words.sql' where name = '0064_names.sql'`)
  expect(told(await databaseFindings(db, { connections: 2, now }))).toMatch(
    /problem .* The database is from before Kettle 0\.1/,
  )
  await db.query(
    sql`update migrations set name = '0065_baseline.sql' where name = '0063_words.sql'`,
  )
})

test('another key than the database’s is a problem, and looking leaves no mark', async () => {
  expect(told(await keyFindings(db, testSecrets))).toMatch(/^skipped .* [Nn]ot checked, because/)
  expect(await db.query(sql`select from key_checks`)).toEqual([])
  await checkSecrets(db, testSecrets)
  expect(told(await keyFindings(db, testSecrets))).toMatch(/^ok/)
  const other = createSecrets('another key, also of more than 32 letters')
  expect(told(await keyFindings(db, other))).toMatch(/^problem .* different secret key/)
})

test('the doctor reports given-up, failing and waiting work by its kind', async () => {
  expect(told(await queueFindings(db))).toMatch(/^ok .* No jobs are stuck/)
  await db.script(`
    insert into job_queue (kind, payload, due_at, attempts) values
      ('mail', '{"to": "geheim"}', null, 81),
      ('logo', '{}', now() + interval '1 hour', 9),
      ('news', '{}', now() - interval '2 hours', 0)`)
  const found = told(await queueFindings(db))
  expect(found).toMatch(/warning {2}jobs {6}Jobs that keep failing: 1 logo/)
  expect(found).toMatch(/problem {2}jobs {6}Jobs given up, or on hold since a restore: 1 mail/)
  expect(found).toMatch(/warning {2}jobs {6}Jobs waiting for over an hour: 1 news/)
  expect(found).not.toContain('geheim')
})

test('given-up work is retried if asked for, and nothing else changes', async () => {
  await db.query(sql`delete from job_queue`)
  await db.script(`
    insert into job_queue (kind, due_at, attempts) values
      ('mail', null, 81), ('mail', null, 0), ('logo', now() + interval '1 hour', 9)`)
  expect(findingLines([await retryGivenUp(db)]).join()).toMatch(/^ok .* 2 jobs will be retried/)
  expect(
    await db.query(
      sql`select kind, attempts, due_at <= now() as "isDue" from job_queue order by 1, 2`,
    ),
  ).toEqual([
    { kind: 'logo', attempts: 9, isDue: false },
    { kind: 'mail', attempts: 0, isDue: true },
    { kind: 'mail', attempts: 0, isDue: true },
  ])
})

test('the doctor reports a user who can’t make tables before the start fails', async () => {
  await db.script(`
    create role bystander;
    create schema closed;
    grant usage on schema closed to bystander`)
  const found = await db.transaction(async (db) => {
    await db.script('set local search_path = closed; set local role bystander')
    return databaseFindings(db, { connections: 2, now })
  })
  await db.script('drop schema closed; drop role bystander')
  expect(told(found)).toMatch(/problem .* can’t create tables\. .*createdb --owner/)
})
