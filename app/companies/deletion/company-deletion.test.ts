import { describe, expect, test } from 'vitest'
import { belongingLines, nameProblem } from './company-deletion.ts'

describe('S14: whoever deletes a company types its name', () => {
  test.each([
    ['Acme', 'Acme'],
    ['  Acme ', 'Acme'],
    ['Erin and  Sons', 'Erin and Sons'],
    // What a keyboard has, for what a name has.
    ["Erin's", 'Erin’s'],
    ['Nestle\u0301', 'Nestlé'],
    ['株式会社', '株式会社'],
  ])('%j is %s', (typed, name) => {
    expect(nameProblem(typed, name)).toBeUndefined()
  })

  test.each([
    ['', 'Acme'],
    ['acme', 'Acme'],
    ['Acme Ltd', 'Acme'],
    ['Acm', 'Acme'],
    ['Nestle', 'Nestlé'],
  ])('%j is not %s', (typed, name) => {
    expect(nameProblem(typed, name)).toBe(`Type ${name} exactly as shown`)
  })
})

test('how much goes is said of each kind, also where nothing is there', () => {
  expect(belongingLines({ threads: 1, comments: 1_200, ratings: 0, jobs: 2 })).toEqual([
    '1 thread',
    '1,200 comments',
    '0 ratings',
    '2 jobs',
  ])
})
