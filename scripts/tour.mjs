// npm run tour: walks the demo world and makes the pictures that the README shows. Words that follow are
// names of pictures: only those are made anew.

import { build, giveUp, install, root, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

process.chdir(root)
try {
  await install()
  await build()
} catch (error) {
  giveUp(error)
}
becomes([tool('tsx', 'tsx'), 'tests/tour/walk.ts', ...process.argv.slice(2)])
