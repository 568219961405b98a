// npm run bench, npm run bench:data

import { readCommand } from './command.mjs'
import { giveUp, installApart, prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

const given = readCommand({
  name: 'bench',
  does:
    'Measures figures beside their reference and budget. At size 1, with a million companies and ten million comments, the ' +
    'data takes an hour to make. DATABASE_URL names a PostgreSQL to make it on, in databases called kettle_bench_*. By ' +
    'default it starts one.\nnpm run bench:data only makes the data, at size 0.1, in the empty database at DATABASE_URL.',
  options: {
    short: { says: 'measures some figures on a small site, in five minutes' },
    only: { word: 'NAME,…', says: 'measures, or makes, only these; a wrong name lists them all' },
    size: { word: 'SIZE', says: 'another size' },
    seed: { number: 1, says: 'gives other data' },
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
