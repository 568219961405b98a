/** npm run kill -- [--times 20] [--seed N]: see kill-rounds.ts. */
import { parseArgs } from 'node:util'
import { killRounds } from './kill-rounds.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
console.log(`Seed ${seed}`)
const { violations, counts } = await killRounds({
  times: Number(values.times),
  seed,
  tell: console.log,
})
console.log(JSON.stringify(counts))
for (const violation of violations) console.log(`  ${violation}`)
console.log(violations.length === 0 ? '  Nothing was lost.' : `  ${violations.length} violations.`)
process.exit(violations.length === 0 ? 0 : 1)
