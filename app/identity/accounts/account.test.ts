import { expect, test } from 'vitest'
import { initialsOf } from './account.ts'

test.each([
  ['CandidTeapot4711', 'CT'],
  ['dana', 'D'],
  ['dana_b', 'DB'],
  ['Dana_92', 'D'],
  ['tea-pot-lover', 'TP'],
  ['007', '0'],
])('the initials of %s are %s', (username, initials) => {
  expect(initialsOf(username)).toBe(initials)
})
