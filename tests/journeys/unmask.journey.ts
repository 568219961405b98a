/** A small town lives on the site and is robbed: what is found is what is known, and what is planted is found. */
import { describe, expect, test, vi } from 'vitest'
import { leaksOf } from '../unmask/known-to-fail.ts'
import { measure, measurePlants } from '../unmask/measure.ts'
import { plantTableOf, tableOf } from '../unmask/table.ts'

// A minute or two each, most of it waiting for nights; more on a busy machine.
vi.setConfig({ testTimeout: 900_000 })

/** By command (`npm run unmask`) any other one, and a larger town. */
const SEED = 1
const TOWN = { population: 70, days: 4, seed: SEED }
/** Large enough that the day of a rating, the faintest of them, is seen. */
const PLANTED_TOWN = { population: 130, days: 7, seed: SEED }

// One life each: what is stolen is attacked without the site's key and with it.
describe.concurrent('everything that is kept is stolen', () => {
  test('and leads to people as far as is known', async () => {
    const measured = await measure({ hasKeys: true, ...TOWN })
    show(tableOf(measured))
    expect(leaksOf(measured)).toEqual([])
    // Who did little left little behind.
    expect(measured.size.ratings).toBeGreaterThan(50)
    expect(measured.size.posts).toBeGreaterThan(50)
  })

  test('and of eighteen planted leaks each is found, and by nothing else', async () => {
    const plants = await measurePlants(PLANTED_TOWN)
    show(plantTableOf(plants))
    expect(plants.map(({ leak }) => leak)).toHaveLength(18)
    expect(plants.filter(({ caught }) => !caught)).toEqual([])
    expect(plants.filter(({ isClean }) => !isClean)).toEqual([])
  })
})

/** Past vitest, which shows nothing of a test that passes: the figures are worth a look each time. */
const show = (table: string) => process.stdout.write(`\n${table}\n`)
