import { expect, test } from 'vitest'
import { dateText } from './format.ts'

test('a day and a month are said in words', () => {
  expect(dateText('2026-03-04')).toBe('4 March 2026')
  expect(dateText('2026-03-04T00:00:00.000Z')).toBe('4 March 2026')
  expect(dateText('2026-03')).toBe('March 2026')
  expect(dateText('2025-12')).toBe('December 2025')
  expect(dateText('2025-09', 'short')).toBe('Sep 2025')
})

test('what is neither stays as it is', () => {
  expect(dateText('')).toBe('')
  expect(dateText('soon')).toBe('soon')
})
