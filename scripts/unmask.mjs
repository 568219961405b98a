// npm run unmask -- [--population 400] [--days 7] [--seed 1] [--with-keys] [--live] [--plants]: a town lives on the site, a
// thief takes everything that's stored, and a table shows what of it leads to a person. --with-keys repeats that for a
// thief who also has the site's key. --live does it for an operator who watches every request, with five planted leaks.
// --plants adds eighteen planted leaks: each must be found.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/unmask/run.ts', ...process.argv.slice(2)], { TZ: 'UTC' })
