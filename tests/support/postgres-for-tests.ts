import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../app/server/migrate.server.ts'
import { openPostgres } from '../../app/server/postgres.server.ts'
import { startPostgres } from './postgres-cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's address on the PostgreSQL for this run; only in the project `postgres`. */
    postgresUrl: string
    /** A migrated database there, of which each test file's is a copy. */
    postgresTemplate: string
  }
}

/** One PostgreSQL for the whole run: TEST_DATABASE_URL if given, else one of our own. */
export default async function postgresForTests(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL
  const { url, stop } = given ? { url: given, stop: async () => {} } : await startPostgres()
  const template = `kettle_migrated_${process.pid}`
  await ask(url, `create database ${template} template template0 encoding 'UTF8'`)
  const address = Object.assign(new URL(url), { pathname: template }).href
  const database = await openPostgres({ url: address, connections: 1 })
  await migrate(database).finally(() => database.close())
  project.provide('postgresUrl', url)
  project.provide('postgresTemplate', template)
  return async () => {
    await ask(url, `drop database ${template}`)
    await stop()
  }
}

async function ask(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
