import { describe, expect, test } from 'vitest'
import {
  countText,
  daysBefore,
  daysUpTo,
  monthsUpTo,
  periodName,
  plotText,
  sumOf,
  weekOf,
  weeksUpTo,
} from './day-count.ts'

describe('time', () => {
  test('days continue across months and years', () => {
    expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28')
    expect(daysBefore('2028-03-01', 1)).toBe('2028-02-29')
    expect(daysBefore('2026-01-01', 1)).toBe('2025-12-31')
  })

  test('the days are 90, with today last', () => {
    const days = daysUpTo('2026-03-14')
    expect([days.length, days[0], days.at(-1)]).toEqual([90, '2025-12-15', '2026-03-14'])
  })

  test.each([
    ['2026-03-09', '2026-03-09'],
    ['2026-03-14', '2026-03-09'],
    ['2026-03-15', '2026-03-09'],
    ['2026-03-16', '2026-03-16'],
  ])('the week of %s begins with the Monday %s', (day, monday) => {
    expect(weekOf(day)).toBe(monday)
  })

  test('weeks and months count once they’re over', () => {
    const [weeks, months] = [weeksUpTo('2026-03-14'), monthsUpTo('2026-03-14')]
    expect([weeks.length, weeks.at(-1)]).toEqual([13, '2026-03-02'])
    expect([months.length, months[0], months.at(-1)]).toEqual([12, '2025-03-01', '2026-02-01'])
    expect(monthsUpTo('2026-01-31').at(-1)).toBe('2025-12-01')
  })

  test('each period has its name', () => {
    expect(periodName('2026-03-09', 'day')).toBe('Mar 9, 2026')
    expect(periodName('2026-03-09', 'week')).toBe('Week of Mar 9, 2026')
    expect(periodName('2026-03-01', 'month')).toBe('Mar 2026')
  })
})

describe('a plot in words', () => {
  const counts = [
    { from: '2026-02-01', n: null },
    { from: '2026-03-01', n: 1200 },
  ]
  test('a plot’s text has the span, the sum and the top', () => {
    expect(plotText('Ratings', 'month', counts)).toBe(
      'Ratings per month, Feb 2026 to Mar 2026: 1,200 in all, at most 1,200 (Mar 2026).',
    )
  })
  test('a plot’s text says if there’s nothing, or always few', () => {
    const none = [{ from: '2026-03-14', n: 0 }]
    expect(plotText('Clicks', 'day', none)).toMatch(/: none\.$/)
    expect(plotText('Sign-ups', 'week', counts.slice(0, 1))).toMatch(/: always fewer than 5\.$/)
    expect(plotText('Clicks', 'day', [])).toBe('Clicks: nothing yet.')
  })
  test('fewer than five people are no number', () => {
    expect(countText(null)).toBe('Fewer than 5')
    expect(sumOf(counts)).toBe(1200)
  })
})
