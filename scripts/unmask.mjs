// npm run unmask -- [--population 400] [--days 7] [--seed 1] [--with-keys] [--live] [--plants]: a town lives on the site,
// a thief takes all that is kept, and a table tells what of it leads to a person; with --with-keys once more for a thief
// who has the site's key, too; with --live for an operator who watches each request, and five leaks of that kind. With
// --plants the same for eighteen leaks that are put in on purpose: each must be found.

import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

await prepare()
becomes([tool('tsx', 'tsx'), 'tests/unmask/run.ts', ...process.argv.slice(2)], { TZ: 'UTC' })
