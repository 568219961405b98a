import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's address on the PostgreSQL for this run; only in the project `postgres`. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run: TEST_DATABASE_URL if given, else one of our own. */
export default async function postgresForTests(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    project.provide('postgresUrl', given)
    return
  }
  const { url, stop } = await startPostgres()
  project.provide('postgresUrl', url)
  return stop
}
