import { expect, test } from 'vitest'
import { RECENT_MAX, recentIn, withRecent } from './ui/finder.tsx'

test('the newest search stands first, and once', () => {
  expect(withRecent(['acme', 'tea'], 'Tea')).toEqual(['Tea', 'acme'])
})

test('only a glance is kept', () => {
  const many = Array.from({ length: 20 }, (_, at) => `text ${at}`)
  expect(many.reduce(withRecent, [] as string[])).toHaveLength(RECENT_MAX)
  expect(recentIn(JSON.stringify(many))).toHaveLength(RECENT_MAX)
})

test.each([null, '', 'no JSON', '{"a":1}', '[1,null]', '"text"'])(
  'what makes no sense is no search: %s',
  (stored) => expect(recentIn(stored)).toEqual([]),
)
