import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { findPostgres } from './tests/support/postgres-cluster.ts'

// Set here because workers inherit it: a date that is only right in one place is a bug to be seen.
process.env.TZ = 'UTC'
// No test may reach the database that a developer's shell happens to name.
delete process.env.DATABASE_URL
delete process.env.DATABASE_REPLICA_URL

const setupFiles = ['tests/support/console.ts', 'app/server/url-can-parse.server.ts']
const databaseTests = ['app/**/*.db.test.ts', 'tests/*.db.test.ts']
/**
 * They prove who may do what, and what is no sense; that hangs on no engine, and takes a minute on the
 * embedded one. By command, with many requests, both are asked.
 */
const ONE_ENGINE_DOES = process.env.FUZZ_REQUESTS
  ? []
  : ['tests/endpoint-roles.db.test.ts', 'tests/fuzz.db.test.ts', 'tests/hostile-rows.db.test.ts']
const hasPostgres = Boolean(process.env.TEST_DATABASE_URL || findPostgres())
/** Only what hangs ends here: a machine at four times its load takes minutes for what takes seconds. */
const patience = { testTimeout: 600_000, hookTimeout: 600_000 }

const projects: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'unit',
      include: ['app/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
      exclude: databaseTests,
      setupFiles,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'pglite',
      include: databaseTests,
      exclude: hasPostgres ? ONE_ENGINE_DOES : [],
      env: { TEST_ENGINE: 'pglite' },
      globalSetup: 'tests/support/pglite-for-tests.ts',
      setupFiles,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'postgres',
      include: databaseTests,
      env: { TEST_ENGINE: 'postgres' },
      globalSetup: 'tests/support/postgres-for-tests.ts',
      setupFiles,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'journeys',
      include: ['tests/journeys/*.journey.ts'],
      maxConcurrency: 2,
      sequence: { groupOrder: 1 },
      globalSetup: 'tests/support/world-for-tests.ts',
      setupFiles,
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  },
]

export default defineConfig({
  test: {
    projects,
    // Half of what a test file does is waiting: for its database, for a process.
    maxWorkers: '100%',
    // What a passing test prints is noise.
    silent: 'passed-only',
    // As with all patience here, only what never comes ends it.
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
