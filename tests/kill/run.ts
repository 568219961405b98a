/** npm run kill -- [--times 20] [--engine pglite|postgres] [--seed N]: see rounds.ts. */
import { parseArgs } from 'node:util'
import { type Engine, killRounds } from './rounds.ts'

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
  const { losses, acknowledged } = await killRounds(settings)
  console.log(JSON.stringify(acknowledged))
  for (const loss of losses) console.log(`  ${loss}`)
  console.log(losses.length === 0 ? '  Nothing was lost.' : `  ${losses.length} losses.`)
  if (losses.length > 0) process.exitCode = 1
}
process.exit()
