import { expect, test } from 'vitest'
import {
  averageRating,
  companyPath,
  HIGHEST_RATED_DEFAULT,
  RATING_CATEGORIES,
  RECENT_DEFAULT,
  SEARCH_MIN_CHARACTERS,
  SUGGESTIONS_MAX,
  TRENDING_DEFAULT,
} from './company.ts'

test('Spec §5: the average rating is the mean of the categories that were rated, to one decimal', () => {
  expect(averageRating({ rto: 5, dei: 4, workLife: 0, culture: 0 })).toBe(4.5)
  expect(averageRating({ rto: 5, dei: 4, workLife: 4, culture: 0 })).toBe(4.3)
  expect(averageRating({ rto: 1, dei: 1, workLife: 1, culture: 2 })).toBe(1.3)
})

test('Spec §5: the average rating is 0 if no category was rated', () => {
  expect(averageRating({ rto: 0, dei: 0, workLife: 0, culture: 0 })).toBe(0)
})

test('Spec §3: four things are rated, under their full names', () => {
  expect(RATING_CATEGORIES).toEqual([
    { key: 'rto', name: 'Return-to-Office (RTO) Policy' },
    { key: 'dei', name: 'Diversity, Equity, and Inclusion (DEI)' },
    { key: 'workLife', name: 'Work-Life Balance' },
    { key: 'culture', name: 'Company Culture' },
  ])
})

test('Spec §2.6: a company lives at its slug, or at its id without one', () => {
  expect(companyPath({ id: 'an-id', slug: 'acme' })).toBe('/acme')
  expect(companyPath({ id: 'an-id', slug: null })).toBe('/company/an-id')
})

test('Spec §7.2, §9: suggestions from 2 characters, at most 20; lists of 10, 12 and 12', () => {
  expect(SEARCH_MIN_CHARACTERS).toBe(2)
  expect(SUGGESTIONS_MAX).toBe(20)
  expect([TRENDING_DEFAULT, RECENT_DEFAULT, HIGHEST_RATED_DEFAULT]).toEqual([10, 12, 12])
})
