import { expect, test } from 'vitest'
import { mapConcurrently } from './map-concurrently.server.ts'

async function* numbers(count: number) {
  for (let n = 0; n < count; n++) yield n
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 1))

/** Tasks that the test ends. */
function bench() {
  const begun: number[] = []
  const ends = new Map<number, { done: () => void; fail: (error: Error) => void }>()
  const work = (n: number) => {
    begun.push(n)
    return new Promise<string>((resolve, reject) => {
      ends.set(n, { done: () => resolve(`result ${n}`), fail: reject })
    })
  }
  return { begun, work, end: (n: number) => ends.get(n)?.done(), ends }
}

async function gather(results: AsyncIterable<string>, into: string[]) {
  for await (const result of results) into.push(result)
}

test('a limited number of tasks run at once, and results keep their order', async () => {
  const { begun, work, end } = bench()
  const told: string[] = []
  const all = gather(mapConcurrently(numbers(4), work, { atOnce: 2 }), told)
  await soon()
  expect(begun).toEqual([0, 1])
  end(1)
  await soon()
  expect([begun, told]).toEqual([[0, 1, 2], []])
  end(0)
  await soon()
  expect([begun, told]).toEqual([
    [0, 1, 2, 3],
    ['result 0', 'result 1'],
  ])
  end(3)
  end(2)
  await all
  expect(told).toEqual(['result 0', 'result 1', 'result 2', 'result 3'])
})

test('results waiting for an earlier one don’t pile up', async () => {
  const { begun, work, end } = bench()
  const all = gather(mapConcurrently(numbers(9), work, { atOnce: 2 }), [])
  for (let n = 1; n < 9; n++) {
    await soon()
    end(n)
  }
  await soon()
  expect(begun).toEqual([0, 1, 2, 3])
  end(0)
  for (let n = 4; n < 9; n++) {
    await soon()
    end(n)
    end(n + 1)
  }
  await all
})

test('a task that can’t run beside an earlier one waits, and so do all after it', async () => {
  const { begun, work, end } = bench()
  const mayOverlap = (n: number, other: number) => !(n === 2 && other === 0)
  const all = gather(mapConcurrently(numbers(4), work, { atOnce: 3, mayOverlap }), [])
  await soon()
  end(1)
  await soon()
  expect(begun).toEqual([0, 1])
  end(0)
  await soon()
  expect(begun).toEqual([0, 1, 2, 3])
  end(2)
  end(3)
  await all
})

test('after a failure no task starts, running ones finish, and earlier results are returned', async () => {
  const { begun, work, end, ends } = bench()
  const told: string[] = []
  let isOver = false
  const all = gather(mapConcurrently(numbers(9), work, { atOnce: 3 }), told).finally(() => {
    isOver = true
  })
  await soon()
  ends.get(1)?.fail(new Error('The power went out'))
  await soon()
  end(0)
  await soon()
  expect([begun, told, isOver]).toEqual([[0, 1, 2], ['result 0'], false])
  end(2)
  await expect(all).rejects.toThrow('The power went out')
  expect(told).toEqual(['result 0'])
})

test('stopping early waits for running tasks and closes the source', async () => {
  const { begun, work, end } = bench()
  let isClosed = false
  async function* source() {
    try {
      yield* numbers(9)
    } finally {
      isClosed = true
    }
  }
  const results = mapConcurrently(source(), work, { atOnce: 2 })
  const first = results.next()
  await soon()
  end(0)
  expect((await first).value).toBe('result 0')
  let isOver = false
  const closing = results.return(undefined).then(() => {
    isOver = true
  })
  await soon()
  expect([isOver, isClosed]).toEqual([false, false])
  end(1)
  await closing
  expect([begun, isClosed]).toEqual([[0, 1], true])
})

test('an error in reading tasks reaches the caller', async () => {
  async function* broken() {
    yield 0
    throw new Error('Row 7 is not in UTF-8')
  }
  const all = gather(
    mapConcurrently(broken(), async (n) => `result ${n}`, { atOnce: 2 }),
    [],
  )
  await expect(all).rejects.toThrow('Row 7')
})
