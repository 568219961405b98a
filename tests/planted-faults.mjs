// npm run faults [-- WORD]: plants each fault below into a copy of the code and sees a test fail. A
// fault that every test survives is printed, and ends the run with an error. WORD picks some of them.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts } from './faults/accounts.mjs'
import { administration } from './faults/administration.mjs'
import { backup } from './faults/backup.mjs'
import { chaos } from './faults/chaos.mjs'
import { claims } from './faults/claims.mjs'
import { companies } from './faults/companies.mjs'
import { companyDeletion } from './faults/company-deletion.mjs'
import { consent } from './faults/consent.mjs'
import { contact } from './faults/contact.mjs'
import { dashboard } from './faults/dashboard.mjs'
import { discussions } from './faults/discussions.mjs'
import { endpoints } from './faults/endpoints.mjs'
import { findability } from './faults/findability.mjs'
import { following } from './faults/following.mjs'
import { importing } from './faults/importing.mjs'
import { importingAtOnce } from './faults/importing-at-once.mjs'
import { jobAlerts } from './faults/job-alerts.mjs'
import { jobSearch } from './faults/job-search.mjs'
import { jobs } from './faults/jobs.mjs'
import { moderation } from './faults/moderation.mjs'
import { notifications } from './faults/notifications.mjs'
import { operations } from './faults/operations.mjs'
import { ratings } from './faults/ratings.mjs'
import { replies } from './faults/replies.mjs'
import { requests } from './faults/requests.mjs'
import { scraping } from './faults/scraping.mjs'
import { specification } from './faults/specification.mjs'
import { tracking } from './faults/tracking.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/**
 * Name, file, what stands there, what the fault makes of it, and the test file that must notice; with
 * `postgres` behind it where the embedded database cannot.
 */
const FAULTS = [
  ...accounts,
  ...administration,
  ...claims,
  ...companies,
  ...contact,
  ...dashboard,
  ...discussions,
  ...following,
  ...importing,
  ...jobAlerts,
  ...jobs,
  ...moderation,
  ...notifications,
  ...ratings,
  ...replies,
  ...requests,
  ...scraping,
  ...specification,
  ...consent,
  ...operations,
  ...findability,
  ...endpoints,
  ...importingAtOnce,
  ...backup,
  ...companyDeletion,
  ...jobSearch,
  ...tracking,
  ...chaos,
]

const word = process.argv[2] ?? ''
const chosen = FAULTS.filter(([name, file]) => `${name} ${file}`.includes(word))
const copy = mkdtempSync(join(tmpdir(), 'kettle-faults-'))
const survived = []
try {
  for (const name of [
    'app',
    'tests',
    'db',
    'docs',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const [name, file, from, to, tests, project = projectOf(tests)] of chosen) {
    const path = join(copy, file)
    const sound = readFileSync(path, 'utf8')
    if (sound.split(from).length !== 2)
      throw new Error(`"${name}": its place in ${file} is not there, or not alone`)
    writeFileSync(
      path,
      sound.replace(from, () => to),
    )
    const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--project', project, tests, '--bail', '1', '--reporter', 'json']
    const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    writeFileSync(path, sound)
    const failed = failedTests(stdout)
    if (failed.length === 0) survived.push(name)
    console.log(
      failed.length > 0 ? `seen      ${name}\n          by: ${failed[0]}` : `SURVIVED  ${name}`,
    )
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${chosen.length - survived.length} of ${chosen.length} faults were seen`)
process.exitCode = survived.length > 0 ? 1 : 0

function projectOf(tests) {
  return tests.endsWith('.db.test.ts') ? 'pglite' : 'unit'
}

/** A test that failed; a file that did not even load has seen nothing. */
function failedTests(report) {
  const start = report.indexOf('{"')
  const { testResults } = JSON.parse(report.slice(start))
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName)
}
