// npm run faults [-- WORD] [--only mutants|planted]: introduces faults that should matter, and checks that a test fails for
// each one. WORD picks files or names. Too many survivors are an error.

import { giveUp, install, installApart, root, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

process.chdir(root)
try {
  await install()
  // Only this needs these 167 packages, so `npm start` doesn't wait for them.
  installApart('tests/faults')
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'tests/faults/run.ts', ...process.argv.slice(2)])
