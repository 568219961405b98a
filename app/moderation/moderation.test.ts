import { describe, expect, test } from 'vitest'
import { ACTIONS } from '#app/community/reports/report.ts'
import { choiceOf, type KeyPress } from '#app/kit/ui/list-keys.ts'
import { causeText, decisionText, heldVotesText, QUEUE_KEYS, queueCommandOf } from './moderation.ts'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  ...more,
})

test('no key has two meanings', () => {
  const keys = QUEUE_KEYS.flatMap((each) => [...each.keys])
  expect(new Set(keys).size).toBe(keys.length)
})

test('each key runs its command, even with caps lock', () => {
  expect(queueCommandOf(press('j'))).toBe('next')
  expect(queueCommandOf(press('ArrowUp'))).toBe('previous')
  expect(queueCommandOf(press('a'))).toBe('keep')
  expect(queueCommandOf(press('R'))).toBe('remove')
  expect(queueCommandOf(press('?', { shiftKey: true }))).toBe('help')
  expect(queueCommandOf(press('x'))).toBe('mark')
  expect(queueCommandOf(press('J', { shiftKey: true }))).toBe('mark-next')
  expect(queueCommandOf(press('K', { shiftKey: true, repeat: true }))).toBe('mark-previous')
  expect(queueCommandOf(press('Escape'))).toBe('unmark')
  expect(queueCommandOf(press('y'))).toBeUndefined()
  expect(queueCommandOf(press('Enter'))).toBeUndefined()
})

describe('keys that do nothing', () => {
  test.each(['ctrlKey', 'metaKey', 'altKey', 'isComposing', 'shiftKey'] as const)('%s', (held) => {
    expect(queueCommandOf(press('a', { [held]: true }))).toBeUndefined()
  })

  test('a key that’s held down only moves the selection', () => {
    expect(queueCommandOf(press('a', { repeat: true }))).toBeUndefined()
    expect(queueCommandOf(press('r', { repeat: true }))).toBeUndefined()
    expect(queueCommandOf(press('u', { repeat: true }))).toBeUndefined()
    expect(queueCommandOf(press('j', { repeat: true }))).toBe('next')
  })
})

test('a digit picks a choice if there are that many', () => {
  expect(choiceOf(press('1'), 7)).toBe(0)
  expect(choiceOf(press('7'), 7)).toBe(6)
  expect(choiceOf(press('8'), 7)).toBeUndefined()
  expect(choiceOf(press('0'), 7)).toBeUndefined()
  expect(choiceOf(press('1', { ctrlKey: true }), 7)).toBeUndefined()
  expect(choiceOf(press('a'), 7)).toBeUndefined()
})

test('every action has a name', () => {
  for (const action of ACTIONS)
    expect(decisionText({ action, kind: 'thread', detail: null })).toMatch(/^[a-z]/)
  expect(decisionText({ action: 'move', kind: 'thread', detail: 'Lampwright Systems' })).toBe(
    'moved a thread to Lampwright Systems',
  )
  expect(decisionText({ action: 'suspend', kind: 'comment', detail: '2026-03-04' })).toBe(
    'suspended the author of a comment until 4 March 2026',
  )
})

test('a case says why it’s waiting', () => {
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

test('held votes appear as numbers', () => {
  expect(heldVotesText({ up: 3, down: 11, poll: 0 })).toBe('14 votes, 3 up and 11 down')
  expect(heldVotesText({ up: 1, down: 0, poll: 2 })).toBe(
    '1 vote, 1 up and 0 down; 2 votes in the poll',
  )
})
