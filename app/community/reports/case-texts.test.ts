import { expect, test } from 'vitest'
import { causeText, heldVotesText, stubText } from './case-texts.ts'

test('a stub says why, and a held post only that somebody will look', () => {
  expect(stubText({ state: 'removed', reason: 'spam' })).toBe(
    'Removed by a moderator: Spam or advertising',
  )
  expect(stubText({ state: 'held', reason: null })).toBe('Hidden until a moderator reviews it')
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
  expect(causeText({ cause: 'burst', reports: [] })).toMatch(/new author posted a lot/)
  expect(causeText({ cause: 'votes', reports: [] })).toBe('Unusual voting')
})

test('votes that wait are said as numbers', () => {
  expect(heldVotesText({ up: 3, down: 11, poll: 0 })).toBe('14 votes, 3 up and 11 down')
  expect(heldVotesText({ up: 1, down: 0, poll: 2 })).toBe(
    '1 vote, 1 up and 0 down; 2 votes in the poll',
  )
})
