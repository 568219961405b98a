import { spawnSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import Fastify from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import type { OpenDatabase } from '../database/database.server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { createWriteWatch, type WriteWatch } from '../database/write-watch.server.ts'
import { createHttp, type Http } from '../http/http.server.ts'
import { createQueue } from '../queue/queue.server.ts'
import { readConfig } from './config.server.ts'
import { createHealthChecks, type HealthChecks, registerHealthChecks } from './health.server.ts'
import { createMetrics, type MeasuredDatabase, measuredDatabase } from './metrics.server.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let database: OpenDatabase & { url: string }
let db: MeasuredDatabase
let watch: WriteWatch
let clock: number
const now = () => new Date(clock)
const pass = (ms: number) => {
  clock += ms
}
beforeAll(async () => {
  database = await openTestDatabase()
  // Stands for a disk that refuses: the engine's own error, with its own code.
  await database.script(`
    create table notes (words text);
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file "base/5/16384"' using errcode = tg_argv[0]; end $$`)
})
afterAll(() => database.close())
beforeEach(async () => {
  clock = Date.parse('2026-03-14T09:26:53Z')
  watch = createWriteWatch({ now })
  db = measuredDatabase(database, {
    connections: 1,
    onStatement() {},
    onFailure: watch.noteFailure,
  })
  await database.query(sql`delete from last_write`)
  await database.query(sql`delete from job_queue`)
})
afterEach(() => database.script('drop trigger if exists bad_disk on notes'))

const breakDisk = (code: string) =>
  database.script(
    `create trigger bad_disk before insert on notes for each row execute function refuse('${code}')`,
  )
const checksOf = (queue = createQueue(db, { now })) =>
  createHealthChecks({ db, watch, queue, dataDir: '.', now })

async function readyz(healthChecks: HealthChecks) {
  const site = Fastify()
  registerHealthChecks(site, db, { now, healthChecks })
  const answer = await site.inject('/readyz')
  await site.close()
  return [answer.statusCode, answer.json()]
}

test('one process writes every ten seconds, and the site says how long ago the last did', async () => {
  const other = createWriteWatch({ now })
  await watch.write(db)
  expect(await watch.figures(db)).toEqual({ writes: 'ok', lastWriteSeconds: 0 })
  pass(5_000)
  await other.write(db)
  expect(await watch.figures(db)).toEqual({ writes: 'ok', lastWriteSeconds: 5 })
  pass(5_000)
  await other.write(db)
  expect(await watch.figures(db)).toEqual({ writes: 'ok', lastWriteSeconds: 0 })
  pass(61_000)
  expect(await watch.figures(db)).toEqual({ writes: 'failing', lastWriteSeconds: 61 })
  // A time ahead is no reason to be content for long.
  pass(40 * DAY)
  await watch.write(db)
  pass(-40 * DAY)
  await watch.write(db)
  pass(61_000)
  expect(await watch.figures(db)).toEqual({ writes: 'failing', lastWriteSeconds: 61 })
})

test('a read-only database is ready, and says that writes fail and why', async () => {
  await watch.write(db)
  pass(20_000)
  await db
    .transaction(async (inside) => {
      await inside.query(sql`set transaction read only`)
      await watch.write(inside)
      throw new Error('undone')
    })
    .catch(() => {})
  expect(await readyz(checksOf())).toEqual([
    200,
    expect.objectContaining({
      status: 'ok',
      writes: 'failing',
      writesReason: 'read-only',
      lastWriteSeconds: 20,
    }),
  ])
})

describe('a disk that refuses', () => {
  let site: Http
  beforeEach(async () => {
    site = await createHttp({
      config: readConfig({ LOG_LEVEL: 'silent' }),
      pages: {
        keyOf: (url: string) => url,
        cache: { forget() {} } as never,
      },
    } as unknown as Parameters<typeof createHttp>[0])
    site.get('/api/v1/notes', () => db.query(sql`select words from notes`))
    site.post('/api/v1/notes', async () => {
      await db.transaction((db) => db.query(sql`insert into notes values ('tea')`))
      return {}
    })
    await site.ready()
  })
  afterEach(() => site.close())

  /** Linux alone can say it of a process that runs. */
  test.runIf(process.platform === 'linux')(
    'a disk is also full if a file can’t grow, whatever PostgreSQL calls it',
    async () => {
      const connection = await openPostgres({ url: database.url, connections: 1 })
      const limited = measuredDatabase(connection, {
        connections: 1,
        onStatement() {},
        onFailure: watch.noteFailure,
      })
      // What others of the run share is left alone: it writes nothing that they need.
      await limited.query(sql`create temporary table words (words text)`)
      const [backend] = await limited.query<{ pid: string }>(
        sql`select pg_backend_pid()::text as pid`,
      )
      const pid = backend?.pid as string
      const { uid, gid } = await stat(`/proc/${pid}`)
      const asOwner = process.getuid?.() === 0 ? { uid, gid } : {}
      expect(spawnSync('prlimit', ['--fsize=0', '--pid', pid], asOwner).status).toBe(0)
      await expect(limited.query(sql`insert into words values ('Hello')`)).rejects.toMatchObject({
        name: 'Unavailable',
        isFull: true,
      })
      expect(await watch.figures(db)).toMatchObject({
        writes: 'failing',
        writesReason: 'disk-full',
      })
      await connection.close()
    },
  )

  test('a full disk leaves reading alone, and a write answers 503 with a sentence, like /readyz', async () => {
    await watch.write(db)
    await breakDisk('53100')
    const refused = await site.inject({ method: 'POST', url: '/api/v1/notes' })
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBeDefined()
    expect(refused.json()).toEqual({
      error: {
        code: 'unavailable',
        message:
          'The site can’t save anything right now. You can keep reading. Please try again later.',
      },
    })
    expect((await site.inject('/api/v1/notes')).statusCode).toBe(200)
    // The beat may still find room in what is there: the refusal counts for more.
    pass(20_000)
    await watch.write(db)
    expect(await readyz(checksOf())).toEqual([
      200,
      expect.objectContaining({
        status: 'ok',
        database: 'ok',
        writes: 'failing',
        writesReason: 'disk-full',
        lastWriteSeconds: 0,
      }),
    ])
  })

  test('a failing disk isn’t the request’s fault, which can be repeated', async () => {
    await breakDisk('58030')
    const refused = await site.inject({ method: 'POST', url: '/api/v1/notes' })
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBeDefined()
    expect(refused.json()).toMatchObject({ error: { code: 'unavailable' } })
  })
})

test('a recurring task is late after two intervals and an hour', async () => {
  const queue = createQueue(db, { now, log: { warn() {}, error() {} } })
  let isBroken = false
  queue.every('tidy', DAY, async () => {
    if (isBroken) throw new Error('not today')
  })
  queue.every('count', HOUR, async () => {})
  await queue.drain()
  await database.query(sql`
    insert into job_queue (kind, due_at, recurs, done_at)
    values ('of-a-former-program', now(), true, '2020-01-01')`)
  await watch.write(db)
  expect(await readyz(checksOf(queue))).toMatchObject([200, { rounds: 'ok' }])

  isBroken = true
  for (let hours = 0; hours < 49; hours++) {
    pass(HOUR)
    await queue.drain()
  }
  const ages = async () =>
    Object.fromEntries(
      (await checksOf(queue).recurringTasks()).map(({ kind, ageSeconds, isLate }) => [
        kind,
        [ageSeconds / 3600, isLate],
      ]),
    )
  expect(await ages()).toEqual({ tidy: [49, false], count: [0, false] })
  pass(1_000)
  expect((await ages()).tidy?.[1]).toBe(true)
  expect(await readyz(checksOf(queue))).toMatchObject([200, { status: 'ok', rounds: 'late' }])
  isBroken = false
  pass(2 * HOUR)
  await queue.drain()
  expect(await readyz(checksOf(queue))).toMatchObject([200, { rounds: 'ok' }])
})

test('metrics show writes, disk space, recurring tasks and given-up jobs by reason', async () => {
  const queue = createQueue(db, { now })
  queue.every('tidy', DAY, async () => {})
  await queue.drain()
  await watch.write(db)
  await database.query(sql`
    insert into job_queue (kind, payload, due_at, given_up, given_up_on)
    select kind, '{"to": "dana@people.example"}', null, reason, '2026-03-14'
      from (values ('account-mail', 'refused-address'), ('digest-mail', 'refused-address'),
                   ('account-mail', 'may-have-arrived')) as put (kind, reason)`)
  pass(30_000)
  const metrics = createMetrics({ version: '1', buildTime: '' })
  metrics.watchQueue({ db, now, healthChecks: checksOf(queue) })
  const all = await metrics.text()
  for (const line of [
    'kettle_jobs_given_up{reason="refused-address"} 2',
    'kettle_jobs_given_up{reason="may-have-arrived"} 1',
    'kettle_database_last_write_seconds 30',
    'kettle_database_writes_failing 0',
    'kettle_round_age_seconds{kind="tidy"} 30',
  ])
    expect(all.split('\n')).toContain(line)
  expect(all).toMatch(/^kettle_disk_free_bytes [1-9]/m)
  expect(all).not.toContain('dana')
})

test('a check that can’t find out is unknown, and the others report', async () => {
  await watch.write(db)
  const healthChecks = { ...checksOf(), disk: () => Promise.reject(new Error('EACCES /secret')) }
  expect(await readyz(healthChecks)).toEqual([
    200,
    {
      status: 'ok',
      database: 'ok',
      migrations: 'ok',
      news: 'ok',
      queue: 'ok',
      limits: 'alone',
      writes: 'ok',
      lastWriteSeconds: 0,
      disk: 'unknown',
      rounds: 'ok',
    },
  ])
})
