import { expect, test } from 'vitest'
import { scoreText } from './score.tsx'

test.each([
  [4.25, '4.3'],
  [5, '5.0'],
  [0, '--'],
  [-1, '--'],
  [Number.NaN, '--'],
  [null, '--'],
  [undefined, '--'],
])('a rating of %s shows %s', (rating, text) => {
  expect(scoreText(rating)).toBe(text)
})
