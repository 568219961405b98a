/** Plants each fault into a copy of the code, and asks the test file that must notice. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { access } from './access.ts'
import { anonymity } from './anonymity.ts'
import { consistency } from './consistency.ts'
import type { Fault } from './fault.ts'

const COPIED = ['app', 'tests', 'db', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']

const word = process.argv[2] ?? ''
const chosen = [...anonymity, ...access, ...consistency].filter(([name, file]) =>
  `${name} ${file}`.includes(word),
)
const copy = mkdtempSync(join(tmpdir(), 'kettle-faults-'))
let survivors = 0
try {
  for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  for (const fault of chosen) {
    const failed = whoNotices(fault)
    if (!failed) survivors++
    console.log(failed ? `seen      ${fault[0]}\n          by: ${failed}` : `SURVIVED  ${fault[0]}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${chosen.length - survivors} of ${chosen.length} faults were seen`)
process.exitCode = survivors > 0 ? 1 : 0

/** The test that fails with the fault in the copy. */
function whoNotices([name, file, from, to, tests, engine]: Fault) {
  const path = join(copy, file)
  const sound = readFileSync(path, 'utf8')
  if (sound.split(from).length !== 2)
    throw new Error(`"${name}": its place in ${file} is not there, or not alone`)
  writeFileSync(
    path,
    sound.replace(from, () => to),
  )
  try {
    return failedTest(tests, engine ?? (tests.endsWith('.db.test.ts') ? 'pglite' : 'unit'))
  } finally {
    writeFileSync(path, sound)
  }
}

/** A test that failed; a file that did not even load has seen nothing. */
function failedTest(tests: string, project: string) {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', project, tests, '--bail', '1', '--reporter', 'json']
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const { testResults }: VitestReport = JSON.parse(stdout.slice(stdout.indexOf('{"')))
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed')?.fullName
}

type VitestReport = {
  testResults: { assertionResults: { status: string; fullName: string }[] }[]
}
