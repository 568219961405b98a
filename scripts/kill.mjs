// npm run kill -- [--times 20] [--seed N]: kills the site and its database in the middle of writes, and checks
// that no acknowledged write is lost.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/chaos/kill.ts', ...process.argv.slice(2)])
