// npm run tour: walks the demo world and makes the pictures that the README shows. Words that follow are
// names of pictures: only those are made anew.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/tour/walk.ts', ...process.argv.slice(2)])
