import { expect, test } from 'vitest'
import { RECENT_MAX, recentIn, withRecent } from './ui/finder.tsx'

test('the newest search comes first, and only once', () => {
  expect(withRecent(['acme', 'tea'], 'Tea')).toEqual(['Tea', 'acme'])
})

test('the list of recent searches stays short', () => {
  const many = Array.from({ length: 20 }, (_, at) => `text ${at}`)
  expect(many.reduce(withRecent, [] as string[])).toHaveLength(RECENT_MAX)
  expect(recentIn(JSON.stringify(many))).toHaveLength(RECENT_MAX)
})

test.each([null, '', 'no JSON', '{"a":1}', '[1,null]', '"text"'])(
  'nonsense in the storage counts as no searches: %s',
  (stored) => expect(recentIn(stored)).toEqual([]),
)
