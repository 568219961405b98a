// npm run unmask

import { readCommand } from './command.mjs'
import { prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

const given = readCommand({
  name: 'unmask',
  does:
    'Simulates a town on the site, steals everything that’s stored, and shows how much of it leads to a person. Also plays ' +
    'employers with their payrolls. Takes an hour for a town of 400.',
  options: {
    population: { number: 400, least: 1, says: 'how many people live in the town' },
    days: { number: 7, least: 2, says: 'how many days they live there' },
    seed: { number: 1, least: 1, says: 'makes a different town' },
    'with-keys': { says: 'also tests a thief who has the site’s key' },
    live: { says: 'also tests an operator who watches every request, with five planted leaks' },
    plants: { says: 'adds eighteen planted leaks: each must be found' },
  },
  example: 'npm run unmask -- --population 60 --days 3',
})
await prepare()
becomes([tool('tsx', 'tsx'), 'tests/unmask/run.ts', JSON.stringify(given)], { TZ: 'UTC' })
