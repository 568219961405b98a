/** The upgrade that took sessions out of the database: on what a former program left. */
import { randomUUID } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { projectFolder } from '#app/platform/project-folder.server.ts'
import { openFormer } from '#tests/support/former-site.ts'

const UPGRADE = '0043_sessions_without_rows.sql'
let db: OpenDatabase
let folder: string

beforeAll(async () => {
  ;({ db, folder } = await openFormer('0042'))
})
afterAll(async () => {
  await db?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

test('who is signed in stays so, without a day of their own; links keep the day on which they are over', async () => {
  const [account, live, over] = [randomUUID(), randomUUID(), randomUUID()]
  await db.query(sql`
    insert into accounts (id, email_hash, email_sealed, root_sealed, made_in_month)
    values (${account}, 'hash', 'sealed', 'sealed', '2026-01-01')`)
  await db.query(sql`
    insert into sessions (id, account_id, method, counter, expires_on)
    values (${live}, ${account}, 'otp', 5, current_date),
           (${over}, ${account}, 'password', 6, current_date - 1)`)
  await db.query(sql`
    insert into one_time_tokens
      (token_hash, account_id, kind, method, code_challenge, code_challenge_method, nth, address_hash, expires_at)
    values ('link', ${account}, 'recovery', 'recovery', null, null, 2, 'address', '2026-03-14T23:59:00Z'),
           ('code', ${account}, 'code', 'otp', 'challenge', 's256', 1, null, '2026-03-15T00:01:00Z')`)

  const name = join(projectFolder, 'db/migrations', UPGRADE)
  await cp(name, join(folder, UPGRADE))
  expect(await migrate(db, { folder, say: () => {} })).toEqual([UPGRADE])

  expect(
    await db.query(sql`
      select id, account_id, method, counter, ends_on = current_date + 90 as "endsWithAll"
        from former_sessions`),
  ).toEqual([{ id: live, account_id: account, method: 'otp', counter: 5, endsWithAll: true }])
  const links = await db.query(sql`select * from one_time_tokens order by token_hash`)
  expect(links).toEqual([
    {
      token_hash: 'code',
      account_id: account,
      kind: 'code',
      method: 'otp',
      code_challenge: 'challenge',
      code_challenge_method: 's256',
      nth: 1,
      address_hash: null,
      over_on: '2026-03-16',
    },
    {
      token_hash: 'link',
      account_id: account,
      kind: 'recovery',
      method: 'recovery',
      code_challenge: null,
      code_challenge_method: null,
      nth: 2,
      address_hash: 'address',
      over_on: '2026-03-15',
    },
  ])
  const tables = await db.query(sql`select from pg_tables where tablename = 'sessions'`)
  expect(tables).toEqual([])
  // A deleted account takes its former sessions and links along.
  await db.query(sql`delete from accounts where id = ${account}`)
  expect(await db.query(sql`select from former_sessions`)).toEqual([])
  expect(await db.query(sql`select from one_time_tokens`)).toEqual([])
})
