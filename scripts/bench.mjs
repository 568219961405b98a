// npm run bench: measures the built site. With --data: makes the data it is measured on. `--help` says more.

import { giveUp, installApart, prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
try {
  installApart('bench')
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'bench/run.ts', ...process.argv.slice(2)], {
  // React's own checks for developers would be measured too.
  NODE_ENV: 'production',
})
