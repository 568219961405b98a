import { expect, test, vi } from 'vitest'
import { batched } from './batched.server.ts'

/** Answers each query when the test says so. */
function slowly() {
  const releases: (() => void)[] = []
  const ask = vi.fn(
    (ids: string[]) =>
      new Promise<Map<string, string>>((resolve) => {
        const number = ask.mock.calls.length
        releases.push(() => resolve(new Map(ids.map((id) => [id, `${id} of ${number}`]))))
      }),
  )
  return { ask, release: () => releases.shift()?.() }
}
const aTurn = () => new Promise(setImmediate)

test('a thousand simultaneous requests share one query', async () => {
  const { ask, release } = slowly()
  const question = batched(ask)
  const asked = Array.from({ length: 1_000 }, (_, n) => question(n % 2 ? 'tea' : 'coffee'))
  await aTurn()
  expect(ask.mock.calls).toEqual([[['coffee', 'tea']]])
  release()
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['tea of 1', 'coffee of 1']))
})

test('a request during a running query gets a newer answer', async () => {
  const { ask, release } = slowly()
  const question = batched(ask)
  const early = question('tea')
  await aTurn()
  const late = [question('tea'), question('tea')]
  await aTurn()
  expect(ask).toHaveBeenCalledTimes(1)
  release()
  expect(await early).toBe('tea of 1')
  await aTurn()
  release()
  expect(await Promise.all(late)).toEqual(['tea of 2', 'tea of 2'])
})

test('a failed query fails only the requests that waited for it', async () => {
  const ask = vi.fn(async (ids: string[]) => new Map(ids.map((id) => [id, id])))
  ask.mockRejectedValueOnce(new Error('the database is away'))
  const question = batched(ask)
  const both = await Promise.allSettled([question('tea'), question('coffee')])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await question('tea')).toBe('tea')
})
