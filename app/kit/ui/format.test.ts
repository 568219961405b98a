import { expect, test } from 'vitest'
import { abbreviate, dateText, grouped, plural, upTo } from './format.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [1234, '1.2K'],
  [1250, '1.3K'],
  [999_949, '999.9K'],
  [999_950, '1M'],
  [1_500_000, '1.5M'],
  [-1234, '-1.2K'],
  [Number.NaN, '0'],
])('the number %d reads %s', (count, text) => {
  expect(abbreviate(count)).toBe(text)
})

test('one comment is singular, and none or many are plural', () => {
  expect(plural(1, 'comment')).toBe('1 comment')
  expect(plural(0, 'comment')).toBe('0 comments')
  expect(plural(1234, 'comment')).toBe('1.2K comments')
  expect(plural(2, 'company', 'companies')).toBe('2 companies')
})

test('a full number has commas', () => {
  expect(grouped(999)).toBe('999')
  expect(grouped(1_234_567)).toBe('1,234,567')
})

test('a count that stopped says so', () => {
  expect([9, 99, 100, 1_000].map((count) => upTo(count, 99))).toEqual(['9', '99', '99+', '99+'])
  expect(upTo(1_000, Number.POSITIVE_INFINITY)).toBe('1K')
})

test('a day and a month are in words', () => {
  expect(dateText('2026-03-04')).toBe('4 March 2026')
  expect(dateText('2026-03-04T00:00:00.000Z')).toBe('4 March 2026')
  expect(dateText('2026-03')).toBe('March 2026')
  expect(dateText('2025-12')).toBe('December 2025')
  expect(dateText('2025-09', 'short')).toBe('Sep 2025')
})

test('text that’s no date stays unchanged', () => {
  expect(dateText('')).toBe('')
  expect(dateText('soon')).toBe('soon')
})
