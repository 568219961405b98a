import { createHash } from 'node:crypto'
import {
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openAccountRoot } from '#app/api/auth/roots.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import { loadStarterThreads } from '#app/community/discussions/threads/starter-threads.server.ts'
import { addDemoClaim } from '#app/companies/claims/claim-commands.server.ts'
import { loadStarterCompanies } from '#app/companies/starter-companies.server.ts'
import { seedDemoPeople } from '#app/identity/accounts/demo-people.server.ts'
import { loadStarterRatings } from '#app/ratings/starter-ratings.server.ts'
import { slow } from '#tests/support/amounts.ts'
import { NOW, openInside, openTestDatabase, testSecrets } from '#tests/support/database.ts'
import { startS3 } from '#tests/support/s3-server.ts'
import type { Database, OpenDatabase } from '../database/database.server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { checkSecrets, createSecrets } from '../database/secrets.server.ts'
import { projectFolder } from '../folders.server.ts'
import { createQueue } from '../queue/queue.server.ts'
import { rowsOf, tablesOf, usePlainFormats, withSnapshot } from './backup.server.ts'
import { bucketFiles } from './backup-bucket.server.ts'
import {
  BackupError,
  type BackupHead,
  type FeedRows,
  readBackup,
  writeBackup,
} from './backup-file.server.ts'
import { keepNewest, localFiles } from './backup-folder.server.ts'
import { restoreInto, tidyUp } from './backup-restore.server.ts'
import { readConfig } from './config.server.ts'

/** The breaks that some readers of lines take for one, and what JSON and SQL write specially. */
const AWKWARD = 'a\u2028b\u2029c\rd\r\ne\\n "f" \'g\' \\x41 {h} 🫖\u0085\t\\N'

// A database that begins with nothing takes its time, on a busy machine most of a minute.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
let path: string
let source: OpenDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kettle-backup-'))
  path = join(folder, 'kettle.backup')
  source = await openTestDatabase()
  await fill(source)
  await backUp(source, path)
})
afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true })
})

/** A demo site with people, and beside it a row of each kind that is hard to carry. */
async function fill(db: OpenDatabase) {
  const ctx = { db, now: () => NOW, secrets: testSecrets, queue: createQueue(db), events: [] }
  await checkSecrets(db, testSecrets)
  await loadStarterCompanies(ctx, 'demo')
  // Some are as good as thousands.
  await db.query(sql`delete from companies where not demo and name_key >= 'b'`)
  await loadStarterThreads(ctx)
  await loadStarterRatings(ctx, { minShown: 1 })
  const { employers } = await seedDemoPeople(ctx)
  for (const accountId of employers) await addDemoClaim(db, accountId)
  await ctx.queue.enqueue(db, 'try', { words: AWKWARD })
  await db.script(`
    insert into company_logos select id, 'hash', decode(repeat('00ff0a5c', 50000), 'hex')
      from companies order by id limit 3;
    insert into visitor_marks values ('2026-03-14', repeat('01', 32768)::bit(65536));
    insert into contact_messages (idempotency_key, name, email_hash, email_sealed, message, created_at, search)
      values (gen_random_uuid(), 'Vera', 'h', 's', 'words', '2026-03-14T09:00:00Z',
              to_tsvector('simple', 'it''s words'));
    insert into company_policies (company_id, mode) select gen_random_uuid(), '' where false;
    insert into moderation_log (done_on, moderator_name, action, before)
      select '2026-03-14', 'Ada', 'lock', '{"a": [1, null, 1.50]}' from generate_series(1, 9);
    delete from moderation_log where id = 9`)
  await db.query(sql`
    insert into job_postings (company_id, company_name, title, description, html, excerpt, places,
        place_keys, remote_policy, employment_type, salary_minimum, salary_maximum, salary_currency,
        salary_period, yearly_minimum, yearly_maximum, tags, apply_link, status, posted_date,
        valid_through, idempotency_key)
    select id, name, 'Brewer', ${AWKWARD}, 'html', 'excerpt', '[{"city": "Köln", "country": "DE"}]',
           '{p:koln,k:DE}', 'hybrid', 'full-time', 50000.50, 60000.25, 'EUR', 'year', 50000, 60000,
           ${['a "b"', 'c,d', '', 'NULL', '{']}, 'https://jobs.example', 'open', '2026-03-01',
           '2026-05-01', 'once'
      from companies order by id limit 1`)
}

const backUp = async (db: Database, path: string) => {
  const { saved } = await withSnapshot(db, ({ head, feed }) => writeBackup(path, head, feed))
  return saved
}

const restore = async (db: OpenDatabase, file: string) => {
  const head = await readBackup(file)
  await restoreInto(db, head, (take) => readBackup(file, take).then(() => {}))
  return head
}

/** How many rows, and a checksum over them, of every table: the same wherever they are. */
const contentsOf = (db: Database) =>
  db.transaction(async (db) => {
    await usePlainFormats(db)
    const contents: Record<string, string> = {}
    for (const table of await tablesOf(db)) {
      const hash = createHash('sha256')
      let count = 0
      const columns = table.columns.map(({ name }) => name)
      for await (const rows of rowsOf(db, table, columns)) {
        count += rows.length
        hash.update(rows.join('\n')).update('\n')
      }
      contents[table.name] = `${count} rows ${hash.digest('hex')}`
    }
    return contents
  })

/** Triggers and references as they stand, to see that none was left aside. */
const rulesOf = async (db: Database) => [
  ...(await db.query(sql`
    select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) as rule
      from pg_constraint where connamespace = current_schema()::regnamespace
       and conname not like '%not_null' order by 1`)),
  ...(await db.query(sql`
    select tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text as rule
      from pg_trigger where not tgisinternal order by 1`)),
]

/** Migrated, unless nothing at all shall be in it. */
async function inEmpty(work: (db: OpenDatabase) => Promise<void>, isBare = false) {
  const db = await openTestDatabase({ isEmpty: isBare })
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

/** A database of its own, whose owner may nothing else: no superuser. */
async function inEmptyPostgres(work: (db: OpenDatabase) => Promise<void>) {
  const server = new URL(inject('postgresUrl'))
  const name = `kettle_plain_${process.pid}`
  const admin = await openPostgres({ url: server.href, connections: 1 })
  await admin.query(raw(`create role ${name} login password 'plain' nosuperuser`))
  await admin.query(raw(`create database ${name} owner ${name} template template0 encoding 'UTF8'`))
  const db = await openPostgres({
    url: Object.assign(server, { pathname: name, username: name, password: 'plain' }).href,
    connections: 1,
  })
  try {
    await work(db)
  } finally {
    await db.close()
    await admin.query(raw(`drop database ${name} with (force)`))
    await admin.query(raw(`drop role ${name}`))
    await admin.close()
  }
}

async function comesOutTheSame(db: OpenDatabase) {
  await restore(db, path)
  await tidyUp(db)
  expect(await contentsOf(db)).toEqual(await contentsOf(source))
  expect(await rulesOf(db)).toEqual(await rulesOf(source))
  // What is made from other columns came along, and counts go on where they were.
  const [found] = await db.query<{ n: number }>(
    sql`select count(*) as n from job_postings where search @@ to_tsquery('english', 'brewer')`,
  )
  expect(found?.n).toBe(1)
  const [next] = await db.query<{ id: number }>(sql`
    insert into moderation_log (done_on, moderator_name, action)
    values ('2026-03-14', 'Ada', 'lock') returning id`)
  expect(next?.id).toBe(10)
  expect(await counterDrift(db, { today: '2026-03-14', minShown: 1 })).toEqual([])
}

slow.test('a backup comes back as it was, even for an owner who’s no superuser', () =>
  inEmptyPostgres(comesOutTheSame),
)

slow.test('data moved into DATA_DIR’s database moves back the same', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kettle-backup-'))
  const inside = await openInside(dataDir)
  try {
    await restore(inside, path)
    await inEmptyPostgres(async (db) => {
      await withSnapshot(inside, ({ head, feed }) => restoreInto(db, head, feed))
      expect(await contentsOf(db)).toEqual(await contentsOf(source))
    })
  } finally {
    await inside.close()
    await rm(dataDir, { recursive: true })
  }
})

test('a backup’s file is its owner’s only, has no key, and leaves no unfinished one', async () => {
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['kettle.backup'])
  const lines = gunzipSync(await readFile(path))
    .toString('utf8')
    .split('\n')
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    kettle: 'backup',
    format: 1,
    keyMark: testSecrets.hash('key check'),
    migrations: expect.arrayContaining(['0065_baseline.sql']),
  })
  expect(lines.join('\n')).not.toContain('the secret key of every test')
})

test('a backup’s rows are in the order of their random ids, so no copy shows who came first', async () => {
  const ids: Record<string, string[]> = { accounts: [], threads: [], ratings: [] }
  await readBackup(path, async ({ name, columns }, rows) => {
    for (const row of rows) ids[name]?.push(JSON.parse(row)[columns.indexOf('id')])
  })
  for (const [name, some] of Object.entries(ids)) {
    expect(some.length, name).toBeGreaterThan(3)
    expect(some, name).toEqual(some.toSorted())
  }
})

test('a write during a backup is in it whole or not at all', () =>
  withSnapshot(source, async ({ head, feed }) => {
    const slug = 'meanwhile'
    await source.query(sql`insert into topics values (${slug}, 'Meanwhile', 99)`)
    try {
      const rows: string[] = []
      await feed(async ({ name }, some) => {
        if (name === 'topics') rows.push(...some)
      })
      expect(rows).toHaveLength(head.tables.find(({ name }) => name === 'topics')?.rows ?? 0)
      expect(rows.join()).not.toContain('Meanwhile')
    } finally {
      await source.query(sql`delete from topics where slug = ${slug}`)
    }
  }))

test('a backup that was cut off or changed anywhere is refused before anything is written', async () => {
  const { size } = await stat(path)
  const broken = join(folder, 'broken')
  const refused = /is damaged or incomplete\. Nothing was changed/
  try {
    for (const bytes of [20, 1000, Math.floor(size / 2), size - 9, size - 1]) {
      await copyFile(path, broken)
      await truncate(broken, bytes)
      await expect(readBackup(broken), `${bytes} bytes`).rejects.toThrow(refused)
    }
    const lines = gunzipSync(await readFile(path))
      .toString('utf8')
      .split('\n')
    const changes: [string, string[]][] = [
      ['the end is missing', [...lines.slice(0, -2), '']],
      ['a row is missing', lines.toSpliced(5, 1)],
      ['a row was doubled', lines.toSpliced(5, 0, lines[5] as string)],
      ['a letter was changed', lines.with(5, (lines[5] as string).replace(/[a-y]/, 'z'))],
      ['something follows', [...lines, '[]', '']],
    ]
    for (const [what, changed] of changes) {
      await writeFile(broken, gzipSync(changed.join('\n')))
      await expect(readBackup(broken), what).rejects.toThrow(refused)
    }
  } finally {
    await rm(broken, { force: true })
  }
})

test('a file that’s no backup is refused as such, and isn’t overwritten', async () => {
  const other = join(folder, 'letter.txt')
  await expect(readBackup(join(folder, 'none'))).rejects.toThrow(/File not found/)
  await expect(readBackup(folder)).rejects.toThrow(/isn’t a Kettle backup/)
  try {
    for (const content of [
      '',
      'Dear Ada',
      gzipSync('Dear Ada\n'),
      gzipSync('{"kettle":"tea"}\n'),
    ]) {
      await writeFile(other, content)
      await expect(readBackup(other)).rejects.toThrow(`${other} isn’t a Kettle backup.`)
      await expect(backUp(source, other)).rejects.toThrow('Choose another file')
      expect(await readFile(other)).toEqual(Buffer.from(content))
    }
  } finally {
    await rm(other, { force: true })
  }
  // An earlier backup is.
  await backUp(source, path)
  expect((await readBackup(path)).kettle).toBe('backup')
})

test('a backup that can’t be read back doesn’t get its name, and an earlier one stays', async () => {
  const before = await readFile(path)
  const { saved } = await withSnapshot(source, ({ head, feed }) =>
    writeBackup(path, head, feed, {
      readBack: async (draft) => {
        await truncate(draft, 1000)
        await readBackup(draft)
      },
    }),
  )
  await expect(saved).rejects.toThrow(`We couldn’t read ${path} back, so we didn’t keep it.`)
  expect(await readFile(path)).toEqual(before)
  expect(await readdir(folder)).toEqual(['kettle.backup'])
})

test('a backup in a bucket is the same, and isn’t kept if its making fails', async () => {
  const s3 = await startS3()
  const store = bucketFiles(readConfig(s3.env).s3)
  const there = 's3://backups/kettle.backup'
  try {
    const { saved } = await withSnapshot(source, ({ head, feed }) =>
      writeBackup(there, head, feed, { store }),
    )
    expect(await saved).toBe(s3.objects.get('backups/kettle.backup')?.length)
    const rows: string[] = []
    const take = async (_: unknown, some: string[]) => void rows.push(...some)
    const head = await readBackup(there, take, store)
    const local = rows.splice(0)
    expect(await readBackup(path, take)).toEqual(head)
    expect(rows).toEqual(local)

    s3.objects.clear()
    const stops: FeedRows = async () => {
      throw new BackupError('Stopped. Nothing was saved.')
    }
    await expect(writeBackup(there, head, stops, { store })).rejects.toThrow('Stopped')
    s3.objects.set('backups/letter', Buffer.from('Dear Ada'))
    await expect(writeBackup('s3://backups/letter', head, stops, { store })).rejects.toThrow(
      's3://backups/letter already exists and isn’t a Kettle backup',
    )
    expect([...s3.objects.keys(), ...s3.uploads.keys()]).toEqual(['backups/letter'])
  } finally {
    await s3.stop()
  }
})

test('a folder’s oldest backups go, and nothing else, and old drafts are swept', async () => {
  const own = join(folder, 'rotated')
  const day = (n: number) => `kettle-2026-03-0${n}-033000.backup`
  const draft = (n: number) => `.${day(n)}.0123456789ab.part`
  try {
    await localFiles.prepare(own)
    expect((await stat(own)).mode & 0o777).toBe(0o700)
    const others = ['kettle.backup', 'kettle-2026-03-01.backup', 'letter.txt', '.letter.part']
    for (const name of [...[1, 2, 3, 4].map(day), ...others, draft(1), draft(2)])
      await writeFile(join(own, name), '')
    await utimes(join(own, draft(1)), NOW, new Date(Date.now() - 25 * 3_600_000))
    await localFiles.prepare(own)
    expect(await keepNewest(localFiles, own, day(4), 2)).toBe(2)
    expect(await readdir(own)).toEqual([draft(2), day(3), day(4), ...others].toSorted())
  } finally {
    await rm(own, { recursive: true })
  }
})

test('a newer program’s backup is refused with a sentence', async () => {
  const [first, ...rest] = gunzipSync(await readFile(path))
    .toString('utf8')
    .split('\n')
  const newer = join(folder, 'newer')
  await writeFile(
    newer,
    gzipSync([(first as string).replace('"format":1', '"format":2'), ...rest].join('\n')),
  )
  await expect(readBackup(newer)).rejects.toThrow(/made by a newer version of Kettle \(format 2\)/)
  await rm(newer)
  const head = await readBackup(path)
  const later = { ...head, migrations: [...head.migrations, '9999_later.sql'] }
  await expect(restoreInto(source, later, nothing)).rejects.toThrow(
    /made by a newer version of Kettle \(it has 9999_later\.sql\)/,
  )
})

const nothing: FeedRows = async () => {}

test('mails that waited don’t go out again after a restore, and other work continues', () =>
  inEmpty(async (db) => {
    const file = join(folder, 'waiting')
    await source.script(`
      insert into job_queue (kind, due_at, recurs) values
        ('letter', now(), false), ('letter', null, false), ('news', now(), false),
        ('daily-letter', now(), true)`)
    try {
      await backUp(source, file)
      const head = await readBackup(file)
      const feed: FeedRows = (take) => readBackup(file, take).then(() => {})
      expect(await restoreInto(db, head, feed, { paused: ['letter', 'daily-letter'] })).toBe(1)
    } finally {
      await source.query(sql`delete from job_queue where kind ~ 'letter|news'`)
      await rm(file, { force: true })
    }
    expect(
      await db.query(sql`
        select kind, due_at is null as "isHeld" from job_queue where kind ~ 'letter|news' order by 1`),
    ).toEqual([
      { kind: 'daily-letter', isHeld: false },
      { kind: 'letter', isHeld: true },
      { kind: 'letter', isHeld: true },
      { kind: 'news', isHeld: false },
    ])
  }))

test('a database with anything in it is refused, and says how to begin', async () => {
  const head = await readBackup(path)
  const before = await contentsOf(source)
  await expect(restoreInto(source, head, nothing)).rejects.toThrow(
    /^The database isn’t empty\. It has rows in .*Set DATA_DIR to a new folder/s,
  )
  expect(await contentsOf(source)).toEqual(before)
})

slow.test('a failure midway leaves an empty database, which then takes the backup', () =>
  inEmpty(async (db) => {
    const head = await readBackup(path)
    /** All rows but those of a table, where something happens. */
    const but =
      (name: string, happens: () => void): FeedRows =>
      (take) =>
        readBackup(path, async (table, rows) => {
          if (table.name === name) happens()
          else await take(table, rows)
        }).then(() => {})
    const breaksOff = but('threads', () => {
      throw new Error('the disk went away')
    })
    await expect(restoreInto(db, head, breaksOff)).rejects.toThrow('the disk went away')
    // What a row refers to must have come along.
    await expect(
      restoreInto(
        db,
        head,
        but('companies', () => {}),
      ),
    ).rejects.toThrow(/foreign key/)
    const unknown = (changed: Partial<BackupHead['tables'][number]>): BackupHead => ({
      ...head,
      tables: head.tables.map((table) =>
        table.name === 'accounts' ? { ...table, ...changed } : table,
      ),
    })
    // Names become SQL only where the database itself knows them.
    const hostile = ['id) select 1; drop table companies; --']
    await expect(restoreInto(db, unknown({ columns: hostile }), nothing)).rejects.toThrow(
      /has a column .* in accounts, which this version of Kettle doesn’t know/,
    )
    await expect(restoreInto(db, unknown({ name: 'a"; --' }), nothing)).rejects.toThrow(
      /has a table a"; --, which this version of Kettle doesn’t know/,
    )
    await comesOutTheSame(db)
  }),
)

test('a backup of Kettle 0.1 restores with everything in it, and an older one is refused', () =>
  inEmpty(async (db) => {
    const file = join(projectFolder, 'tests/support/version-0.1.backup')
    const head = await readBackup(file)
    const older = { ...head, migrations: head.migrations.slice(0, -1) }
    await expect(restoreInto(db, older, nothing)).rejects.toThrow(
      'The backup is from before Kettle 0.1. Update it with that version first, then with this one.',
    )
    await restore(db, file)
    expect((await tablesOf(db)).map(({ name }) => name)).toEqual(
      (await tablesOf(source)).map(({ name }) => name),
    )
    const secrets = createSecrets('a secret key that only the tests know')
    await checkSecrets(db, secrets)
    const [dana] = await db.query<{ id: string; root: string }>(sql`
      select id, root_sealed as root from accounts join profiles on account_id = id
       where username = 'Dana'`)
    // Her posts are still hers: their keys come of her root and of their numbers.
    expect(openAccountRoot(secrets, dana?.id ?? '', dana?.root ?? '')).toHaveLength(16)
    expect(
      await db.query(sql`select title from threads where title like '%the meetings?'`),
    ).toEqual([{ title: 'Does anybody else count the meetings?' }])
    expect(await db.query(sql`select name from migrations`)).toEqual(
      await source.query(sql`select name from migrations`),
    )
  }, true))

test('a database newer than the backup is refused, even if it’s empty', () =>
  inEmpty(async (db) => {
    await db.query(
      sql`insert into migrations (name, is_compatible) values ('9999_later.sql', true)`,
    )
    await expect(restoreInto(db, await readBackup(path), nothing)).rejects.toThrow(
      /is already newer than the backup \(9999_later\.sql\)/,
    )
  }))
