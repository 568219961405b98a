import { expect, test } from 'vitest'
import { wordsOfPath } from './not-found.screen.tsx'

test.each([
  ['/toyta', 'toyta'],
  ['/company/toyta-motor/', 'toyta motor'],
  ['/Caf%C3%A9_Blue', 'Café Blue'],
  ['/%E0%A4%A', '%E0%A4%A'],
  ['/', ''],
])('the address %s is about "%s"', (path, words) => {
  expect(wordsOfPath(path)).toBe(words)
})
