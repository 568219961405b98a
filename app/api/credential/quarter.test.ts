import { expect, test } from 'vitest'
import { isQuarterAround, lastDayOf, quarterOf, quartersAround, renewalMonthOf } from './quarter.ts'

test('a quarter begins with January, April, July and October', () => {
  const months = ['01-01', '03-31', '04-01', '06-30', '07-01', '09-30', '10-01', '12-31']
  expect(months.map((day) => quarterOf(`2026-${day}`).slice(5)).join(' ')).toBe(
    'Q1 Q1 Q2 Q2 Q3 Q3 Q4 Q4',
  )
})

test('a quarter’s neighbors continue across the turn of the year', () => {
  expect(quartersAround('2026-11-25')).toEqual(['2026-Q3', '2026-Q4', '2027-Q1'])
  expect(quartersAround('2027-02-01')).toEqual(['2026-Q4', '2027-Q1', '2027-Q2'])
})

test('a credential is valid until the last day of the next quarter', () => {
  expect(['2026-Q1', '2026-Q2', '2026-Q3', '2026-Q4'].map(lastDayOf)).toEqual([
    '2026-06-30',
    '2026-09-30',
    '2026-12-31',
    '2027-03-31',
  ])
})

test('a browser takes the calendar’s own quarter and its neighbors, and no other', () => {
  const around = ['2026-Q2', '2026-Q3', '2026-Q4', '2027-Q1', '2027-Q2', '2031-Q1'].filter((it) =>
    isQuarterAround(it, '2026-11-25'),
  )
  expect(around).toEqual(['2026-Q3', '2026-Q4', '2027-Q1'])
})

test('a credential is renewed in the last month in which it’s valid', () => {
  const months = ['2026-Q1', '2026-Q3', '2026-Q4'].map((quarter) =>
    renewalMonthOf(quarter).map((moment) => new Date(moment).toISOString().slice(0, 10)),
  )
  expect(months).toEqual([
    ['2026-06-01', '2026-06-30'],
    ['2026-12-01', '2026-12-31'],
    ['2027-03-01', '2027-03-31'],
  ])
})
