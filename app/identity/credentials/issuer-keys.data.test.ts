/** Which list of keys a browser takes: one of the quarter that it is, and the same as before. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { quartersBeside } from '#app/api/credential/quarter.ts'
import { forgetIssuerKeys, presentIssuerKey } from './issuing.data.ts'
import { ForeignIssuer, isIssuingProblem, WrongClock } from './issuing-problem.data.ts'

const keyOf = (quarter: string, by = 'a') => ({
  quarter,
  publicKey: by.repeat(126) + quarter.replaceAll(/\W/g, ''),
})
let keys: unknown[]
const told = (...quarters: string[]) => {
  keys = quarters.map((quarter) => keyOf(quarter))
}
const asked = vi.fn(
  async (..._: unknown[]) => new Response(JSON.stringify({ version: 'KettleARCV1-P256', keys })),
)

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-26T12:00:00Z'), toFake: ['Date'] })
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('fetch', asked)
})
afterEach(() => {
  forgetIssuerKeys()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the list around the calendar’s own quarter is taken, asked for as everybody asks', async () => {
  told('2026-Q3', '2026-Q4', '2027-Q1')
  expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
  expect(asked).toHaveBeenCalledWith('/.well-known/kettle-issuer.json', {
    credentials: 'omit',
    cache: 'no-cache',
  })
})

test.each(['2026-Q3', '2027-Q1'])('so is that of the neighbour %s', async (quarter) => {
  // Some days before or after the turn, by another clock.
  told(...quartersBeside(quarter))
  expect(await presentIssuerKey()).toEqual(keyOf(quarter))
})

test.each([
  ['three that do not follow each other', ['2026-Q3', '2026-Q4', '2031-Q1']],
  ['one of its own between two of the calendar', ['2026-Q3', '2031-Q1', '2027-Q1']],
  ['the calendar’s own at the edge', ['2026-Q1', '2026-Q2', '2026-Q4']],
])('%s are refused, also where no key is known yet', async (_, quarters) => {
  told(...quarters)
  const problem = await presentIssuerKey().catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(ForeignIssuer)
  expect((problem as Error).message).toMatch(/won’t use (it|them)/)
  // Nothing of it is remembered.
  told('2026-Q3', '2026-Q4', '2027-Q1')
  expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
})

test.each(['2031-Q1', '2026-Q2', '2027-Q2'])(
  'those around %s are refused, and the sentence says where to look',
  async (quarter) => {
    told(...quartersBeside(quarter))
    const problem = await presentIssuerKey().catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(WrongClock)
    expect(isIssuingProblem(problem)).toBe(true)
    expect((problem as Error).message).toContain('this device’s date')
  },
)

test('a device whose clock was wrong goes on once it is right', async () => {
  told('2026-Q3', '2026-Q4', '2027-Q1')
  vi.setSystemTime('2019-03-14T12:00:00Z')
  await expect(presentIssuerKey()).rejects.toThrow(WrongClock)
  vi.setSystemTime('2026-11-26T12:00:00Z')
  expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
})

test('a key that differs from the one of before is refused', async () => {
  told('2026-Q3', '2026-Q4', '2027-Q1')
  await presentIssuerKey()
  keys[1] = keyOf('2026-Q4', 'b')
  await expect(presentIssuerKey()).rejects.toThrow(ForeignIssuer)
})
