import { expect, test } from 'vitest'
import { turn } from './carousel.tsx'

test('three slides follow each other: 0, 1, 2, 0', () => {
  expect([0, 1, 2].map((index) => turn(index, 1, 3))).toEqual([1, 2, 0])
})

test('the last slide comes before the first', () => {
  expect(turn(0, -1, 3)).toBe(2)
})
