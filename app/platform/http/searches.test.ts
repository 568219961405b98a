import { expect, test } from 'vitest'
import { createSearches, PAGES_NETWORK } from './searches.server.ts'

const vera = { network: '198.51.100.7' }

test('two searches run, others wait in turn, and any beyond that read when to retry', async () => {
  const refused: string[] = []
  const searches = createSearches({
    atOnce: 2,
    hasRateLimits: false,
    onRefused: (why) => refused.push(why),
  })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const search = (n: number) =>
    searches.run(vera, () => {
      begun.push(n)
      return new Promise<number>((resolve) => ends.push(() => resolve(n)))
    })
  const found = Array.from({ length: 26 }, (_, n) => search(n))
  await new Promise(setImmediate)
  expect(begun).toEqual([0, 1])
  await expect(search(99)).rejects.toMatchObject({ status: 503, retryAfter: 2 })
  expect(refused).toEqual(['search-busy'])
  for (let n = 0; n < 26; n++) {
    ends[n]?.()
    expect(await found[n]).toBe(n)
  }
  expect(begun).toEqual(Array.from({ length: 26 }, (_, n) => n))
})

test('a failed search makes room too', async () => {
  const searches = createSearches({ atOnce: 1, hasRateLimits: false })
  const failing = searches.run(vera, async () => {
    throw new Error('the database is away')
  })
  await expect(failing).rejects.toThrow('away')
  expect(await searches.run(vera, async () => 'found')).toBe('found')
})

test('a network that searches too much has to wait, but rendering pages doesn’t count', async () => {
  const searches = createSearches({ atOnce: 1, hasRateLimits: true })
  const search = (network: string) => searches.run({ network }, async () => 'found')
  for (let n = 0; n < 300; n++) await search(vera.network)
  await expect(search(vera.network)).rejects.toMatchObject({ status: 429, code: 'too-many' })
  for (let n = 0; n < 301; n++) expect(await search(PAGES_NETWORK)).toBe('found')
  expect(await search('203.0.113.9')).toBe('found')
})
