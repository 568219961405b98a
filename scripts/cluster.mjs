// npm run cluster [-- --kills 3 --freezes 1 --keep]: starts what deploy/cluster/ describes on this machine,
// three database machines as processes, takes the primary away while people write, and tells what it cost.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/cluster/run.ts', ...process.argv.slice(2)])
