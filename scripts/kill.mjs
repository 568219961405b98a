// npm run kill -- [--times 20] [--engine pglite|postgres] [--seed N]: kills the server in the middle of
// writes and looks whether anything that it had acknowledged is lost. With --power-cut 50 the embedded
// database's disk forgets what was not synced, at 50 moments. With --ext4 3 it lies on a real ext4, which is
// shut down three times without its log; that needs root.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/chaos/kill.ts', ...process.argv.slice(2)])
