// npm run chaos -- [--minutes 1] [--seed N]: two processes, random faults, and a book of what was
// acknowledged, which is held against what is stored at the end.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/chaos/run.ts', ...process.argv.slice(2)])
