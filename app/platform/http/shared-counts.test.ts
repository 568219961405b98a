import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, expect, test, vi } from 'vitest'
import { countsInMemory, type Shared, withFallback } from './shared-counts.server.ts'

afterEach(() => vi.useRealTimers())

/** What others count in, and whether it can be reached. */
function somewhere() {
  const counts = countsInMemory()
  const state = { isAway: false, asked: 0 }
  const reached = <Result>(work: () => Promise<Result>) => {
    state.asked++
    return state.isAway ? Promise.reject(new Error('away')) : work()
  }
  const shared: Shared = {
    counterOf(limit) {
      const counter = new RateLimiterMemory({ points: limit.uses, duration: limit.seconds })
      return {
        consume: (key) => reached(() => counter.consume(key)),
        reward: (key) => reached(() => counter.reward(key)),
      }
    },
    markFirst: (key, ms) => reached(() => counts.markFirst(key, ms)),
    probe: () => reached(async () => true),
    close: counts.close,
  }
  return { shared, state }
}
const LIMIT = { name: 'answers', uses: 2, seconds: 60 }

test('without the shared store a process counts alone, logs it once, and stops asking', async () => {
  vi.useFakeTimers()
  const { shared, state } = somewhere()
  const counts = await withFallback(shared, countsInMemory())
  const words: string[] = []
  counts.whenChanged((word) => words.push(word))
  const counter = counts.counterOf(LIMIT)
  await counter.consume('dana')
  expect([counts.word(), words]).toEqual(['shared', []])

  state.isAway = true
  await counter.consume('dana')
  state.asked = 0
  await counter.consume('dana')
  await expect(counter.consume('dana')).rejects.toMatchObject({ consumedPoints: 3 })
  expect([counts.word(), words, state.asked]).toEqual(['alone', ['alone'], 0])

  // By itself, without a request.
  state.isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect([counts.word(), words]).toEqual(['shared', ['alone', 'shared']])
  await counter.consume('dana')
  await expect(counter.consume('dana')).rejects.toMatchObject({ consumedPoints: 3 })
  counts.close()
})

test('a store that’s missing at the start is retried, and the log says so', async () => {
  vi.useFakeTimers()
  const { shared, state } = somewhere()
  state.isAway = true
  const counts = await withFallback(shared, countsInMemory())
  const words: string[] = []
  counts.whenChanged((word) => words.push(word))
  expect(words).toEqual(['alone'])
  await vi.advanceTimersByTimeAsync(3_000)
  state.isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(words).toEqual(['alone', 'shared'])
  counts.close()
})

test('uses counted while the store was away still count when it’s back', async () => {
  vi.useFakeTimers()
  const { shared, state } = somewhere()
  const counts = await withFallback(shared, countsInMemory())
  state.isAway = true
  expect(await counts.markFirst('a proof', 60_000)).toBe(true)
  state.isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(counts.word()).toBe('shared')
  expect(await counts.markFirst('a proof', 60_000)).toBe(false)
  expect(await counts.markFirst('another', 60_000)).toBe(true)
  counts.close()
})
