/** The site and its database are killed in the middle of writes: what they had said yes to is there. */
import { expect, test, vi } from 'vitest'
import { killRounds } from '../chaos/kill-rounds.ts'

// Four starts of the site: most of a minute, more on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

const TIMES = 3
/** By command (`npm run kill`) any other one. */
const SEED = 7

test(`killed ${TIMES} times in the middle of writes, seed ${SEED}, they lose nothing that was acknowledged`, async () => {
  const { violations, counts } = await killRounds({ times: TIMES, seed: SEED })
  expect(violations).toEqual([])
  // Who wrote nothing could lose nothing.
  for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBeGreaterThan(0)
})
