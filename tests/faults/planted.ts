/** Faults that no mutation operator produces, each planted in a copy of the code. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { access } from './access.ts'
import { anonymity } from './anonymity.ts'
import { consistency } from './consistency.ts'
import type { Fault } from './fault.ts'
import { secondFactors } from './second-factors.ts'

export const PLANTED = [...anonymity, ...access, ...secondFactors, ...consistency]

const COPIED = ['app', 'tests', 'db', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']

/** Prints which test noticed each fault. Returns how many were noticed. */
export function plantFaults(faults: Fault[]) {
  const copy = mkdtempSync(join(tmpdir(), 'kettle-faults-'))
  let seen = 0
  try {
    const filter = (path: string) => !path.includes('node_modules')
    for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true, filter })
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
    for (const fault of faults) {
      const failed = whoNotices(copy, fault)
      if (failed) seen++
      console.log(
        failed ? `seen      ${fault[0]}\n          by: ${failed}` : `SURVIVED  ${fault[0]}`,
      )
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return seen
}

/** The test that fails with the fault in the copy. */
function whoNotices(copy: string, [name, file, from, to, tests]: Fault) {
  const path = join(copy, file)
  const sound = readFileSync(path, 'utf8')
  if (sound.split(from).length !== 2)
    throw new Error(`"${name}": its place in ${file} is not there, or not alone`)
  writeFileSync(
    path,
    sound.replace(from, () => to),
  )
  try {
    return failedTest(copy, tests, tests.endsWith('.db.test.ts') ? 'database*' : 'unit*')
  } finally {
    writeFileSync(path, sound)
  }
}

/** A test that failed. A file that didn't even load has noticed nothing. */
function failedTest(copy: string, tests: string, project: string) {
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
