/** When ratings are published, over simulated years of companies, busy and slow. */
import { describe, expect, test } from 'vitest'
import { dueRatingIds, overdueBefore } from './publication.server.ts'

interface Rating {
  month: string
  stars: number | null
}
type People = Map<string, Rating>

/** Whose rating differs. A removed one that was never public doesn't. */
const differing = (given: People, shown: People) =>
  [...given].flatMap(([id, { month, stars }]) => {
    const before = shown.get(id)
    const isSame = before ? before.month === month && before.stars === stars : stars === null
    return isSame ? [] : [{ id, month }]
  })

function randomOf(seed: number) {
  let state = seed
  return (among: number) => {
    state = (state * 16_807) % 2_147_483_647
    return state % among
  }
}

/** Each night of two years: what was public before it, and after it. */
function* nights({
  seed,
  perDay,
  ratingBatch,
}: {
  seed: number
  perDay: number
  ratingBatch: number
}) {
  const random = randomOf(seed)
  const given: People = new Map()
  let shown: People = new Map()
  for (let n = 0; n < 730; n++) {
    const today = new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
    const before = shown
    const due = dueRatingIds(differing(given, shown), { ratingBatch, today })
    shown = new Map(shown)
    for (const id of due) {
      const one = given.get(id) as Rating
      if (one.stars === null) shown.delete(id)
      else shown.set(id, one)
    }
    yield { today, before, shown, waiting: differing(given, shown) }
    // Of the day that begins: people give, change, and take back what they gave.
    const month = `${today.slice(0, 7)}-01`
    while (random(1_000) < (1_000 * perDay) / (1 + perDay)) {
      const id = `person ${random(60)}`
      given.set(id, { month, stars: random(20) === 0 ? null : 1 + random(5) })
    }
  }
}

describe.each([
  [2, 5],
  [0.3, 5],
  [0.05, 5],
  [1, 10],
])('a company that hears of %d ratings a day, published %i together', (perDay, ratingBatch) => {
  test('a number changes within a month by no one or by a whole batch of people', () => {
    let moved = 0
    for (let seed = 1; seed <= 20; seed++) {
      let month = ''
      for (const { today, before, shown } of nights({ seed, perDay, ratingBatch })) {
        const isTurn = month !== today.slice(0, 7)
        month = today.slice(0, 7)
        const people = new Set([...before.keys(), ...shown.keys()])
        const changed = [...people].filter((id) => before.get(id) !== shown.get(id))
        if (changed.length === 0) continue
        moved++
        if (changed.length >= ratingBatch) continue
        // Fewer only at the turn of a month, and what then says no more than that month.
        expect(isTurn).toBe(true)
        for (const id of changed) {
          const now = shown.get(id)
          if (now) expect(now.month < overdueBefore(today)).toBe(true)
        }
      }
    }
    expect(moved).toBeGreaterThan(20)
  })

  test('no one waits longer than until a whole month has passed', () => {
    for (let seed = 1; seed <= 20; seed++)
      for (const { today, waiting } of nights({ seed, perDay, ratingBatch }))
        for (const { month } of waiting) expect(month >= overdueBefore(today)).toBe(true)
  })
})

test('every rating is published alone with a batch of one', () => {
  for (const { before, shown, waiting } of nights({ seed: 3, perDay: 1, ratingBatch: 1 })) {
    expect(waiting).toEqual([])
    expect(shown.size).toBeGreaterThanOrEqual(before.size - 60)
  }
})

test('five changes by one person count as one person', () => {
  const waiting = [{ id: 'dana', month: '2026-03-01' }]
  expect(dueRatingIds(waiting, { ratingBatch: 5, today: '2026-04-30' })).toEqual([])
  expect(dueRatingIds(waiting, { ratingBatch: 5, today: '2026-05-01' })).toEqual(['dana'])
})

test('D57: each merged company counts for itself, because one person may have rated both', () => {
  const waiting = (n: number, mergedFrom: string | null) =>
    Array.from({ length: n }, (_, i) => ({
      id: `${mergedFrom} ${i}`,
      month: '2026-03-01',
      mergedFrom,
    }))
  const due = (waiting: Parameters<typeof dueRatingIds>[0]) =>
    dueRatingIds(waiting, { ratingBatch: 5, today: '2026-03-14' }).length
  expect(due([...waiting(4, null), ...waiting(4, 'acme')])).toBe(0)
  expect(due([...waiting(5, null), ...waiting(4, 'acme')])).toBe(5)
  expect(due([...waiting(5, null), ...waiting(6, 'acme')])).toBe(11)
  expect(due([...waiting(3, 'acme'), ...waiting(3, 'erin and sons')])).toBe(0)
})
