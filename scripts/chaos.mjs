// npm run chaos

import { readCommand } from './command.mjs'
import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

const given = readCommand({
  name: 'chaos',
  does: 'Breaks two processes at random while people write, and compares every acknowledged write with what’s stored.',
  options: {
    minutes: { number: 1, least: 1, says: 'how long people write' },
    calm: { says: 'breaks nothing' },
    seed: { number: null, says: 'repeats the faults and clients of a run' },
  },
  example: 'npm run chaos -- --minutes 20',
})
await prepare()
becomes([tool('tsx', 'tsx'), 'tests/chaos/run.ts', JSON.stringify(given)])
