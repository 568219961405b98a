/**
 * npm run kill -- [--times 20] [--engine pglite|postgres] [--seed N]: see kill-rounds.ts.
 * npm run kill -- --power-cut 50 [--seed N]: the embedded database alone, see ../power-cut/cuts.ts.
 * npm run kill -- --ext4 3 [--seed N]: the site on a real ext4, which is shut down, see ../power-cut/ext4.ts.
 */
import { parseArgs } from 'node:util'
import { powerCuts } from '../power-cut/cuts.ts'
import { makeExt4 } from '../power-cut/ext4.ts'
import { type Engine, killRounds } from './kill-rounds.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    engine: { type: 'string' },
    'power-cut': { type: 'string' },
    ext4: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
const cuts = Number(values['power-cut'])
const shutdowns = Number(values.ext4)

if (cuts) {
  console.log(`Power cuts, seed ${seed}`)
  const firstStarts = Math.ceil(cuts / 5)
  const settings = { times: cuts - firstStarts, firstStarts, writes: 1_000, seed }
  const { losses, acknowledged } = await powerCuts({ ...settings, tell: console.log })
  report(losses, `${acknowledged} writes were acknowledged.`)
} else if (shutdowns) {
  const disk = ext4()
  console.log(`An ext4 that is shut down, seed ${seed}`)
  const settings = { engine: 'pglite', times: shutdowns, seed, disk, tell: console.log } as const
  const { violations, counts } = await killRounds(settings)
  report(violations, JSON.stringify(counts))
} else {
  const engines: Engine[] = values.engine ? [values.engine as Engine] : ['pglite', 'postgres']
  for (const engine of engines) {
    console.log(`${engine}, seed ${seed}`)
    const settings = { engine, times: Number(values.times), seed, tell: console.log }
    const { violations, counts } = await killRounds(settings)
    report(violations, JSON.stringify(counts))
  }
}
process.exit()

function ext4() {
  try {
    return makeExt4()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

function report(violations: string[], counts: string) {
  console.log(counts)
  for (const violation of violations) console.log(`  ${violation}`)
  console.log(
    violations.length === 0 ? '  Nothing was lost.' : `  ${violations.length} violations.`,
  )
  if (violations.length > 0) process.exitCode = 1
}
