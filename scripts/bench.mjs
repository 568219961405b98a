// npm run bench, npm run bench:data

import { readCommand } from './command.mjs'
import { giveUp, installApart, prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

const given = readCommand({
  name: 'bench',
  does:
    'Measures figures and compares them with a reference and a budget. Size 1 is a million companies and ten million ' +
    'comments, which take an hour to make. With DATABASE_URL, the data goes into databases named kettle_bench_* there. ' +
    'Otherwise, the bench starts its own PostgreSQL.\nnpm run bench:data only makes the data, at size 0.1, in the empty ' +
    'database at DATABASE_URL.',
  options: {
    short: { says: 'measures some figures on a small site, in five minutes' },
    evening: {
      says: 'raises the number of people on a site with a million comments until it’s too slow. With --short, in a minute',
    },
    against: { word: 'URL', says: 'also on this NodeBB, in turn: http://ADMINISTRATOR:PASSWORD@…' },
    processes: {
      word: 'PID,…',
      says: 'its server, then its database, to count their processor time',
    },
    only: { word: 'NAME,…', says: 'measures or makes only these. A wrong name lists them all' },
    size: { word: 'SIZE', says: 'how much data' },
    seed: { number: 1, says: 'makes different data' },
    data: { says: 'the same as npm run bench:data' },
  },
  example: 'npm run bench -- --only pages,auth --size 0.01',
})
await prepare()
try {
  installApart('bench')
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'bench/run.ts', JSON.stringify(given)], {
  // Otherwise React's checks for developers would be measured, too.
  NODE_ENV: 'production',
})
