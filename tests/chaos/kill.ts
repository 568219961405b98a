/** npm run kill: see kill-rounds.ts. */
import { killRounds } from './kill-rounds.ts'

const { times, seed = Date.now() % 1_000_000 }: { times: number; seed?: number } = JSON.parse(
  process.argv[2] ?? '',
)
console.log(`Seed ${seed}`)
const { violations, counts } = await killRounds({
  times,
  seed,
  tell: console.log,
})
console.log(JSON.stringify(counts))
for (const violation of violations) console.log(`  ${violation}`)
console.log(violations.length === 0 ? '  Nothing was lost.' : `  ${violations.length} violations.`)
process.exit(violations.length === 0 ? 0 : 1)
