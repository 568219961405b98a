/** Two processes, and all that can go wrong, from a seed: what was said holds. */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { KINDS } from '../chaos/clients.ts'
import { startLiar } from '../chaos/liar.ts'
import { runChaos } from '../chaos/run-chaos.ts'

// Two starts of the site, and what goes wrong takes its time; more on a busy machine.
vi.setConfig({ testTimeout: 400_000 })

/** By command (`npm run chaos`) any other one, and for as long as one likes. */
const SEED = 21
const SECONDS = 60
const LYING_SECONDS = 5

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

test(`nothing is lost, doubled or seen after it was gone, seed ${SEED}`, async () => {
  const { violations, counts, story } = await runChaos({ seed: SEED, seconds: SECONDS })
  const file = join(tmpdir(), `kettle-chaos-${SEED}.txt`)
  if (violations.length > 0) writeFileSync(file, story)
  expect(violations, `what happened around them: ${file}`).toEqual([])
  // Who wrote nothing could lose nothing.
  for (const kind of KINDS) expect(counts[kind], kind).toBeGreaterThan(0)
})

test('of a site that lies every lie is seen', async () => {
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
