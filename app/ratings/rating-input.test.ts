/** What is no rating never reaches a command: the contract refuses it. S16. */
import { describe, expect, test } from 'vitest'
import { GivenRating } from './presented/presented.contract.ts'
import { NOTE_MAX } from './rating.ts'

const one = { rto: null, dei: null, workLife: null, culture: 4 }

describe('a rating is 1 to 5 whole stars in at least one of the four', () => {
  test.each([1, 2, 3, 4, 5])('%s stars are taken', (stars) => {
    expect(GivenRating.safeParse({ ...one, rto: stars }).success).toBe(true)
  })

  test.each<[string, unknown]>([
    ['0', 0],
    ['6', 6],
    ['2.5', 2.5],
    ['"5"', '5'],
    ['NaN', Number.NaN],
    ['minus one', -1],
    ['true', true],
    ['a list', [5]],
  ])('%s is refused', (_, stars) => {
    expect(GivenRating.safeParse({ ...one, rto: stars }).success).toBe(false)
  })

  test('all four empty are refused with a sentence', () => {
    const refused = GivenRating.safeParse({ ...one, culture: null })
    expect(refused.error?.issues.map(({ message }) => message)).toEqual([
      'Rate at least one of the four',
    ])
  })

  test('a note has an end, days in the office are whole, relation and years are known ones', () => {
    expect(GivenRating.safeParse({ ...one, note: 'x'.repeat(NOTE_MAX) }).success).toBe(true)
    for (const wrong of [
      { note: 'x'.repeat(NOTE_MAX + 1) },
      { officeDays: 6 },
      { officeDays: 2.5 },
      { relation: 'boss' },
      { era: '1999' },
    ])
      expect(
        GivenRating.safeParse({ ...one, ...wrong }).success,
        JSON.stringify(wrong).slice(0, 60),
      ).toBe(false)
  })
})
