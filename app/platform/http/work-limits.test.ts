import { expect, test, vi } from 'vitest'
import { createConcurrencyLimit } from './work-limits.server.ts'

const settings = { atOnce: 2, waiting: 3, patienceMs: 1_000 }
const aTurn = () => new Promise(setImmediate)

test('two run, three wait, and the sixth is refused at once', async () => {
  const gate = createConcurrencyLimit(settings)
  const [first, second] = [await gate.enter(), await gate.enter()]
  const waiting = [gate.enter(), gate.enter(), gate.enter()]
  expect(gate).toMatchObject({ inside: 2, waiting: 3, isFull: true })
  expect(await gate.enter()).toBeUndefined()
  first?.()
  expect(await waiting[0]).toBeTypeOf('function')
  second?.()
  expect(await waiting[1]).toBeTypeOf('function')
  expect(gate).toMatchObject({ inside: 2, waiting: 1, isFull: false })
})

test('a caller who left while waiting never starts', async () => {
  const gate = createConcurrencyLimit({ ...settings, atOnce: 1 })
  const leave = await gate.enter()
  let isGone = false
  const gone = gate.enter(() => isGone)
  const patient = gate.enter()
  isGone = true
  leave?.()
  expect(await gone).toBeUndefined()
  expect(await patient).toBeTypeOf('function')
  expect(await gate.enter(() => true)).toBeUndefined()
})

test('leaving twice makes room once', async () => {
  const gate = createConcurrencyLimit(settings)
  const leave = await gate.enter()
  await gate.enter()
  leave?.()
  leave?.()
  expect(gate.inside).toBe(1)
})

test('once the oldest has waited too long, no one new can wait, and it’s refused at last', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const gate = createConcurrencyLimit(settings)
    const [leave] = [await gate.enter(), await gate.enter()]
    const oldest = gate.enter()
    vi.advanceTimersByTime(400)
    const younger = gate.enter()
    vi.advanceTimersByTime(200)
    expect(gate.isFull).toBe(true)
    expect(await gate.enter()).toBeUndefined()
    vi.advanceTimersByTime(500)
    expect(await oldest).toBeUndefined()
    expect(gate).toMatchObject({ inside: 2, waiting: 1 })
    leave?.()
    expect(await younger).toBeTypeOf('function')
    await aTurn()
    expect(gate).toMatchObject({ inside: 2, waiting: 0, isFull: false })
  } finally {
    vi.useRealTimers()
  }
})
