import { defineConfig, type TestProjectConfiguration } from 'vitest/config'

// Set here because workers inherit it: a date that is only right in one place is a bug to be seen.
process.env.TZ = 'UTC'
// `npm test -- --seed N` gives another one: see tests/support/seed.ts.
process.env.TEST_SEED ??= '1'
// No test may reach the database that a developer's shell happens to name.
delete process.env.DATABASE_URL
delete process.env.DATABASE_REPLICA_URL

const setupFiles = [
  'tests/support/seed.ts',
  'tests/support/console.ts',
  'app/server/url-can-parse.server.ts',
]
const databaseTests = ['app/**/*.db.test.ts', 'tests/*.db.test.ts']
/** What hangs on PostgreSQL's version, once more on the machine's own: tests/README.md says why each. */
const systemTests = [
  'app/server/migrate.db.test.ts',
  'app/server/backup.db.test.ts',
  'app/server/reorder.db.test.ts',
  'app/server/statement-names.db.test.ts',
  'app/server/lost-connections.db.test.ts',
  'app/features/companies/search/*.db.test.ts',
  'app/features/discussions/search/*.db.test.ts',
  'tests/at-once.db.test.ts',
  'tests/prepared-statements.db.test.ts',
]
/** Their modules are not those of others: each is a process of its own. */
const mockingTests = [
  'app/features/companies/deletion/company-deletion.db.test.ts',
  'app/features/importing/importing.db.test.ts',
  'app/pages/render.db.test.ts',
  'tests/hostile-rows.db.test.ts',
]
/** The others share one for each worker: to load the server takes longer than most tests. */
const shared = {
  isolate: false,
  setupFiles: [...setupFiles, 'tests/support/shared-process.ts'],
}
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
      name: 'database',
      include: databaseTests,
      exclude: mockingTests,
      globalSetup: 'tests/support/postgres-for-tests.ts',
      ...shared,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'database-apart',
      include: mockingTests,
      globalSetup: 'tests/support/postgres-for-tests.ts',
      setupFiles,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'system-postgres',
      include: systemTests,
      globalSetup: 'tests/support/postgres-for-tests.ts',
      ...shared,
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
