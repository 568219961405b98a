// npm run bench: measures the built site. With --data: makes the data it is measured on.
// All other words go to bench/run.ts or bench/data.ts.

import { giveUp, installApart, prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
try {
  installApart('bench')
} catch (error) {
  giveUp(error)
}
const words = process.argv.slice(2)
const program = words.includes('--data') ? 'bench/data.ts' : 'bench/run.ts'
becomes([tool('tsx', 'tsx'), program, ...words.filter((word) => word !== '--data')], {
  // React's own checks for developers would be measured too.
  NODE_ENV: 'production',
})
