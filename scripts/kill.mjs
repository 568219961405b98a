// npm run kill -- [--times 20] [--engine pglite|postgres] [--seed N]: kills the server in the middle of
// writes and looks whether anything that it had acknowledged is lost. With --power-cut 50 the embedded
// database's disk forgets what was not synced, at 50 moments. With --ext4 3 it lies on a real ext4, which is
// shut down three times without its log; that needs root.

import { build, giveUp, install, root, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

process.chdir(root)
try {
  await install()
  await build()
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'tests/chaos/kill.ts', ...process.argv.slice(2)])
