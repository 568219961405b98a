// npm run kill

import { readCommand } from './command.mjs'
import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

const given = readCommand({
  name: 'kill',
  does: 'Kills the site and its database in the middle of writes, and checks that no acknowledged write is lost.',
  options: {
    times: { number: 20, least: 1, says: 'how often' },
    seed: { number: null, says: 'repeats a run' },
  },
  example: 'npm run kill -- --times 5',
})
await prepare()
becomes([tool('tsx', 'tsx'), 'tests/chaos/kill.ts', JSON.stringify(given)])
