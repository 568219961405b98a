/** npm run chaos: see run-chaos.ts. */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChaos } from './run-chaos.ts'

const {
  minutes,
  calm: isCalm,
  seed = Date.now() % 1_000_000,
}: { minutes: number; calm?: boolean; seed?: number } = JSON.parse(process.argv[2] ?? '')
console.log(`Seed ${seed}`)
const { violations, counts, story } = await runChaos({
  seed,
  seconds: minutes * 60,
  ...(isCalm && { lanes: [] }),
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
