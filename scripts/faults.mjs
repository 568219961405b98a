// npm run faults [-- WORD]: plants each fault of tests/faults/ into a copy of the code and sees a test
// fail. A fault that every test survives is printed, and ends the run with an error. WORD picks some.

import { giveUp, install, root, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

process.chdir(root)
try {
  await install()
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'tests/faults/run.ts', ...process.argv.slice(2)])
