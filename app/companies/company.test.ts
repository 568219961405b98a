import { expect, test } from 'vitest'
import {
  companyPath,
  HIGHEST_RATED_DEFAULT,
  RATING_CATEGORIES,
  RECENT_DEFAULT,
  SEARCH_MIN_CHARACTERS,
  SUGGESTIONS_MAX,
  TRENDING_DEFAULT,
} from './company.ts'

test('Spec §3: people rate four things under their full names', () => {
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

test('Spec §7.2, §9: suggestions need 2 characters and are at most 20, lists 10, 12 and 12', () => {
  expect(SEARCH_MIN_CHARACTERS).toBe(2)
  expect(SUGGESTIONS_MAX).toBe(20)
  expect([TRENDING_DEFAULT, RECENT_DEFAULT, HIGHEST_RATED_DEFAULT]).toEqual([10, 12, 12])
})
