import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.tsx'

const now = Date.parse('2026-03-10T12:00:00Z')
const ago = (ms: number) => new Date(now - ms).toISOString()

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [-5_000, 'just now'],
  [60_000, '1 minute ago'],
  [5 * 60_000, '5 minutes ago'],
  [3_600_000, '1 hour ago'],
  [23 * 3_600_000, '23 hours ago'],
  [86_400_000, '1 day ago'],
  [29 * 86_400_000, '29 days ago'],
  [60 * 86_400_000, '2 months ago'],
  [800 * 86_400_000, '2 years ago'],
])('a time %d ms ago is %s', (age, text) => {
  expect(relativeTime(ago(age), now)).toBe(text)
})

test('an unreadable time doesn’t break the page', () => {
  expect(relativeTime('yesterday-ish', now)).toBe('just now')
})
