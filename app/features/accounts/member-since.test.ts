import { expect, test } from 'vitest'
import { monthInWords } from './member-since.ts'

test('a month is said in words', () => {
  expect(monthInWords('2026-03')).toBe('March 2026')
  expect(monthInWords('2025-12')).toBe('December 2025')
})

test('what is no month is left as it is', () => {
  expect(monthInWords('')).toBe('')
  expect(monthInWords('soon')).toBe('soon')
})
