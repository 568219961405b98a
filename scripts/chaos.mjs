// npm run chaos -- [--minutes 1] [--seed N]: two processes, random faults, and a record of every acknowledged write,
// which is compared with what's stored at the end.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/chaos/run.ts', ...process.argv.slice(2)])
