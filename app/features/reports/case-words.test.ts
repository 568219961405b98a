import { expect, test } from 'vitest'
import { decisionText } from '../moderation/decision-words.ts'
import { causeText, dayInWords, stubText } from './case-words.ts'
import { ACTIONS } from './report.ts'

test('a day and a month are said in words, and what is neither stays as it is', () => {
  expect(dayInWords('2026-03-04')).toBe('4 March 2026')
  expect(dayInWords('2026-03-04T00:00:00.000Z')).toBe('4 March 2026')
  expect(dayInWords('2026-03')).toBe('March 2026')
  expect(dayInWords('soon')).toBe('soon')
})

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

test('every action has its words', () => {
  for (const action of ACTIONS)
    expect(decisionText({ action, kind: 'thread', detail: null })).toMatch(/^[a-z]/)
  expect(decisionText({ action: 'move', kind: 'thread', detail: 'Lampwright Systems' })).toBe(
    'moved a thread to Lampwright Systems',
  )
  expect(decisionText({ action: 'suspend', kind: 'comment', detail: '2026-03-04' })).toBe(
    'suspended who wrote a comment until 4 March 2026',
  )
})
