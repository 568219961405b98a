// npm run cluster [-- --kills 3 --freezes 1 --keep]: starts what deploy/cluster/ describes on this machine, with three
// processes as database machines. It takes the primary away while people write, and reports what that cost.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/cluster/run.ts', ...process.argv.slice(2)])
