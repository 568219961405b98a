import { expect, test } from 'vitest'
import { spaceState } from './health.server.ts'

test.each([
  [400e6, 10e9, 'low'],
  [600e6, 10e9, 'ok'],
  [600e6, 20e9, 'low'],
  [4e9, 100e9, 'low'],
  [6e9, 1e12, 'ok'],
])('%d free bytes of %d are %s', (free, all, word) => {
  expect(spaceState(free, all)).toBe(word)
})
