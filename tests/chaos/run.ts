/** npm run chaos -- [--minutes 1] [--seed N] [--calm]: see run-chaos.ts. */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runChaos } from './run-chaos.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    calm: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
console.log(`Seed ${seed}`)
const { violations, counts, story } = await runChaos({
  seed,
  seconds: Number(values.minutes) * 60,
  ...(values.calm && { lanes: [] }),
  tell: console.log,
})
for (const [what, count] of Object.entries(counts)) console.log(`  ${what}: ${count}`)
for (const violation of violations) console.log(`VIOLATION  ${violation}`)
if (violations.length > 0) {
  const file = join(tmpdir(), `kettle-chaos-${seed}.txt`)
  writeFileSync(file, story)
  console.log(`${violations.length} violations. What happened around them: ${file}`)
  console.log(`The same faults and clients again: npm run chaos -- --seed ${seed}`)
  process.exitCode = 1
} else console.log('Nothing was lost, doubled, or seen after it was gone.')
process.exit()
