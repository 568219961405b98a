/** A real, migrated database for a test file. Each test's writes are rolled back. */
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { Actor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { openDatabase } from '#app/platform/database/open-database.server.ts'
import { openPostgres } from '#app/platform/database/postgres.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { type Person, settle } from '../people.ts'
import { databaseAt } from './postgres-cluster.ts'

/** The moment when every test happens. */
export const NOW = new Date('2026-03-14T09:26:53Z')

/** The same person, this many minutes later. */
export function later<C extends Ctx>(ctx: C, minutes: number): C {
  const then = new Date(ctx.now().getTime() + minutes * 60_000)
  return { ...ctx, now: () => then }
}

/** A migrated database, prepared once for the whole run, or an empty one. */
export const openTestDatabase = ({ isEmpty = false } = {}) =>
  openCopy(isEmpty ? 'template0' : inject('postgresTemplate'))

/** The embedded database of a site in this folder. */
export const openInside = (dataDir: string) => openDatabase(readConfig({ DATA_DIR: dataDir }))

/** A new database on the run's PostgreSQL. Closing it drops it. */
export async function openCopy(template: string): Promise<OpenDatabase & { url: string }> {
  const server = inject('postgresUrl')
  const name = `kettle_${process.pid}_${Math.random().toString(36).slice(2)}`
  const admin = await openPostgres({ url: server, connections: 2 })
  await admin.query(sql`create database ${raw(name)} template ${raw(template)} encoding 'UTF8'`)
  const url = databaseAt(server, name)
  const database = await openPostgres({ url })
  return {
    ...database,
    url,
    async close() {
      await database.close()
      await admin.query(sql`drop database ${raw(name)} with (force)`)
      await admin.close()
    },
  }
}

export type Cast = Record<Person, Ctx>

export const testSecrets = createSecrets('the secret key of every test')

/**
 * Opens a database for the file. `as('vera', work)` runs `work` as that person in a transaction that never commits, so no
 * test sees another's writes.
 */
export function withDatabase() {
  let database: OpenDatabase
  let cast: Record<Person, Actor>
  beforeAll(async () => {
    database = await openTestDatabase()
    cast = await settle(database, testSecrets)
  })
  afterAll(() => database?.close())

  return {
    async as<Result>(name: Person, work: (ctx: Ctx) => Promise<Result>) {
      const undo = new Error('undone on purpose')
      let result: Result | undefined
      await database
        .transaction(async (db) => {
          result = await work({
            db,
            events: [],
            now: () => NOW,
            actor: cast[name],
            network: '127.0.0.1',
            secrets: testSecrets,
            queue: createQueue(database, { now: () => NOW }),
          })
          throw undo
        })
        .catch((error) => {
          if (error !== undo) throw error
        })
      return result as Result
    },
    /** Everyone in the cast, on the transaction of `ctx`. */
    castOn: (ctx: Ctx) =>
      Object.fromEntries(
        Object.entries(cast).map(([name, actor]) => [name, { ...ctx, actor }]),
      ) as Cast,
    /** For anything a transaction would hide, such as several connections or commits. Clean up yourself. */
    outside: () => database,
    /**
     * Waits until a connection waits for a lock. It asks outside of a transaction, because inside one, PostgreSQL keeps
     * showing the same snapshot of activity.
     */
    somebodyWaits: () =>
      expect
        .poll(() =>
          database.query(sql`
            select from pg_locks join pg_stat_activity using (pid)
             where not granted and datname = current_database()`),
        )
        .not.toHaveLength(0),
  }
}
