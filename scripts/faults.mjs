// npm run faults

import { readCommand } from './command.mjs'
import { giveUp, install, installApart, root, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

const given = readCommand({
  name: 'faults',
  does:
    'Breaks the code on purpose, and checks that a test fails for each fault. WORD picks files or names. Too many survivors ' +
    'are an error.',
  options: { only: { word: 'mutants|planted', says: 'only these' } },
  words: '[WORD]',
  example: 'npm run faults -- votes --only planted',
})
process.chdir(root)
try {
  await install()
  // Only this script needs these 167 packages, so `npm start` doesn't wait for them.
  installApart('tests/faults')
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'tests/faults/run.ts', JSON.stringify(given)])
