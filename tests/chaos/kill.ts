/** npm run kill -- [--times 20] [--engine pglite|postgres] [--seed N]: see kill-rounds.ts. */
import { parseArgs } from 'node:util'
import { type Engine, killRounds } from './kill-rounds.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    engine: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const engines: Engine[] = values.engine ? [values.engine as Engine] : ['pglite', 'postgres']
const seed = Number(values.seed)
for (const engine of engines) {
  console.log(`${engine}, seed ${seed}`)
  const settings = { engine, times: Number(values.times), seed, tell: console.log }
  const { violations, counts } = await killRounds(settings)
  console.log(JSON.stringify(counts))
  for (const violation of violations) console.log(`  ${violation}`)
  console.log(
    violations.length === 0 ? '  Nothing was lost.' : `  ${violations.length} violations.`,
  )
  if (violations.length > 0) process.exitCode = 1
}
process.exit()
