// npm run proof

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readCommand } from './command.mjs'
import { prepare, root, tool } from './prepare.mjs'
import { codeIn } from './reached.mjs'
import { run } from './run.mjs'

const RECORD = 'docs/proof.json'
const DAY_MS = 86_400_000

/** Looked up only when it runs, because an empty clone has no packages yet. */
const vitest = (...words) => ['vitest', 'run', ...words]
/** The test files that contain these words. Looked up when a part runs, because `npm test` only needs the parts' names. */
const testsThatSay = (words, ending) =>
  codeIn('app', 'tests').filter(
    (file) => file.endsWith(ending) && words.test(readFileSync(join(root, file), 'utf8')),
  )
const journeys = (...names) =>
  vitest('--project=proof-journeys', ...names.map((name) => `tests/journeys/${name}.proof.ts`))

/**
 * `inTurn` means it takes at most fifteen minutes and needs only what `npm test` needs, so CI runs it when its day
 * comes. Run parts that judge times or take hours by hand.
 * @type {Record<string, { shows: string; inTurn?: boolean; run: string[]; env?: Record<string, string> }>}
 */
export const PARTS = {
  town: {
    shows:
      'stealing a simulated town’s data, with or without the keys, unmasks no one, nor do employers’ payrolls. Planted leaks are found',
    inTurn: true,
    run: ['scripts/unmask.mjs', '--population=130', '--days=7', '--with-keys', '--plants'],
  },
  screens: {
    shows:
      'axe finds nothing on any screen, width or theme. Nothing shifts, covers a button or overflows',
    inTurn: true,
    run: journeys('accessibility', 'overlays', 'layout-shift', 'long-words'),
  },
  chaos: {
    shows: 'two processes survive five minutes of failures. Nothing is lost or doubled',
    inTurn: true,
    run: ['scripts/chaos.mjs', '--minutes=5', '--seed=21'],
  },
  credentials: {
    shows:
      'ratings, pay, interviews and benefits with credentials, badges, and moving the secret to another device',
    inTurn: true,
    run: journeys(
      'badge',
      'benefits',
      'credential-ratings',
      'interviews',
      'pay',
      'rating-secret',
      'recorded-rating',
      'waiting-ratings',
    ),
  },
  kill: {
    shows: 'killing the site and its database twenty times while people write loses nothing',
    inTurn: true,
    run: ['scripts/kill.mjs', '--times=20', '--seed=7'],
  },
  members: {
    shows:
      'a member’s first weeks and saved items, an employer’s first visit, second factors, two tabs, unsaved text, every count, the site over Tor',
    inTurn: true,
    run: journeys(
      ...['counts', 'dashboard', 'factors', 'first-weeks', 'onion', 'own-things', 'step-up'],
      ...['two-tabs', 'unsaved'],
    ),
  },
  talk: {
    shows:
      'reading, quoting, replying and job alerts by keyboard, job feeds, and how many requests a page makes',
    inTurn: true,
    run: journeys(
      ...['asked-once', 'company-page', 'job-feeds', 'jobs', 'keyboard', 'quoting', 'replies'],
    ),
  },
  ways: {
    shows:
      'navigation, lists and pages, imports, merges, moderation, and what people see when the server fails',
    inTurn: true,
    run: journeys(
      ...['failures', 'finder', 'getting-around', 'importing', 'lists', 'merging', 'moderation'],
      'thread-search',
    ),
  },
  requests: {
    shows: '100,000 random requests to every endpoint',
    inTurn: true,
    run: ['scripts/fuzz.mjs', '--requests=100000', '--seed=20260314'],
  },
  whole: {
    shows:
      'everything that normal runs only sample: error messages, ids, fields, hostile titles, concurrent changes',
    inTurn: true,
    get run() {
      return vitest('--project=database*', ...testsThatSay(/\b(amount|someOf)\(/, '.db.test.ts'))
    },
    env: { AMOUNTS: 'whole' },
  },
  machines: {
    shows:
      'the embedded database, losing a database, a standby, a backup from 0.1, rolling upgrades, restarts behind nginx, commands on a running site, several processes with and without Redis',
    inTurn: true,
    run: journeys(
      ...['embedded', 'lost-database', 'processes', 'restarting', 'running-commands', 'standby'],
      ...['upgrade', 'workers'],
    ),
  },
  slow: {
    shows:
      'the slow tests that normal runs leave out; searches and plans on the machine’s own PostgreSQL',
    inTurn: true,
    get run() {
      return vitest(
        ...['--project=unit*', '--project=database*', '--project=system-postgres'],
        ...testsThatSay(/\bslow\.test\b/, '.test.ts'),
        ...['companies/search/', 'discussions/search/', 'tests/prepared-statements'],
      )
    },
    env: { SLOW: 'yes' },
  },
  visits: {
    shows: 'the slow browser tests that normal runs leave out',
    inTurn: true,
    get run() {
      return vitest('--project=journeys', ...testsThatSay(/\b(slow\.test|amount)\b/, '.journey.ts'))
    },
    env: { AMOUNTS: 'whole' },
  },
  presentations: {
    shows: '100,000 random presentations of credentials are all refused',
    run: vitest('--project=unit', 'app/api/credential/fuzz.test.ts'),
    env: { FUZZ_PRESENTATIONS: '100000' },
  },
  timing: {
    shows: 'verifying 100,000 presentations, valid and invalid, takes the same time',
    run: ['tsx', 'bench/verifying.ts', '--times=12500'],
  },
  watched: {
    shows:
      'watching every request in a simulated town doesn’t reveal who rated. Five planted leaks are found',
    run: ['scripts/unmask.mjs', '--population=110', '--days=3', '--live'],
  },
  planted: {
    shows: 'a test catches each fault planted in a rule about access, anonymity or consistency',
    run: ['scripts/faults.mjs', '--only=planted'],
  },
  mutants: {
    shows: 'tests catch at least 95 of 100 changes to critical code',
    run: ['scripts/faults.mjs', '--only=mutants'],
  },
  cluster: {
    shows:
      'killing and freezing the primary of three database machines while people write loses nothing',
    run: ['scripts/cluster.mjs'],
  },
  bench: { shows: 'the table of docs/performance.md', run: ['scripts/bench.mjs'] },
  evening: {
    shows: '200 people of every kind use a small site at once, and nothing is refused',
    run: ['scripts/bench.mjs', '--evening', '--short'],
  },
  lighthouse: {
    shows: 'Lighthouse, on a slow phone',
    run: ['scripts/bench.mjs', '--only=lighthouse'],
  },
}

/** The part that CI runs today. */
export function partOfDay(now = Date.now()) {
  const inTurn = Object.keys(PARTS).filter((name) => PARTS[name].inTurn)
  return inTurn[Math.floor(now / DAY_MS) % inTurn.length]
}

const recorded = () => (existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {})

/**
 * @param env its environment, besides the part's own
 * @returns whether it passed; if so, it's recorded
 */
export async function runPart(name, env = {}) {
  const { run: words, env: own } = PARTS[name]
  const began = Date.now()
  const [program, ...others] = words
  const script = ['tsx', 'vitest'].includes(program) ? tool(program, program) : program
  if (!(await run([script, ...others], { TZ: 'UTC', NODE_ENV: 'test', ...env, ...own })))
    return false
  const passed = {
    passed: new Date().toISOString().slice(0, 10),
    commit: commit(),
    seconds: Math.round((Date.now() - began) / 1000),
  }
  writeFileSync(RECORD, `${JSON.stringify({ ...recorded(), [name]: passed }, null, 2)}\n`)
  return true
}

function commit() {
  const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim()
  try {
    const isChanged = git('status', '--porcelain', '--', '.', `:!${RECORD}`) !== ''
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' and changes' : '')
  } catch {
    return 'not a repository'
  }
}

function list() {
  const record = recorded()
  for (const [name, { shows, inTurn }] of Object.entries(PARTS)) {
    const { passed, commit, seconds } = record[name] ?? {}
    const last = passed ? `passed ${passed} on ${commit} in ${seconds} s` : 'hasn’t passed yet'
    console.log(`${name.padEnd(14)}${last}${inTurn ? '' : ' (by hand)'}\n${' '.repeat(14)}${shows}`)
  }
  console.log(`\nToday CI runs ${partOfDay()}.`)
}

async function main() {
  const { list: isList, words } = readCommand({
    name: 'proof',
    does:
      'Checks what must hold but takes too long for every `npm test`: all of it, or the parts you name. Parts that pass are ' +
      `recorded in ${RECORD}; commit that.`,
    options: {
      list: { says: 'shows when each part last passed, on which commit, and how long it took' },
    },
    words: '[PART …]',
    example: 'npm run proof -- town kill',
  })
  const unknown = words.find((name) => !(name in PARTS))
  if (unknown) {
    console.error(`There’s no part called "${unknown}". npm run proof -- --list names them all.`)
    process.exit(2)
  }
  process.chdir(root)
  if (isList) return list()
  await prepare()
  const failed = []
  for (const name of words.length > 0 ? words : Object.keys(PARTS)) {
    console.log(`\n── ${name}: ${PARTS[name].shows}`)
    if (!(await runPart(name))) failed.push(name)
  }
  console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nAll passed.')
  process.exitCode = failed.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
