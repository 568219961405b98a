import { describe, expect, test } from 'vitest'
import { ACTIONS } from '#app/community/reports/report.ts'
import { choiceOf, type Press } from '#app/kit/ui/list-keys.ts'
import { causeText, commandOf, decisionText, heldVotesText, QUEUE_KEYS } from './moderation.ts'

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  ...more,
})

test('no key means two things', () => {
  const keys = QUEUE_KEYS.flatMap((each) => [...each.keys])
  expect(new Set(keys).size).toBe(keys.length)
})

test('each key asks for its command, with caps lock too', () => {
  expect(commandOf(press('j'))).toBe('next')
  expect(commandOf(press('ArrowUp'))).toBe('previous')
  expect(commandOf(press('a'))).toBe('keep')
  expect(commandOf(press('R'))).toBe('remove')
  expect(commandOf(press('?', { shiftKey: true }))).toBe('help')
  expect(commandOf(press('x'))).toBe('mark')
  expect(commandOf(press('J', { shiftKey: true }))).toBe('mark-next')
  expect(commandOf(press('K', { shiftKey: true, repeat: true }))).toBe('mark-previous')
  expect(commandOf(press('Escape'))).toBe('unmark')
  expect(commandOf(press('y'))).toBeUndefined()
  expect(commandOf(press('Enter'))).toBeUndefined()
})

describe('what decides nothing', () => {
  test.each(['ctrlKey', 'metaKey', 'altKey', 'isComposing', 'shiftKey'] as const)('%s', (held) => {
    expect(commandOf(press('a', { [held]: true }))).toBeUndefined()
  })

  test('a key that is held down: it only walks on', () => {
    expect(commandOf(press('a', { repeat: true }))).toBeUndefined()
    expect(commandOf(press('r', { repeat: true }))).toBeUndefined()
    expect(commandOf(press('u', { repeat: true }))).toBeUndefined()
    expect(commandOf(press('j', { repeat: true }))).toBe('next')
  })
})

test('a digit stands for a choice, as far as there are choices', () => {
  expect(choiceOf(press('1'), 7)).toBe(0)
  expect(choiceOf(press('7'), 7)).toBe(6)
  expect(choiceOf(press('8'), 7)).toBeUndefined()
  expect(choiceOf(press('0'), 7)).toBeUndefined()
  expect(choiceOf(press('1', { ctrlKey: true }), 7)).toBeUndefined()
  expect(choiceOf(press('a'), 7)).toBeUndefined()
})

test('every action has its words', () => {
  for (const action of ACTIONS)
    expect(decisionText({ action, kind: 'thread', detail: null })).toMatch(/^[a-z]/)
  expect(decisionText({ action: 'move', kind: 'thread', detail: 'Lampwright Systems' })).toBe(
    'moved a thread to Lampwright Systems',
  )
  expect(decisionText({ action: 'suspend', kind: 'comment', detail: '2026-03-04' })).toBe(
    'suspended the author of a comment until 4 March 2026',
  )
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
