import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { openPostgres } from '#app/platform/database/postgres.server.ts'
import {
  type Cluster,
  databaseAt,
  findPostgres,
  startPostgres,
} from '../support/postgres-cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's address on this run's PostgreSQL. */
    postgresUrl: string
    /** A migrated database on it, which each test file copies. The project `journeys` has none. */
    postgresTemplate: string
  }
}

export default async function postgresForTests(project: TestProject) {
  const isSystems = project.name === 'system-postgres'
  const { url, stop } = await (isSystems
    ? startPostgres({ programs: findPostgres() })
    : clusterForRun())
  const template = `kettle_migrated_${process.pid}`
  await ask(url, `create database ${template} template template0 encoding 'UTF8'`)
  const database = await openPostgres({ url: databaseAt(url, template), connections: 1 })
  await migrate(database).finally(() => database.close())
  project.provide('postgresUrl', url)
  project.provide('postgresTemplate', template)
  return async () => {
    await ask(url, `drop database ${template}`)
    await stop()
  }
}

/** One PostgreSQL for a whole run: TEST_DATABASE_URL if given, otherwise the embedded one. */
export async function clusterForRun(): Promise<Cluster> {
  const given = process.env.TEST_DATABASE_URL
  return given ? { url: given, stop: async () => {} } : startPostgres()
}

export async function ask(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
