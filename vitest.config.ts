import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Set here because workers inherit the time zone. A date that's only right in one time zone is a bug.
process.env.TZ = 'UTC'
// `npm test -- --seed N` sets another seed: see tests/setup/seed.ts.
process.env.TEST_SEED ??= '1'
// Keep tests away from any database set in the developer's shell.
delete process.env.DATABASE_URL
delete process.env.DATABASE_REPLICA_URL

const setupFiles = [
  'tests/setup/seed.ts',
  'tests/setup/worker.ts',
  'app/platform/http/url-can-parse.server.ts',
]
const databaseTests = ['app/**/*.db.test.ts', 'tests/*.db.test.ts']
/** Tests that depend on PostgreSQL's version also run on the machine's own. tests/README.md says why. */
const systemTests = [
  'app/platform/database/migrate.db.test.ts',
  'app/platform/database/reorder.db.test.ts',
  'app/platform/database/statement-names.db.test.ts',
  'app/platform/database/lost-connections.db.test.ts',
  'tests/at-once.db.test.ts',
]
/** These also do if you name them, and in `npm run proof`. */
if (process.env.SLOW === 'yes' || process.env.AMOUNTS === 'whole')
  systemTests.push(
    'app/platform/operations/backup.db.test.ts',
    'app/companies/search/*.db.test.ts',
    'app/community/discussions/search/*.db.test.ts',
    'tests/prepared-statements.db.test.ts',
  )
/** Tests that replace modules. */
const mockingTests = ['app', 'tests']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file}`))
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
  .filter((file) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8')))
/** Tests of code that runs in a page, where modules remember who's here, what was announced and what's open. */
const pageTests = [
  'app/**/*.test.tsx',
  'app/**/*.data.test.ts',
  'app/kit/{ui,session}/**/*.test.ts',
]
/** Each worker's files share a process, because loading the server takes longer than most tests. */
const shared = {
  isolate: false,
  setupFiles: [...setupFiles, 'tests/setup/shared-process.ts'],
}
/** These files share a process, too, but each loads its own modules. */
const fresh = {
  isolate: false,
  setupFiles: [...setupFiles, 'tests/setup/fresh-modules.ts'],
}
/**
 * So long that only tests that hang reach it: an overloaded machine takes minutes for what usually takes
 * seconds.
 */
const patience = { testTimeout: 600_000, hookTimeout: 600_000 }

/**
 * The same order on every machine, with the largest files first, so no large file starts last. Another seed
 * gives another order, which reveals tests that depend on each other.
 */
class LargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const seed = process.env.TEST_SEED
    const rank = ({ moduleId }: TestSpecification) =>
      seed === '1'
        ? statSync(moduleId).size
        : createHash('sha256')
            .update(`${seed} ${moduleId.slice(import.meta.dirname.length)}`)
            .digest()
            .readUInt32BE()
    // A process belongs to one project, so alternating between projects would restart it each time.
    return files.toSorted(
      (one, other) => one.project.name.localeCompare(other.project.name) || rank(other) - rank(one),
    )
  }
}

const browsing = {
  maxConcurrency: 2,
  globalSetup: 'tests/setup/world-for-tests.ts',
  ...shared,
  ...patience,
}

const projects: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'unit',
      include: ['app/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
      exclude: [...databaseTests, ...mockingTests, ...pageTests],
      ...shared,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'unit-fresh',
      include: [...pageTests, ...mockingTests],
      exclude: databaseTests,
      ...fresh,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'database',
      include: databaseTests,
      exclude: mockingTests,
      globalSetup: 'tests/setup/postgres-for-tests.ts',
      ...shared,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'database-fresh',
      include: mockingTests.filter((file) => file.endsWith('.db.test.ts')),
      globalSetup: 'tests/setup/postgres-for-tests.ts',
      ...fresh,
      ...patience,
    },
  },
  {
    extends: true,
    test: {
      name: 'system-postgres',
      include: systemTests,
      globalSetup: 'tests/setup/postgres-for-tests.ts',
      ...shared,
      ...patience,
    },
  },
  {
    extends: true,
    test: { name: 'journeys', include: ['tests/journeys/*.journey.ts'], ...browsing },
  },
  // Too slow for every run. scripts/proof.mjs says which run next.
  {
    extends: true,
    test: { name: 'proof-journeys', include: ['tests/journeys/*.proof.ts'], ...browsing },
  },
]

export default defineConfig({
  test: {
    projects,
    sequence: { sequencer: LargestFirst },
    // Test files spend half their time waiting for the database or a process.
    maxWorkers: '100%',
    // The output of passing tests is noise.
    silent: 'passed-only',
    // Reached only if something never happens. At a keyboard, tests give up sooner.
    expect: { poll: { timeout: process.env.CI ? 540_000 : 60_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
