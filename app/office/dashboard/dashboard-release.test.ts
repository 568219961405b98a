import { describe, expect, test } from 'vitest'
import { daysBefore, monthsBefore } from '#app/companies/tracking/day-count.ts'
import {
  authorsIn,
  closeSpans,
  comingCounts,
  DEPARTED,
  isPublishableInterest,
  lastClosedMonth,
  lastClosedWeek,
  nextFollowers,
  nextMonth,
  nextWeek,
  PARTS,
  type PartKey,
  type PostsOfOne,
  publishableParts,
  type RatingsAlike,
  ratersIn,
  ratingNumbers,
} from './dashboard-release.ts'

/** One post of each of these people. */
const posts = (period: string, ...people: number[]): PostsOfOne[] =>
  people.map((person) => ({ period, person, n: 1 }))
const byWeek = { peopleIn: authorsIn, next: nextWeek }
const daysOf = (spans: { from: string; to: string }[]) => spans.map(({ from, to }) => [from, to])

describe('what’s counted next, and when', () => {
  test('the current week counts on the Tuesday after it, and a month along with its next week', () => {
    // A Saturday.
    expect(comingCounts('2026-03-14', false)).toEqual({
      week: { from: '2026-03-09', to: '2026-03-15', on: '2026-03-17' },
      month: { from: '2026-03-01', to: '2026-03-31', on: '2026-04-07' },
    })
    expect(comingCounts('2026-03-14', true).month).toEqual({
      from: '2026-02-01',
      to: '2026-02-28',
      on: '2026-04-07',
    })
  })

  test('the day that’s announced is the first on which the week or month can be counted', () => {
    for (let n = 0; n < 400; n++) {
      const today = daysBefore('2026-03-14', -n)
      for (const wait of [false, true]) {
        const { week, month } = comingCounts(today, wait)
        expect(lastClosedWeek(week.on)).toBe(week.from)
        expect(lastClosedWeek(daysBefore(week.on, 1)) < week.from).toBe(true)
        const publicOn = (day: string) =>
          wait ? monthsBefore(lastClosedMonth(day), 1) : lastClosedMonth(day)
        expect(publicOn(month.on) >= month.from).toBe(true)
        expect(publicOn(daysBefore(month.on, 7)) < month.from).toBe(true)
        // A day on which weeks are counted.
        expect(new Date(month.on).getUTCDay()).toBe(2)
      }
    }
  })
})

describe('weeks and months count once they’re over', () => {
  test('a week that ended yesterday waits one more day', () => {
    expect(lastClosedWeek('2026-03-15')).toBe('2026-03-02')
    expect(lastClosedWeek('2026-03-16')).toBe('2026-03-02')
    expect(lastClosedWeek('2026-03-17')).toBe('2026-03-09')
  })
  test('a month that ended yesterday waits one more day', () => {
    expect(lastClosedMonth('2026-03-01')).toBe('2026-01-01')
    expect(lastClosedMonth('2026-03-02')).toBe('2026-02-01')
    expect(lastClosedMonth('2026-01-31')).toBe('2025-12-01')
  })
})

describe('a stretch', () => {
  test('a week is a stretch if five people wrote in it', () => {
    const rows = [...posts('2026-03-02', 1, 2, 3, 4, 5), ...posts('2026-03-09', 1, 2, 3, 4, 6)]
    expect(daysOf(closeSpans(rows, byWeek))).toEqual([
      ['2026-03-02', '2026-03-02'],
      ['2026-03-09', '2026-03-09'],
    ])
  })
  test('a stretch waits for its fifth person, and the rest isn’t shown', () => {
    const rows = [
      ...posts('2026-02-02', 1, 2, 3, 4),
      ...posts('2026-02-16', 5),
      ...posts('2026-02-23', 1, 2, 3, 4),
    ]
    expect(daysOf(closeSpans(rows, byWeek))).toEqual([['2026-02-02', '2026-02-16']])
  })
  test('stretches don’t depend on the order of their weeks', () => {
    const rows = [
      ...posts('2026-02-16', 5),
      ...posts('2026-02-23', 1, 2, 3, 4, 5),
      ...posts('2026-02-02', 1, 2, 3, 4),
    ]
    expect(daysOf(closeSpans(rows, byWeek))).toEqual([
      ['2026-02-02', '2026-02-16'],
      ['2026-02-23', '2026-02-23'],
    ])
  })
  test('a stretch counts people, not posts', () => {
    const rows = ['2026-02-02', '2026-02-09', '2026-02-16'].flatMap((week) =>
      posts(week, 1, 2, 3, 4),
    )
    expect(closeSpans(rows, byWeek)).toEqual([])
    // Nor people who left, because no one knows how many they are or who came back.
    expect(closeSpans([...rows, ...posts('2026-02-02', DEPARTED)], byWeek)).toEqual([])
  })
  test('a stretch begins where the last one ended, even if no one wrote then', () => {
    const rows = posts('2026-02-16', 1, 2, 3, 4, 5)
    expect(daysOf(closeSpans(rows, { ...byWeek, since: '2026-02-02' }))).toEqual([
      ['2026-02-02', '2026-02-16'],
    ])
  })
})

/** So many ratings of one month that hold these parts, each with three stars. */
const alike = (ratings: number, ...has: PartKey[]): RatingsAlike => ({
  period: '2026-02-01',
  has,
  ratings,
  tenths: 30 * ratings,
  sums: Object.fromEntries(has.map((part) => [part, 3 * ratings])),
})

describe('parts of ratings', () => {
  test('all parts are shown if everyone rated all of them', () => {
    expect(publishableParts([alike(5, ...PARTS)])).toEqual(PARTS)
  })
  test('a part that four people left out isn’t shown, as the total would reveal those four', () => {
    const four = PARTS.filter((part) => part !== 'dei')
    expect(publishableParts([alike(9, ...PARTS), alike(4, ...four)])).toEqual(four)
    expect(publishableParts([alike(9, ...PARTS), alike(5, ...four)])).toEqual(PARTS)
  })
  test('a part that only four people rated isn’t shown', () => {
    expect(publishableParts([alike(20, 'rto'), alike(4, 'rto', 'culture')])).toEqual(['rto'])
  })
  test('two parts that differ by one person aren’t both shown', () => {
    const rows = [alike(10, 'rto', 'dei'), alike(10, 'culture'), alike(1, 'rto', 'culture')]
    expect(publishableParts(rows)).toEqual(['dei', 'culture'])
  })
  test('any mix of parts and people keeps the rule', () => {
    let state = 11
    const random = (below: number) => {
      state = (state * 16807) % 2147483647
      return state % below
    }
    for (let i = 0; i < 2_000; i++) {
      const rows = Array.from({ length: 1 + random(8) }, () =>
        alike(1 + random(12), ...PARTS.filter(() => random(3) > 0)),
      )
      const told = publishableParts(rows)
      // No sum of published parts can distinguish people who have the same ones.
      for (const row of rows) {
        const same = rows.filter((other) =>
          told.every((part) => row.has.includes(part) === other.has.includes(part)),
        )
        if (ratersIn(rows) >= 5) expect(ratersIn(same)).toBeGreaterThanOrEqual(5)
      }
    }
  })
  test('no part of four people’s ratings is shown', () => {
    expect(publishableParts([alike(4, ...PARTS)])).toEqual([])
  })
  test('a part sums up only the ratings that have it', () => {
    const others = PARTS.filter((part) => part !== 'dei')
    const { parts } = ratingNumbers([alike(9, ...PARTS), alike(5, ...others)])
    expect(parts).toMatchObject({
      dei: { ratings: 9, sum: 27 },
      culture: { ratings: 14, sum: 42 },
    })
  })
  test('a part that isn’t shown isn’t stored', () => {
    const numbers = ratingNumbers([alike(9, ...PARTS), alike(4, 'rto')])
    expect(numbers).toEqual({ ratings: 13, tenths: 390, parts: { rto: { ratings: 13, sum: 39 } } })
  })
  test('months continue after December', () => {
    expect(nextMonth('2025-12-01')).toBe('2026-01-01')
  })
})

describe('followers', () => {
  test('followers show from five on, in fives', () => {
    expect(nextFollowers(4, { basis: 0, shown: null }).shown).toBeNull()
    expect(nextFollowers(5, { basis: 0, shown: null }).shown).toBe(5)
    expect(nextFollowers(13, { basis: 0, shown: null })).toEqual({ basis: 13, shown: 10 })
  })
  test('followers don’t show one person who comes or goes, wherever the number stands', () => {
    for (let basis = 5; basis < 40; basis++)
      for (const now of [basis - 4, basis - 1, basis + 1, basis + 4])
        expect(nextFollowers(now, { basis, shown: 5 })).toEqual({ basis, shown: 5 })
  })
  test('followers show as fewer than five once most have left', () => {
    expect(nextFollowers(3, { basis: 8, shown: 5 })).toEqual({ basis: 3, shown: null })
  })
})

test('job views show once five people looked, applied, and looked without applying, or no one applied', () => {
  expect(isPublishableInterest({ views: 5, applies: 0 })).toBe(true)
  expect(isPublishableInterest({ views: 10, applies: 5 })).toBe(true)
  expect(isPublishableInterest({ views: 5, applies: 5 })).toBe(true)
  expect(isPublishableInterest({ views: 0, applies: 0 })).toBe(false)
  expect(isPublishableInterest({ views: 4, applies: 0 })).toBe(false)
  expect(isPublishableInterest({ views: 20, applies: 4 })).toBe(false)
  expect(isPublishableInterest({ views: 9, applies: 5 })).toBe(false)
  expect(isPublishableInterest({ views: 5, applies: 6 })).toBe(false)
})
