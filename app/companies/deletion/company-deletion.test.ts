import { describe, expect, test } from 'vitest'
import { belongingLines, nameProblem } from './company-deletion.ts'

describe('S14: olga types a company’s name to delete it', () => {
  test.each([
    ['Acme', 'Acme'],
    ['  Acme ', 'Acme'],
    ['Erin and  Sons', 'Erin and Sons'],
    // What a keyboard has, for what a name has.
    ["Erin's", 'Erin’s'],
    ['Nestle\u0301', 'Nestlé'],
    ['株式会社', '株式会社'],
  ])('the typed %j is %s', (typed, name) => {
    expect(nameProblem(typed, name)).toBeUndefined()
  })

  test.each([
    ['', 'Acme'],
    ['acme', 'Acme'],
    ['Acme Ltd', 'Acme'],
    ['Acm', 'Acme'],
    ['Nestle', 'Nestlé'],
  ])('the typed %j isn’t %s', (typed, name) => {
    expect(nameProblem(typed, name)).toBe(`Type ${name} exactly as shown`)
  })
})

test('the dialog says how much of each kind goes, even if there’s none', () => {
  expect(belongingLines({ threads: 1, comments: 1_200, ratings: 0, jobs: 2 })).toEqual([
    '1 thread',
    '1,200 comments',
    '0 ratings',
    '2 jobs',
  ])
})
