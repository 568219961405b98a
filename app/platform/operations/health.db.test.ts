import Fastify, { type FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { afterEach, expect, test } from 'vitest'
import { NOW, withDatabase } from '#tests/support/database.ts'
import type { Database } from '../database/database.server.ts'
import { type Migration, migrationOf, ourMigrations } from '../database/migrations.server.ts'
import { registerHealthChecks } from './health.server.ts'
import { shutdownOf } from './shutdown.server.ts'

const { as } = withDatabase()
const sites: FastifyInstance[] = []
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close()
})

function openSite(db: Database, known?: Migration[]) {
  const site = Fastify()
  sites.push(site)
  registerHealthChecks(site, db, { now: () => NOW, ...(known && { known }) })
  const ask = async (url = '/readyz') => {
    const { statusCode, json } = await site.inject(url)
    return [statusCode, json()]
  }
  return { site, ask }
}

const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString()
const addJob = (db: Database, dueAt: string | null, attempts = 0, recurs = false) =>
  db.query(sql`insert into job_queue (kind, due_at, attempts, recurs)
               values (${recurs ? 'swept' : 'sent'}, ${dueAt}, ${attempts}, ${recurs})`)

test('a process is ready if the database answers with every migration and the queue moves', () =>
  as('ada', async ({ db }) => {
    const { ask } = openSite(db)
    expect(await ask()).toEqual([
      200,
      { status: 'ok', database: 'ok', migrations: 'ok', queue: 'ok', news: 'ok', limits: 'alone' },
    ])
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
  }))

test('a stuck queue is reported, but the process stays ready', () =>
  as('ada', async ({ db }) => {
    await addJob(db, minutesAgo(11))
    expect(await openSite(db).ask()).toEqual([
      200,
      {
        status: 'ok',
        database: 'ok',
        migrations: 'ok',
        queue: 'stuck',
        news: 'ok',
        limits: 'alone',
      },
    ])
    // Other tasks are being done, so the queue is only behind.
    await addJob(db, minutesAgo(-1), 1)
    expect((await openSite(db).ask())[1]).toMatchObject({ status: 'ok', queue: 'behind' })
  }))

test('given-up jobs and recurring tasks of an older version don’t count as stuck', () =>
  as('ada', async ({ db }) => {
    await addJob(db, null, 81)
    await addJob(db, minutesAgo(60 * 24 * 30), 0, true)
    await addJob(db, minutesAgo(9))
    expect((await openSite(db).ask())[1]).toMatchObject({ status: 'ok', queue: 'ok' })
  }))

test('a process is unready if the database lacks a migration', () =>
  as('ada', async ({ db }) => {
    const known = [...(await ourMigrations()), migrationOf('9999_of_tomorrow.sql', '')]
    expect(await openSite(db, known).ask()).toEqual([
      503,
      expect.objectContaining({ status: 'unavailable', database: 'ok', migrations: 'missing' }),
    ])
  }))

test('a process is ready with a newer schema only if that’s compatible', () =>
  as('ada', async ({ db }) => {
    await db.query(
      sql`insert into migrations (name, is_compatible) values ('9998_newer.sql', true)`,
    )
    expect((await openSite(db).ask())[0]).toBe(200)
    await db.query(sql`insert into migrations (name) values ('9999_newer.sql')`)
    expect(await openSite(db).ask()).toEqual([
      503,
      expect.objectContaining({ status: 'unavailable', database: 'ok', migrations: 'newer' }),
    ])
  }))

test('a process is unready if the database doesn’t answer, and nothing of its error gets out', async () => {
  const db = { query: () => Promise.reject(new Error('password of kettle@10.0.0.7')) }
  const { ask } = openSite(db as unknown as Database)
  expect(await ask()).toEqual([
    503,
    {
      status: 'unavailable',
      database: 'unreachable',
      migrations: 'unknown',
      queue: 'unknown',
      news: 'ok',
      limits: 'alone',
    },
  ])
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
})

test('a silent database is asked for three seconds, once for all callers', async () => {
  let asked = 0
  const db = {
    query: () => {
      asked++
      return new Promise(() => {})
    },
  }
  const { ask } = openSite(db as unknown as Database)
  const answers = await Promise.all([ask(), ask(), ask()])
  expect(answers.map(([status]) => status)).toEqual([503, 503, 503])
  expect(asked).toBe(1)
})

test('a process is unready as soon as its stop begins', () =>
  as('ada', async ({ db }) => {
    const { site, ask } = openSite(db)
    expect((await ask())[0]).toBe(200)
    const stopped = shutdownOf(site).begin(1_000)
    expect(await ask()).toEqual([
      503,
      {
        status: 'stopping',
        database: 'ok',
        migrations: 'ok',
        queue: 'ok',
        news: 'ok',
        limits: 'alone',
      },
    ])
    await stopped
  }))
