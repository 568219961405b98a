// npm run tour: walks through the demo world and takes the README's pictures. Give names to take only those.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/tour/walk.ts', ...process.argv.slice(2)])
