// npm run tour

import { readCommand } from './command.mjs'
import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

const given = readCommand({
  name: 'tour',
  does: 'Walks through the demo world and takes the README’s pictures, or only those you name.',
  words: '[PICTURE …]',
  example: 'npm run tour -- home company',
})
await prepare()
becomes([tool('tsx', 'tsx'), 'tests/tour/walk.ts', JSON.stringify(given)])
