/** The checker of `npm run chaos` sees a site that lies. */
import { afterEach, expect, test, vi } from 'vitest'
import { startLiar } from '../chaos/liar.ts'
import { runChaos } from '../chaos/run-chaos.ts'
import { findPostgres } from '../support/postgres-cluster.ts'

// Two starts of the site, and what goes wrong takes its time; more on a busy machine.
vi.setConfig({ testTimeout: 400_000 })

const SEED = 19
const LYING_SECONDS = 5

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

const ifPostgres = test.runIf(findPostgres())

ifPostgres('of a site that lies every lie is seen', async () => {
  const { violations } = await runChaos({
    seed: SEED,
    seconds: LYING_SECONDS,
    lanes: [],
    async between(url) {
      const liar = await startLiar(url)
      endings.push(liar.stop)
      return liar.url
    },
  })
  const said = violations.join('\n')
  expect(said).toMatch(/comment cm\w+ was acknowledged and is gone/)
  expect(said).toMatch(/comment cm\w+ was sent once and is there 2 times/)
  expect(said).toMatch(/was (deleted|removed) was seen in the same process: GET \/thread/)
})
