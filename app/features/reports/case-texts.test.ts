import { expect, test } from 'vitest'
import { causeText, stubText } from './case-texts.ts'

test('a stub says why, and a held post only that somebody will look', () => {
  expect(stubText({ state: 'removed', reason: 'spam' })).toBe(
    'Removed by a moderator: Spam or advertising',
  )
  expect(stubText({ state: 'held', reason: null })).toBe('Held until a moderator has looked at it')
})

test('a case says why it waits', () => {
  const reports = [
    { reason: 'spam', count: 2 },
    { reason: 'threat', count: 1 },
  ]
  expect(causeText({ cause: 'reports', reports })).toBe('Reported 3 times')
  expect(causeText({ cause: 'reports', reports: [{ reason: 'spam', count: 1 }] })).toBe(
    'Reported once',
  )
  expect(causeText({ cause: 'burst', reports: [] })).toMatch(/new posted a lot/)
})
