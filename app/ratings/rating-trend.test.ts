/** How a company's number came about, in words and months. */
import { expect, test } from 'vitest'
import { scoreOf } from '#app/companies/own-rating/rating-buckets.ts'
import { isSameRating, ratingDraftOf, ratingProblems } from './rating-input.ts'
import { monthsBetween, monthsName, trendOf } from './rating-trend.ts'

const bucket = (from: string, to: string, ratings: number, tenths: number, weight = 30) => ({
  from,
  to,
  ratings,
  tenths,
  weight,
})

test('the trend ends at the shown number, with surges weighted as today', () => {
  const buckets = [
    bucket('2023-01', '2023-12', 5, 100),
    bucket('2024-05', '2025-02', 5, 200),
    bucket('2026-03', '2026-03', 20, 1_000, 3),
  ]
  const trend = trendOf(buckets, '2026-03')
  expect(trend.map(({ at, mean, score }) => [at, mean, score])).toEqual([
    [10, 4, 3],
    [23, 5, 3 + 1 / 3],
  ])
  expect(trend.at(-1)?.score).toBe(scoreOf(buckets))
})

test('ratings older than 24 months aren’t in the trend, and without points there’s none', () => {
  expect(trendOf([bucket('2020-01', '2024-03', 5, 100)], '2026-03')).toEqual([])
  expect(trendOf([bucket('2020-01', '2024-04', 5, 100)], '2026-03')).toMatchObject([{ at: 0 }])
  expect(monthsBetween('2025-11', '2026-02')).toBe(3)
})

test('months are named as people say them', () => {
  expect(monthsName({ from: '2026-03', to: '2026-03' })).toBe('March 2026')
  expect(monthsName({ from: '2026-01', to: '2026-03' })).toBe('January to March 2026')
  expect(monthsName({ from: '2025-11', to: '2026-03' })).toBe('November 2025 to March 2026')
})

test('a draft takes only the answers of an earlier rating', () => {
  const draft = ratingDraftOf({
    id: 'x',
    month: '2026-03',
    rto: 4,
    note: 'Calm',
    noteState: 'shown',
  })
  expect(draft).toEqual({
    rto: 4,
    dei: null,
    workLife: null,
    culture: null,
    officeDays: null,
    relation: null,
    era: null,
    note: 'Calm',
  })
  expect(isSameRating(draft, ratingDraftOf({ rto: 4, note: 'Calm' }))).toBe(true)
  expect(isSameRating(draft, ratingDraftOf(null))).toBe(false)
})

test('a rating needs one of the four categories and has a length limit', () => {
  const problems = (rating: object | null) => ratingProblems(ratingDraftOf(rating))
  expect(problems(null)).toEqual({ stars: 'Rate at least one of the four' })
  expect(problems({ culture: 1 })).toEqual({})
  expect(problems({ culture: 1, note: 'a'.repeat(2_001) }).note).toMatch(/2,000/)
})
