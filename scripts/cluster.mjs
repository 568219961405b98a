// npm run cluster

import { readCommand } from './command.mjs'
import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

const given = readCommand({
  name: 'cluster',
  does:
    'Starts what deploy/cluster/ describes, with three processes as database machines. Takes the primary away while people ' +
    'write, and says what that cost.',
  options: {
    kills: { number: 3, says: 'how often the primary is killed' },
    freezes: { number: 1, says: 'how often it’s frozen' },
    keep: { says: 'keeps everything running afterwards, until Ctrl-C' },
  },
  example: 'npm run cluster -- --kills 1 --keep',
})
await prepare()
becomes([tool('tsx', 'tsx'), 'tests/cluster/run.ts', JSON.stringify(given)])
