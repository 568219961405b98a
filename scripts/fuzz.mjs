// npm run fuzz -- [--requests 100000] [--seed N]: sends random requests to every endpoint, as people of every role. It
// prints failures with their seed, as small as it can make them.

import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { root, tool } from './prepare.mjs'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
})
const { requests, seed } = values
if (!/^[1-9]\d{0,7}$/.test(requests) || !/^-?\d{1,10}$/.test(seed)) {
  console.error('Use whole numbers: npm run fuzz -- --requests 100000 --seed 1')
  process.exit(1)
}
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
