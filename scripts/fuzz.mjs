// npm run fuzz

import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readCommand } from './command.mjs'
import { root, tool } from './prepare.mjs'

const { requests, seed = randomInt(2 ** 31) } = readCommand({
  name: 'fuzz',
  does:
    'Sends random requests to every endpoint, as people of every role. Prints failures with their seed, ' +
    'reduced as far as possible.',
  options: {
    requests: { number: 100_000, least: 1, says: 'how many' },
    seed: { number: null, says: 'repeats a run' },
  },
  example: 'npm run fuzz -- --requests 2000',
})
console.log(`${requests} requests, seed ${seed}`)
const { status } = spawnSync(
  process.execPath,
  [
    tool('vitest', 'vitest'),
    'run',
    '--project=database',
    '--silent=false',
    'tests/fuzz.db.test.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TZ: 'UTC', NODE_ENV: 'test', FUZZ_REQUESTS: requests, FUZZ_SEED: seed },
  },
)
process.exit(status ?? 1)
