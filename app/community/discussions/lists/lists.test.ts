import { expect, test } from 'vitest'
import {
  choicesIn,
  isLeftOut,
  marksOf,
  NO_CHOICES,
  NOTHING_READ,
  readIn,
  toggled,
  toggledNamed,
  visited,
  withRead,
} from './lists.data.ts'

const thread = {
  id: 'a',
  company: { id: 'acme' },
  topics: [{ slug: 'pay' }],
  postedAt: '2026-03-01T09:00:00Z',
  comments: 4,
}

test('a hidden thread is left out everywhere, and muted companies and topics unless asked for', () => {
  const hidden = toggled(NO_CHOICES, 'hidden', 'a')
  const company = toggledNamed(NO_CHOICES, 'companies', { key: 'acme', name: 'Acme' })
  const topic = toggledNamed(NO_CHOICES, 'topics', { key: 'pay', name: 'Pay' })
  for (const choices of [hidden, company, topic]) expect(isLeftOut(thread, choices, {})).toBe(true)
  for (const asked of [{ company: 'acme' }, { topic: 'pay' }, { search: 'tea' }]) {
    expect(isLeftOut(thread, hidden, asked)).toBe(true)
    for (const choices of [company, topic]) expect(isLeftOut(thread, choices, asked)).toBe(false)
  }
  expect(toggled(hidden, 'hidden', 'a')).toEqual(NO_CHOICES)
  expect(toggledNamed(company, 'companies', { key: 'acme', name: 'Acme' })).toEqual(NO_CHOICES)
  expect(isLeftOut({ ...thread, id: 'b', company: null }, company, {})).toBe(false)
})

test('a thread since the last visit is new, and one that was read counts its new comments', () => {
  const first = visited(NOTHING_READ, new Date('2026-02-28T09:00:00Z'))
  expect(marksOf(thread, first)).toEqual({ isRead: false, added: 0, isNew: false })
  const still = visited(first, new Date('2026-02-28T09:20:00Z'))
  expect(still.before).toBeNull()
  const back = visited(still, new Date('2026-03-01T10:00:00Z'))
  expect(marksOf(thread, back).isNew).toBe(true)
  const read = withRead(back, 'a', 4)
  expect(marksOf(thread, read)).toEqual({ isRead: true, added: 0, isNew: false })
  expect(marksOf({ ...thread, comments: 7 }, read).added).toBe(3)
  expect(marksOf({ ...thread, comments: 2 }, read).added).toBe(0)
})

test.each([null, '', '4', 'null', '[]', '{"hidden":[1],"comments":[[1,"a"],5]}', '{"at":"soon"}'])(
  'nonsense in storage counts as nothing: %s',
  (stored) => {
    expect(choicesIn(stored)).toEqual(NO_CHOICES)
    expect(readIn(stored)).toEqual(NOTHING_READ)
  },
)

test('stored lists are read back', () => {
  const choices = toggledNamed(toggled(NO_CHOICES, 'followed', 'pay'), 'topics', {
    key: 'x',
    name: 'X',
  })
  expect(choicesIn(JSON.stringify(choices))).toEqual(choices)
  const read = withRead(visited(NOTHING_READ, new Date('2026-03-01T10:00:00Z')), 'a', 4)
  expect(readIn(JSON.stringify(read))).toEqual(read)
})
