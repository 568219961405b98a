/** npm run unmask: see measure.ts. */
import { leaksOf } from './known-to-fail.ts'
import { measure, measurePlants } from './measure.ts'
import { plantTableOf, tableOf } from './table.ts'

interface Options {
  population: number
  days: number
  seed: number
  plants?: boolean
  live?: boolean
  'with-keys'?: boolean
}
const given: Options = JSON.parse(process.argv[2] ?? '')
const { population, days, seed, plants, live: isLive = false, 'with-keys': hasKeys = false } = given
const began = performance.now()
const tell = (what: string) =>
  console.log(`${Math.round((performance.now() - began) / 1000)} s: ${what}`)
const measured = await measure({ population, days, seed, hasKeys, isLive, tell })
console.log(tableOf(measured))
const found = plants ? await measurePlants({ population, days, seed, tell }) : []
const foundLive = measured.live?.plants ?? []
const foundInPay = measured.payroll.flatMap(({ plants }) => plants)
console.log(plantTableOf([...found, ...foundLive, ...foundInPay]))
for (const [what, times] of measured.refused) console.log(`Refused ${times} times: ${what}`)
tell('done')
const leaks = leaksOf(measured)
for (const leak of leaks) console.log(`Leaks: ${leak}`)
const isGood = leaks.length === 0 && found.every(({ caught, isClean }) => caught && isClean)
process.exit(isGood ? 0 : 1)
