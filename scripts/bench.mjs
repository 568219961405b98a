// npm run bench: measures the built site. --data makes the data that it's measured on. See `--help`.

import { giveUp, installApart, prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
try {
  installApart('bench')
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'bench/run.ts', ...process.argv.slice(2)], {
  // Otherwise React's checks for developers would be measured, too.
  NODE_ENV: 'production',
})
