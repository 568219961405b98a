import { RateLimiterRes } from 'rate-limiter-flexible'
import { expect, test } from 'vitest'
import {
  chooseLimitStore,
  createNetworkLimit,
  createRateLimit,
  networkOf,
} from './rate-limits.server.ts'

test('a limit allows its uses, then asks to wait, and doesn’t affect others', async () => {
  const limit = createRateLimit({ name: 'answers', uses: 2, seconds: 60, isOn: true })
  expect(await limit.use('dana')).toBeUndefined()
  expect(await limit.use('dana')).toBeUndefined()
  const wait = await limit.use('dana')
  expect(wait).toBeGreaterThan(55)
  expect(wait).toBeLessThanOrEqual(60)
  expect(await limit.use('erin')).toBeUndefined()
})

test('a returned use can be used again', async () => {
  const limit = createRateLimit({ name: 'questions', uses: 1, seconds: 60, isOn: true })
  expect(await limit.use('dana')).toBeUndefined()
  await limit.giveBack('dana')
  expect(await limit.use('dana')).toBeUndefined()
  expect(await limit.use('dana')).toBeDefined()
})

test('a limit that’s off never refuses', async () => {
  const limit = createRateLimit({ name: 'answers', uses: 1, seconds: 60, isOn: false })
  for (let i = 0; i < 5; i++) expect(await limit.use('dana')).toBeUndefined()
  await limit.giveBack('dana')
})

test('two limits of one name fail at the start, even if limits are off', () => {
  chooseLimitStore()
  const answers = { name: 'answers', uses: 1, seconds: 60 }
  createRateLimit({ ...answers, isOn: true })
  expect(() => createRateLimit({ ...answers, isOn: true })).toThrow('Two limits are named answers')
  expect(() => createRateLimit({ ...answers, isOn: false })).toThrow('answers')
  createRateLimit({ ...answers, name: 'questions', isOn: true })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['1::', '1:0:0:0'],
  ['2001:db8::3:4:5:6:7', '2001:db8:0:3'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['unknown', 'unknown'],
  ['', ''],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('a network counts as one: %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('the networks of one /48 share eight networks’ uses, and other networks count separately', async () => {
  const limit = createNetworkLimit({ name: 'kettles', uses: 2, seconds: 60, isOn: true })
  const isRefused = async (address: string) =>
    (await limit.use(`${networkOf(address)} tea`)) !== undefined
  const tries = async (addresses: string[]) => {
    const refused: boolean[] = []
    for (const address of addresses) refused.push(await isRefused(address))
    return refused.filter((it) => !it).length
  }
  const ofOne = Array.from({ length: 40 }, (_, n) => `2001:db8:7:${n.toString(16)}::1`)
  expect(await tries(ofOne.slice(0, 16))).toBe(16)
  await limit.giveBack(`${networkOf(ofOne[0] ?? '')} tea`)
  expect(await tries(ofOne.slice(16))).toBe(1)
  expect(await tries(['2001:db8:8:1::1', '2001:db8:8:1::2', '2001:db8:8:1::3'])).toBe(2)
  const fourths = Array.from({ length: 40 }, (_, n) => `203.0.113.${n}`)
  expect(await tries(fourths)).toBe(40)
})

test('a wait is at least one whole second, and a failing store refuses no one', async () => {
  const refusing = (reason: unknown) => {
    chooseLimitStore(() => ({ consume: () => Promise.reject(reason), reward: async () => {} }))
    return createRateLimit({ name: 'answers', uses: 1, seconds: 60, isOn: true }).use('dana')
  }
  try {
    expect(await refusing(new RateLimiterRes(0, 10))).toBe(1)
    expect(await refusing(new RateLimiterRes(0, 1001))).toBe(2)
    await expect(refusing(new Error('away'))).rejects.toThrow('away')
  } finally {
    chooseLimitStore()
  }
})

test('the store gets what a limit counts', () => {
  const told: object[] = []
  chooseLimitStore((limit) => {
    told.push(limit)
    return { consume: async () => {}, reward: async () => {} }
  })
  try {
    createRateLimit({ name: 'answers', uses: 2, seconds: 60, isOn: true })
    createRateLimit({ name: 'questions', uses: 2, seconds: 60, isOn: false })
    expect(told).toEqual([{ name: 'answers', uses: 2, seconds: 60 }])
  } finally {
    chooseLimitStore()
  }
})
