/** A few seconds of what `npm run proof` does at length, to check that it runs and would notice a fault. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { killRounds } from '../chaos/kill-rounds.ts'
import { startLiar } from '../chaos/liar.ts'
import { runChaos } from '../chaos/run-chaos.ts'
import { slow } from '../support/amounts.ts'
import { leaksOf } from '../unmask/known-to-fail.ts'
import { measure } from '../unmask/measure.ts'

const endings: (() => void)[] = []
afterAll(() => {
  for (const end of endings.splice(0)) end()
})

slow.test.concurrent('the checks see every lie of a site that lies', async () => {
  const { violations } = await runChaos({
    seed: 21,
    seconds: 5,
    lanes: [],
    async between(url) {
      const liar = await startLiar(url)
      endings.push(liar.stop)
      return liar.url
    },
  })
  const said = violations.join('\n')
  expect(said).toMatch(/comment cm\w+ was acknowledged and is gone/)
  expect(said).toMatch(/comment cm\w+ was sent once and is stored 2 times/)
  expect(said).toMatch(/was (deleted|removed) was seen in the same process: GET \/thread/)
})

slow.test.concurrent('a site that’s killed during writes loses nothing acknowledged', async () => {
  const { violations, counts } = await killRounds({ times: 1, seed: 7 })
  expect(violations).toEqual([])
  // Without writes, nothing could be lost.
  for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBeGreaterThan(0)
})

slow.test.concurrent(
  'what a hamlet leaves behind is stolen, and watched as it passes: it leads to people as far as is known',
  async () => {
    const measured = await measure({
      ...{ hasKeys: true, isLive: true, population: 8, days: 2, seed: 1 },
    })
    expect(leaksOf(measured)).toEqual([])
    expect(measured.size.ratings).toBeGreaterThan(3)
    expect(measured.size.posts).toBeGreaterThan(3)
  },
)

/** Everything that this process started, and what those started. */
function startedBy(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    try {
      // Its name, in parentheses, may contain anything. The parent is the second field after it.
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return Number(parent) === pid
    } catch {
      // Not a process, or one that just ended.
      return false
    }
  })
  return children.map(Number).flatMap((child) => [child, ...startedBy(child)])
}

/** Starts what test files start: a site with its embedded database, a PostgreSQL, a browser, and Redis if it's installed. */
const STARTING = `
import { launchChromium } from './tests/support/chromium.ts'
import { startPostgres } from './tests/support/postgres-cluster.ts'
import { findProgram, startRedis } from './tests/support/programs.ts'
import { startSite } from './tests/support/server.ts'
await Promise.all([
  startPostgres(),
  startSite({ env: { STARTER: 'none', WORKERS: '2' } }),
  launchChromium(),
  findProgram('redis-server') && startRedis(),
])
console.log('All are here')`

/** Ended by this signal, it takes along everything that it has started so far. */
async function endsWhole(run: ChildProcess, signal: NodeJS.Signals) {
  const started = startedBy(run.pid as number)
  run.kill(signal)
  await expect.poll(() => started.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
}

describe.runIf(existsSync('/proc/self/stat'))('the leftovers of a run', () => {
  test('a killed run leaves nothing behind', async () => {
    const words = ['--import', 'tsx', '--input-type=module', '-e', STARTING]
    const run = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(run.stdout, 'data')
    expect(startedBy(run.pid as number).length).toBeGreaterThan(10)
    await endsWhole(run, 'SIGKILL')
  })

  slow.test(
    'a run interrupted while its workers had a site and a browser leaves nothing behind',
    async () => {
      const words = ['run', '--project=journeys', 'tests/journeys/consent.journey.ts']
      const run = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], {
        stdio: 'ignore',
      })
      const hasBrowser = () =>
        startedBy(run.pid as number).some((pid) =>
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--headless'),
        )
      await expect.poll(hasBrowser).toBe(true)
      await endsWhole(run, 'SIGTERM')
    },
  )
})
