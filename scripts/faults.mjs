// npm run faults [-- WORD] [--only mutants|planted]: changes the code in every way that should
// matter, and sees a test fail for each. WORD picks files or names. Too many survivors are an error.

import { giveUp, install, installApart, root, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

process.chdir(root)
try {
  await install()
  // `npm start` need not wait for 167 packages that nobody else needs.
  installApart('tests/faults')
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'tests/faults/run.ts', ...process.argv.slice(2)])
