/** The server is killed in the middle of writes: what it had said yes to is there. */
import { describe, expect, test, vi } from 'vitest'
import { killRounds } from '../chaos/kill-rounds.ts'
import { findPostgres } from '../support/postgres-cluster.ts'

// Four starts of the site: most of a minute each engine, more on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

const TIMES = 3
/** By command (`npm run kill`) any other one. */
const SEED = 7

describe(`killed ${TIMES} times in the middle of writes, seed ${SEED}`, () => {
  test('the embedded database loses nothing that was acknowledged', () => losesNothing('pglite'))
  test.runIf(findPostgres())('nor does PostgreSQL', () => losesNothing('postgres'))
})

async function losesNothing(engine: 'pglite' | 'postgres') {
  const { violations, counts } = await killRounds({ engine, times: TIMES, seed: SEED })
  expect(violations).toEqual([])
  // Who wrote nothing could lose nothing.
  for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBeGreaterThan(0)
}
