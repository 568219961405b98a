// npm test

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readCommand } from './command.mjs'
import { build, install, PreparationFailed, root, seconds, tool } from './prepare.mjs'
import { partOfDay, runPart } from './proof.mjs'
import { changedFiles, testsReachedBy } from './reached.mjs'
import { becomes, run } from './run.mjs'

const {
  testNamePattern: title,
  changed: isChanged,
  watch: isWatching,
  'with-proof': hasProof,
  ...given
} = readCommand({
  name: 'test',
  does:
    'Checks everything that must hold, and ends with `N passed, N failed, N skipped`. With words, it only runs the tests they ' +
    'name, including slow ones and the proof’s. When a step fails, the next ones still run.',
  options: {
    testNamePattern: {
      word: 'WORDS',
      short: 't',
      says: 'only tests with these words in their title',
    },
    changed: { says: 'only tests that your changes affect' },
    watch: { says: 'runs unit and database tests again on each save' },
    seed: { number: 1, says: 'repeats a failed run: all randomness follows from it' },
    'with-proof': { says: 'also runs today’s part of npm run proof' },
  },
  words: '[PART OF A PATH …]',
  example: "npm test -- companies -t 'a stranger'",
})
const seed = String(given.seed)
const words = [...given.words, ...(title === undefined ? [] : ['-t', title])]
process.chdir(root)
const total = { passed: 0, failed: 0, skipped: 0 }
const reports = mkdtempSync(join(tmpdir(), 'kettle-test-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
/** Vitest's report on each project that ran. */
const written = []
/** Tests that can't run here, and why. */
const skips = []
const failures = []

const env = { TZ: 'UTC', NODE_ENV: 'test', TEST_SEED: seed }
// If you name a file, you want all of it.
if (words.length > 0) env.SLOW = 'yes'

/**
 * Processor time of the whole machine, in seconds, because not all databases and browsers are children of
 * this process.
 */
const processorTime = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000

function clock() {
  const [began, spent] = [Date.now(), processorTime()]
  return () => `${seconds(began)} (${(processorTime() - spent).toFixed(1)} s of processor time)`
}

async function step(title, work) {
  console.log(`\n── ${title}`)
  const time = clock()
  const { passed, failed, skipped, names = [] } = await work()
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  if (failed > 0) failures.push([`${title}: ${failed} failed`, ...names].join('\n      '))
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`
  console.log(`── ${title}: ${counts} in ${time()}`)
  return { passed, failed, skipped }
}

/** A step that counts as one test. */
const oneTest = (title, work) =>
  step(title, async () => {
    const passed = await work()
    return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 }
  })
/** Passes if the program exits with 0. */
const check = (title, args) => oneTest(title, () => run(args, env))

/** A vitest project's tests, and the tests of its proof that the words name. */
const tests = (title, project, proof) =>
  step(title, async () => {
    const file = join(reports, `${project.replace('*', '')}.json`)
    const chosen = [
      `--project=${project}`,
      ...(proof && words.length > 0 ? [`--project=${proof}`] : []),
      // A whole run without tests is an error. Named tests may be in another project.
      ...(words.length > 0 ? ['--passWithNoTests', ...words] : []),
    ]
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const went = await run([tool('vitest', 'vitest'), 'run', ...chosen, ...reporters], env)
    const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    if (report) written.push(report)
    const counts = report && countsIn(report)
    const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 }
    // A run can also fail between tests, if PostgreSQL doesn't start or a rejection goes unhandled.
    const names = report ? failedIn(report) : []
    return { passed, failed: failed === 0 && !went ? 1 : failed, skipped, names }
  })

// A file that can't be loaded fails without any failed test.
const brokenIn = (report) =>
  report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  )

/** Each failed test with the first line of its error, so the end of a log is enough to read. */
function failedIn(report) {
  const line = (name, why, title) =>
    [relative(root, name), title, stripVTControlCharacters(why ?? '').split('\n')[0]]
      .filter(Boolean)
      .join(' › ')
  return [
    ...report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => line(name, failureMessages[0], fullName)),
    ),
    ...brokenIn(report).map(({ name, message }) => line(name, message)),
  ]
}

function countsIn(report) {
  // With -t, vitest counts everything else as skipped.
  const byName = words.some((word) => /^(-t|--testNamePattern)\b/.test(word))
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenIn(report).length,
    skipped: byName ? 0 : report.numPendingTests + report.numTodoTests,
  }
}

function skip(count, reason) {
  total.skipped += count
  skips.push(reason)
  console.log(`\n── ${reason}`)
}

async function databaseTests() {
  await tests('Database tests', 'database*')
  // The same files on another version, only in whole runs or if you name one.
  if (isChanged) return
  const { findPostgres } = await typescript('../tests/support/postgres-cluster.ts')
  if (findPostgres())
    await tests('Database tests on the machine’s own PostgreSQL', 'system-postgres')
  else
    skip(
      1,
      'No PostgreSQL in PATH or /usr/lib/postgresql, so tests that depend on its version were skipped',
    )
}

async function journeys() {
  const names = words.filter((word) => !word.startsWith('-'))
  const ending = names.length > 0 ? /\.(journey|proof)\.ts$/ : /\.journey\.ts$/
  const files = existsSync('tests/journeys')
    ? readdirSync('tests/journeys').filter((name) => ending.test(name))
    : []
  const wanted = files.some((file) => names.some((name) => `tests/journeys/${file}`.includes(name)))
  // Building the site takes longer than most unit tests.
  if (names.length > 0 && !wanted) return

  const reason = await whatJourneysLack()
  if (reason) {
    skip(files.length, `Browser journeys: ${reason}, so ${files.length} files were skipped`)
    return
  }
  try {
    console.log()
    await build()
  } catch (error) {
    if (!(error instanceof PreparationFailed)) throw error
    console.log(error.message)
    total.failed += 1
    failures.push('Build: 1 failed')
    skip(files.length, `Browser journeys: the build failed, so ${files.length} files were skipped`)
    return
  }
  await tests('Browser journeys', 'journeys', 'proof-journeys')
}

/** Undefined if there's a browser, or one could be installed. */
async function whatJourneysLack() {
  const { findChromium } = await typescript('../tests/support/chromium.ts')
  if (findChromium()) return undefined
  const none = 'no Chromium in PATH or in Playwright’s folder'
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))
    return `${none} (as root on Debian, npm test installs one)`
  console.log('\nInstalling Chromium from the system’s packages …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8' })
  const install = (name) => apt('install', '-y', '--no-install-recommends', name)
  apt('update')
  // The light version has had its own package since Debian 12.
  const light = install('chromium-headless-shell')
  const { status, stderr, error } = light.status === 0 ? light : install('chromium')
  if (status !== 0)
    return `${none}, and apt-get couldn’t install one (${(stderr || error?.message || `status ${status}`).trim()})`
  return findChromium() ? undefined : none
}

/** Counts as one test: a test of every row of docs/specification.md has passed in this run. */
const specification = () =>
  step('The specification, row by row', async () => {
    const { rowsOf, unproved } = await typescript('../tests/specification.ts')
    const rows = rowsOf(readFileSync('docs/specification.md', 'utf8'))
    const open = unproved(rows, written)
    // Without a browser, the run has already said so.
    const isJourney = ({ proof }) => proof.file.startsWith('tests/journeys/')
    const hasJourneys = written.some(({ testResults }) =>
      testResults.some(({ name }) => name.includes('/tests/journeys/')),
    )
    const skipped = hasJourneys ? [] : open.filter(isJourney)
    const failed = open.filter((it) => !skipped.includes(it))
    for (const { row, proof } of failed)
      console.log(`   ${row.id} ${row.asks}\n      did not pass: ${proof.file} › ${proof.title}`)
    if (failed.length > 0) return { passed: 0, failed: 1, skipped: 0 }
    if (skipped.length === 0) return { passed: 1, failed: 0, skipped: 0 }
    const count = new Set(skipped.map(({ row }) => row.id)).size
    skips.push(`The specification: ${count} of ${rows.length} rows need a browser`)
    return { passed: 0, failed: 0, skipped: 1 }
  })

function proof() {
  const name = partOfDay()
  return oneTest(`Proof of the day: ${name}`, () => runPart(name, env))
}

/** Imports our own TypeScript through tsx, which exists once packages are installed. */
async function typescript(path) {
  const { tsImport } = await import('tsx/esm/api')
  return tsImport(path, import.meta.url)
}

/** What to look at first when runs become slow. */
function showDearest() {
  const files = written
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime }) => ({ name, took: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.took - one.took)
  console.log('\n── The ten slowest files')
  for (const { name, took } of files.slice(0, 10))
    console.log(`   ${took.toFixed(1).padStart(6)} s  ${relative(root, name)}`)
}

/** The tests that your changes affect. */
function wordsForChanges() {
  const changed = changedFiles()
  const reached = testsReachedBy(changed)
  console.log(
    `\n── Changed files: ${changed.length}. Test files that depend on them: ${reached.length}`,
  )
  for (const file of reached.slice(0, 20)) console.log(`   ${file}`)
  if (reached.length > 20) console.log(`   and ${reached.length - 20} more`)
  return reached
}

async function everything() {
  await install()
  if (isChanged) words.push(...wordsForChanges())
  const isWhole = words.length === 0 && !isChanged
  if (isWhole || isChanged) await check('Types', [tool('typescript', 'tsc'), '--noEmit'])
  if (isWhole) {
    const colors = process.stdout.isTTY ? [] : ['--colors=off']
    await check('Lint', [tool('@biomejs/biome', 'biome'), 'ci', ...colors, '.'])
    await check('Walls between the rooms', ['scripts/walls.mjs'])
  }
  if (isWhole || words.length > 0) {
    await tests('Unit tests', 'unit*')
    await databaseTests()
    await journeys()
  }
  if (isWhole) {
    await specification()
    showDearest()
  }
  if (hasProof) await proof()
}

if (isWatching) {
  await install()
  const wanted = words.length > 0 ? words : ['--standalone']
  const projects = ['--project=unit*', '--project=database*']
  becomes([tool('vitest', 'vitest'), 'watch', ...projects, ...wanted], { NODE_ENV: 'test' })
} else {
  const time = clock()
  try {
    await everything()
  } catch (error) {
    total.failed += 1
    failures.push(
      error instanceof PreparationFailed ? error.message : String(error?.stack ?? error),
    )
  }
  console.log(`\n── Finished in ${time()}, seed ${seed}`)
  for (const failure of failures) console.log(`   ${failure}`)
  for (const reason of skips) console.log(`   ${reason}`)
  if (total.passed === 0 && total.failed === 0) console.log('   No tests match.')
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}
