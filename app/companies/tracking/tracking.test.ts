import { expect, test } from 'vitest'
import {
  ACCESS_DENIED,
  INTERACTIONS_MAX,
  INVALID_DATE,
  LOAD_FAILED,
  ME,
  momentText,
  NO_INTERACTIONS,
  refreshedText,
} from './tracking.ts'

test('Spec §8: the tracking page has its toasts', () => {
  expect(LOAD_FAILED).toEqual({
    title: 'Error',
    description: 'Failed to load company interaction data.',
  })
  expect(refreshedText(1000)).toEqual({
    title: 'Data refreshed',
    description: 'Loaded 1000 interaction records',
  })
})

test('Spec §6: a member reads that she can’t view the page', () => {
  expect(ACCESS_DENIED).toEqual({
    title: 'Access denied',
    description: "You don't have permission to view this page.",
  })
})

test('Spec §2.13: the page has its texts', () => {
  expect([ME, NO_INTERACTIONS, INVALID_DATE]).toEqual([
    'me',
    'No interaction data found',
    'Invalid date',
  ])
})

test('Spec §2.13: a click’s time is a date and a time, or an invalid date', () => {
  expect(momentText('2026-03-14T09:26:00Z').join(' ').replace(/\s/g, ' ')).toBe(
    'Mar 14, 2026 9:26 AM',
  )
  for (const nonsense of ['', 'soon', '2026-13-45T00:00:00Z'])
    expect(momentText(nonsense)).toEqual(['Invalid date'])
})

test('Spec §9: the table has 1,000 rows at most', () => {
  expect(INTERACTIONS_MAX).toBe(1000)
})
