/** What `npm run proof` does for long, for some seconds: that it runs, and that it would see a fault. */
import { afterEach, expect, test } from 'vitest'
import { killRounds } from '../chaos/kill-rounds.ts'
import { startLiar } from '../chaos/liar.ts'
import { runChaos } from '../chaos/run-chaos.ts'
import { leaksOf } from '../unmask/known-to-fail.ts'
import { measure } from '../unmask/measure.ts'

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

test('of a site that lies every lie is seen', async () => {
  const { violations } = await runChaos({
    seed: 21,
    seconds: 5,
    lanes: [],
    async between(url) {
      const liar = await startLiar(url)
      endings.push(liar.stop)
      return liar.url
    },
  })
  const said = violations.join('\n')
  expect(said).toMatch(/comment cm\w+ was acknowledged and is gone/)
  expect(said).toMatch(/comment cm\w+ was sent once and is there 2 times/)
  expect(said).toMatch(/was (deleted|removed) was seen in the same process: GET \/thread/)
})

test('killed in the middle of writes, it loses nothing that was acknowledged', async () => {
  const { violations, counts } = await killRounds({ times: 1, seed: 7 })
  expect(violations).toEqual([])
  // Who wrote nothing could lose nothing.
  for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBeGreaterThan(0)
})

test('everything that a hamlet leaves behind is stolen, and leads to people as far as is known', async () => {
  const measured = await measure({ hasKeys: true, population: 12, days: 2, seed: 1 })
  expect(leaksOf(measured)).toEqual([])
  expect(measured.size.ratings).toBeGreaterThan(3)
  expect(measured.size.posts).toBeGreaterThan(3)
})
