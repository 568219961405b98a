/** npm run unmask -- [--population 400] [--days 7] [--seed 1] [--plants] [--with-keys] [--live]: see measure.ts. */
import { parseArgs } from 'node:util'
import { leaksOf } from './known-to-fail.ts'
import { measure, measurePlants } from './measure.ts'
import { plantTableOf, tableOf } from './table.ts'

const { values } = parseArgs({
  options: {
    population: { type: 'string', default: '400' },
    days: { type: 'string', default: '7' },
    seed: { type: 'string', default: '1' },
    plants: { type: 'boolean', default: false },
    'with-keys': { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
  },
})
const { plants, live: isLive } = values
const [population, days, seed] = [values.population, values.days, values.seed].map(Number)
if (!population || !days || days < 2 || !seed) {
  console.error('npm run unmask -- --population 400 --days 7 --seed 1')
  process.exit(1)
}
const began = performance.now()
const tell = (what: string) =>
  console.log(`${Math.round((performance.now() - began) / 1000)} s: ${what}`)
const hasKeys = values['with-keys']
const measured = await measure({ population, days, seed, hasKeys, isLive, tell })
console.log(tableOf(measured))
const found = plants ? await measurePlants({ population, days, seed, tell }) : []
const foundLive = measured.live?.plants ?? []
if (plants || isLive) console.log(plantTableOf([...found, ...foundLive]))
for (const [what, times] of measured.refused) console.log(`Refused ${times} times: ${what}`)
tell('done')
const leaks = leaksOf(measured)
for (const leak of leaks) console.log(`Leaks: ${leak}`)
const isGood = leaks.length === 0 && found.every(({ caught, isClean }) => caught && isClean)
process.exit(isGood ? 0 : 1)
