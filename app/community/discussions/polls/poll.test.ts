import { expect, test } from 'vitest'
import {
  EMPTY_POLL,
  type PollDraft,
  pollInput,
  pollProblem,
  pollProblems,
} from '../threads/thread-draft.ts'
import {
  addOption,
  canAddOption,
  moveOption,
  removeOption,
  writeOption,
} from './ui/poll-editor.tsx'

const poll: PollDraft = {
  days: '7',
  options: [
    { key: 0, text: 'Yes' },
    { key: 1, text: 'No' },
    { key: 2, text: 'Maybe' },
  ],
}
const texts = ({ options }: PollDraft) => options.map(({ text }) => text)

test('an option moves one place, and stops at the ends', () => {
  expect(texts(moveOption(poll, 2, -1))).toEqual(['Yes', 'Maybe', 'No'])
  expect(moveOption(poll, 0, -1)).toBe(poll)
  expect(moveOption(poll, 2, 1)).toBe(poll)
})

test('a poll has two to eight options, each with a key of its own', () => {
  let full = EMPTY_POLL
  while (canAddOption(full)) full = addOption(full)
  expect(full.options).toHaveLength(8)
  expect(new Set(full.options.map(({ key }) => key)).size).toBe(8)
  expect(addOption(full)).toBe(full)
  expect(texts(removeOption(poll, 1))).toEqual(['Yes', 'Maybe'])
  expect(removeOption(EMPTY_POLL, 0)).toBe(EMPTY_POLL)
})

test('a removed option’s key isn’t used again', () => {
  const again = addOption(removeOption(poll, 0))
  expect(again.options.map(({ key }) => key)).toEqual([1, 2, 3])
})

test('options have to differ', () => {
  expect(pollProblems(poll)).toBeUndefined()
  for (const blank of [' ', '\u3164'])
    expect(pollProblems(writeOption(poll, 1, blank))?.options).toEqual({
      1: 'An option needs text',
    })
  expect(pollProblems(writeOption(poll, 1, ' yes '))?.options).toEqual({
    1: 'This option already exists',
  })
})

test('the server refuses a poll with the form’s sentence', () => {
  expect(pollProblem(['Yes', 'No'])).toBeUndefined()
  expect(pollProblem(['Yes', ' yes'])).toBe('This option already exists')
  expect(pollProblem(['Yes', 'x'.repeat(101), ''])).toBe(
    'An option can have at most 100 characters',
  )
})

test('a poll runs 1 to 60 whole days', () => {
  for (const days of ['0', '61', '1.5', '', 'x'])
    expect(pollProblems({ ...poll, days })?.days, days).toBe('A poll can run for 1 to 60 days')
  for (const days of ['1', '60']) expect(pollProblems({ ...poll, days }), days).toBeUndefined()
})

test('a poll is sent trimmed, in the page’s order', () => {
  expect(pollInput(writeOption(poll, 0, ' Yes  '))).toEqual({
    options: ['Yes', 'No', 'Maybe'],
    days: 7,
  })
})
