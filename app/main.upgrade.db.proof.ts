/** A site that an earlier program filled: what its people kept is theirs after the upgrade, under no old key. */
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { carryOver } from '#app/api/auth/carry-over.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { postsExport } from '#app/community/discussions/posts/export-queries.server.ts'
import {
  mutedAmong,
  mutedBy,
  mutersOf,
} from '#app/community/discussions/threads/kept-threads.server.ts'
import {
  mySavedThreads,
  myThread,
} from '#app/community/discussions/threads/thread-queries.server.ts'
import { companyEdits } from '#app/companies/edits/edit-queries.server.ts'
import { followersOf } from '#app/companies/following/follow-keys.server.ts'
import { myFollows } from '#app/companies/following/follow-queries.server.ts'
import { createAlert } from '#app/jobs/alerts/job-alert-commands.server.ts'
import { myAlerts } from '#app/jobs/alerts/job-alert-queries.server.ts'
import { savedJobs } from '#app/jobs/saved/saved-job-queries.server.ts'
import { reportPost } from '#app/moderation/report-commands.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { withSnapshot } from '#app/platform/operations/backup.server.ts'
import { ratingsExport } from '#app/ratings/rating-export-queries.server.ts'
import { myRatings } from '#app/ratings/rating-queries.server.ts'
import { openInside, testSecrets } from '#tests/support/database.ts'
import {
  carryOverThoughEnded,
  DANA,
  danaOn,
  danasKey,
  LAST_WITH_AUTHOR_KEYS,
  openFormer,
  veraOn,
  verasKey,
} from '#tests/support/former-site.ts'
import { features } from './main.features.server.ts'
import { upgrade } from './main.upgrade.server.ts'

const keys = [danasKey, verasKey]

const uuid = (kind: number, n: number) =>
  `00000000-0000-4000-8000-${String(kind).padStart(4, '0')}${String(n).padStart(8, '0')}`
const threadId = (n: number) => uuid(1, n)
const THREADS = 40
const ACME = uuid(2, 0)
const CHANGE = { name: { from: 'Acme', to: 'Acme Ltd' } }
const CASE = uuid(4, 0)
const comment = uuid(5, 0)
const jobId = (n: number) => uuid(3, n)

let db: OpenDatabase
let folder: string
beforeEach(async () => {
  ;({ db, folder } = await openFormer(LAST_WITH_AUTHOR_KEYS))
  await fill()
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})
const dana = () => danaOn(db)
const vera = () => veraOn(db)

async function fill() {
  await db.query(sql`
    insert into accounts (id, email_hash, email_sealed, made_in_month)
    values (${DANA}, 'dana', 'sealed', '2026-01-01')`)
  for (let n = 0; n < THREADS; n++)
    await db.query(sql`
      insert into threads (id, author_key, author_name, is_visitor, title, body, html, excerpt,
                           posted_minute, sending)
      values (${threadId(n)}, 'gone 1', 'A name', true, 'About something', '', '', '', ${n}, ${`s${n}`})`)
  await db.query(sql`
    insert into saved_threads (author_key, thread_id)
    select key, id from unnest(${keys}::text[]) key cross join threads
     where key = ${danasKey} or posted_minute < 5`)
  await db.query(sql`
    insert into muted_threads (author_key, thread_id)
    select key, id from unnest(${keys}::text[]) key cross join threads where posted_minute < 3`)

  await db.query(sql`
    insert into comments (id, thread_id, author_key, author_name, is_visitor, body, html,
                          posted_minute, place, sending)
    values (${comment}, ${threadId(0)}, 'gone 1', 'A name', true, '', '', 0, 1, 'c0')`)
  await db.query(sql`
    insert into votes (subject_id, author_key, value, state)
    values (${threadId(0)}, ${danasKey}, 1, 'proven'), (${threadId(9)}, ${danasKey}, -1, 'proven'),
           (${comment}, ${danasKey}, -1, 'proven'), (${threadId(0)}, ${verasKey}, -1, 'held'),
           (${threadId(0)}, 'gone 2', 1, 'proven'), (${threadId(0)}, 'starter 2', 1, 'proven')`)
  await db.query(sql`insert into polls values (${threadId(0)}, '2099-01-01')`)
  await db.query(sql`
    insert into poll_options select ${threadId(0)}, n, 'Tea', 1 from generate_series(0, 1) n`)
  await db.query(sql`
    insert into poll_votes values (${threadId(0)}, ${danasKey}, 1, false),
                                  (${threadId(0)}, ${verasKey}, 0, true)`)
  await db.query(sql`
    insert into moderation_cases (id, thread_id, cause, is_open, opened_on, opened_nth)
    values (${CASE}, ${threadId(0)}, 'reports', true, '2026-03-01', 1)`)
  await db.query(sql`
    insert into reports (case_id, author_key, reason, note, is_weighty)
    select ${CASE}, key, 'spam', 'Look', true from unnest(${keys}::text[]) key`)

  await db.query(sql`
    insert into companies (id, name, name_key, search_text)
    values (${ACME}, 'Acme', 'acme', ${'acme\n\nother'})`)
  for (let n = 0; n < 5; n++) {
    await db.query(sql`
      insert into job_postings
        (id, company_id, company_name, title, description, html, excerpt, remote_policy,
         employment_type, salary_minimum, salary_maximum, salary_currency, salary_period, apply_link,
         status, posted_date, valid_through, sending)
      values (${jobId(n)}, ${ACME}, 'Acme', 'Brewer', '', '', '', 'remote', 'full-time', 1, 1, 'EUR',
              'year', 'https://acme.example', 'open', '2026-03-01', '2026-05-01', ${`j${n}`})`)
    await db.query(sql`
      insert into saved_jobs (author_key, job_id)
      select key, ${jobId(n)} from unnest(${n < 2 ? keys : [danasKey]}::text[]) key`)
  }
  for (let n = 0; n < 3; n++)
    await db.query(sql`
      insert into ratings (id, company_id, tag, month, rto, note, helpful)
      values (${uuid(6, n)}, ${ACME}, ${`tag ${n}`}, '2026-01-01', 5, 'A note', 1)`)
  await db.query(sql`
    insert into rating_votes (rating_id, author_key)
    values (${uuid(6, 0)}, ${danasKey}), (${uuid(6, 2)}, ${danasKey}), (${uuid(6, 1)}, ${verasKey}),
           (${uuid(6, 1)}, 'starter 1')`)
  await db.query(sql`
    insert into follows (author_key, company_id, ratings, is_paused)
    values (${danasKey}, ${ACME}, false, false), (${verasKey}, ${ACME}, true, true)`)
  for (const [search, salary] of [
    ['tea', null],
    ['coffee', 50_000],
  ] as const)
    await db.query(sql`
      insert into job_alerts (author_key, search, salary, salary_currency, keys)
      select key, ${search}, ${salary}, ${salary && 'EUR'}, array['w:' || ${search}::text]
        from unnest(${keys}::text[]) key`)
  await db.query(sql`
    insert into company_edits (company_id, changes, status, made_on, author_key)
    values (${ACME}, ${JSON.stringify(CHANGE)}::jsonb, 'applied', '2026-01-01', ${danasKey}),
           (${ACME}, '{}', 'suggested', '2026-01-02', ${danasKey}),
           (${ACME}, '{}', 'applied', '2026-01-03', null),
           (${ACME}, '{}', 'declined', '2026-01-04', 'gone 4')`)
}

/** All that people kept, as they see it. */
async function expectEverythingThere() {
  const pages = async (ctx: Ctx) => {
    const ids: string[] = []
    for (let after: string | undefined; ; ) {
      const { threads, next } = await mySavedThreads(ctx, after)
      ids.push(...threads.map(({ id }) => id))
      if (next === null) return ids
      after = next
    }
  }
  expect(await pages(await dana())).toEqual(
    Array.from({ length: THREADS }, (_, n) => threadId(THREADS - 1 - n)),
  )
  expect(await pages(vera())).toEqual([4, 3, 2, 1, 0].map(threadId))

  const all = Array.from({ length: THREADS }, (_, n) => threadId(n))
  for (const ctx of [await dana(), vera()])
    expect([...(await mutedAmong(ctx, all))].sort()).toEqual([0, 1, 2].map(threadId))
  const jobs = async (ctx: Ctx) => (await savedJobs(ctx)).jobs.map(({ id }) => id)
  expect(await jobs(await dana())).toEqual([4, 3, 2, 1, 0].map(jobId))
  expect(await jobs(vera())).toEqual([1, 0].map(jobId))

  const { follows } = await myFollows(await dana())
  expect(follows).toMatchObject([{ company: { id: ACME }, threads: true, ratings: false }])
  expect(await myFollows(vera())).toMatchObject({ follows: [{ isPaused: true }] })
  expect(await followersOf(vera(), [ACME], 'jobs')).toEqual([
    { companyId: ACME, root: rootOf(await dana()) },
  ])
  for (const ctx of [await dana(), vera()]) {
    const { alerts } = await myAlerts(ctx)
    expect(alerts.map(({ filters }) => filters)).toEqual([
      { search: 'coffee', salary: 50_000, currency: 'EUR' },
      { search: 'tea' },
    ])
    expect(await createAlert(ctx, { search: 'tea' })).toEqual({ id: alerts[1]?.id })
  }
  const found = [uuid(6, 0), uuid(6, 2)]
  expect((await myRatings(await dana())).helpful.map(({ id }) => id).sort()).toEqual(found)
  expect((await ratingsExport(await dana())).helpfulNotes).toEqual(found)
  expect((await myRatings(vera())).helpful).toEqual([{ id: uuid(6, 1), isCounted: true }])
  expect(await db.query(sql`select from rating_votes`)).toHaveLength(4)

  const { edits } = await companyEdits(await dana(), ACME)
  expect(edits.map(({ id, state, by, isMine }) => [id, state, by, isMine])).toEqual([
    [4, 'declined', 'member', false],
    [3, 'applied', 'administrator', false],
    [2, 'suggested', 'member', true],
    [1, 'applied', 'member', true],
  ])
  expect(edits[3]?.changes).toEqual(CHANGE)
  const waiting = await db.query<{ id: number }>(
    sql`select id from company_edits where mine is not null`,
  )
  expect(waiting).toEqual([{ id: 2 }])
  const next = await db.query(sql`
    select nextval(pg_get_serial_sequence('company_edits', 'id')) > 4 as "isNew"`)
  expect(next).toEqual([{ isNew: true }])

  expect(await myThread(await dana(), threadId(0))).toMatchObject({
    isSaved: true,
    isMuted: true,
    vote: 1,
    votes: { [comment]: -1 },
    pollChoice: 1,
  })
  expect(await myThread(vera(), threadId(0))).toMatchObject({ vote: -1, votes: {}, pollChoice: 0 })
  expect(await postsExport(await dana())).toMatchObject({
    votes: [
      { postId: threadId(0), value: 1 },
      { postId: threadId(9), value: -1 },
      { postId: comment, value: -1 },
    ],
    pollVotes: [{ threadId: threadId(0), place: 1 }],
  })
  expect(await db.query(sql`select value, state from votes order by 1, 2`)).toHaveLength(6)
  // The same words again are the same report.
  await reportPost(
    { ...vera(), db },
    { kind: 'thread', id: threadId(0) },
    { reason: 'spam', note: '' },
  )
  expect(await db.query(sql`select reason, note from reports order by note`)).toEqual([
    { reason: 'spam', note: '' },
    { reason: 'spam', note: 'Look' },
  ])

  expect([...(await mutersOf(vera(), [threadId(1)]))].sort()).toEqual(
    [await dana(), vera()].map((ctx) => mutedBy(threadId(1), rootOf(ctx) as Buffer)).sort(),
  )
}

/** Tables of which the next part of the work takes the keys away. */
const LEFT: string[] = []

const silently = { say: () => {} }
const carried = features.flatMap(({ carried = [] }) => carried)

test('dana and vera find what they kept, and no table but those that are left has an old key', async () => {
  await upgrade(db, testSecrets)
  await expectEverythingThere()
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'author_key' order by 1`)
  expect(tables.map(({ name }) => name)).toEqual([...LEFT].sort())
  const former = await db.query(sql`
    select from pg_class where relname like '%\_before%' or relname like '%\_carried%'
                            or relname = 'carry_over'`)
  expect(former).toEqual([])
})

test('whatever ends it, it goes on where it was, as often as it takes', async () => {
  await migrate(db)
  const ended = await carryOverThoughEnded(db, carried, 3)
  expect(ended).toBeGreaterThan(THREADS / 6 - 1)
  await expectEverythingThere()
  await carryOver(db, testSecrets, carried, { say: () => expect.unreachable() })
})

test('two processes that begin at once carry each row over once', async () => {
  await migrate(db)
  const run = () => carryOver(db, testSecrets, carried, { ...silently, portion: 7 })
  await Promise.all([run(), run()])
  await expectEverythingThere()
})

test('a backup waits until it is done', async () => {
  await migrate(db)
  await expect(withSnapshot(db, async () => {})).rejects.toThrow('half done')
  await carryOver(db, testSecrets, carried, silently)
  await withSnapshot(db, async ({ head }) => {
    expect(head.tables.map(({ name }) => name)).toContain('saved_threads')
  })
})

test('rows of one person do not lie beside each other', async () => {
  await upgrade(db, testSecrets)
  const ids = await db.query<{ id: string }>(raw('select thread_id as id from saved_threads'))
  const inOrder = ids.map(({ id }) => id)
  expect(inOrder).not.toEqual([...inOrder].sort())
})

/** Files of tables and indexes that hold an old key, or a part of one: dead rows and statistics too. */
async function filesWithKeys(dataDir: string) {
  const found: string[] = []
  for (const name of await readdir(dataDir, { recursive: true })) {
    // The log is switched in the night.
    if (name.includes('pg_wal')) continue
    const bytes = await readFile(join(dataDir, name)).catch(() => undefined)
    if (bytes && keys.some((key) => bytes.includes(key.slice(0, 20)))) found.push(name)
  }
  return found
}

test('no file of the database holds an old key afterwards', async () => {
  const dataDir = join(folder, 'data')
  await db.close()
  db = await openInside(dataDir)
  const former = join(folder, 'former')
  await mkdir(former)
  for (const name of await readdir(folder))
    if (name.endsWith('.sql')) await copyFile(join(folder, name), join(former, name))
  await migrate(db, { folder: former })
  await fill()
  await db.script('analyze')
  await db.script('checkpoint')
  expect(await filesWithKeys(dataDir)).not.toEqual([])
  await upgrade(db, testSecrets)
  await db.script('checkpoint')
  expect(await filesWithKeys(dataDir)).toEqual([])
})
