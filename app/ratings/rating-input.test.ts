/** The contract and `ratingProblems` refuse what is no rating. S16. */
import { describe, expect, test } from 'vitest'
import vectors from '#app/api/credential/kettle-vectors.json' with { type: 'json' }
import { GivenRating } from './presented/presented.contract.ts'
import { NOTE_MAX } from './rating.ts'
import { messageOf, type PresentedRating, ratingProblems } from './rating-input.ts'

const one = { rto: null, dei: null, workLife: null, culture: 4 }

describe('a rating is 1 to 5 whole stars in at least one of the four', () => {
  test.each([1, 2, 3, 4, 5])('a rating of %s stars is valid', (stars) => {
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
  ])('a rating of %s is refused', (_, stars) => {
    expect(GivenRating.safeParse({ ...one, rto: stars }).success).toBe(false)
  })

  test('a rating without any stars is refused with a sentence', () => {
    const { stars } = ratingProblems(GivenRating.parse({ ...one, culture: null }))
    expect(stars).toBe('Rate at least one of the four')
  })

  test('a note has a limit, office days are whole, and relation and years are from the lists', () => {
    const problemOf = (note: string) => ratingProblems(GivenRating.parse({ ...one, note })).note
    const tooLong = `A note can have at most ${NOTE_MAX.toLocaleString('en')} characters`
    expect(problemOf('x'.repeat(NOTE_MAX))).toBeUndefined()
    expect(problemOf('x'.repeat(NOTE_MAX + 1))).toBe(tooLong)
    // Measured as it's stored: without the blanks around it, and with letters that NFC takes apart.
    expect(problemOf(`${'x'.repeat(NOTE_MAX)}  \n`)).toBeUndefined()
    expect(problemOf('\u0958'.repeat(NOTE_MAX / 2 + 1))).toBe(tooLong)
    for (const wrong of [
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

test('a rating’s proof is bound to bytes that are the same in every version of browser and server', () => {
  const { rating, message } = vectors.example
  const bytes = messageOf(rating as PresentedRating)
  expect(Buffer.from(bytes).toString('hex')).toBe(message)
  const { removal: _, ...before } = rating
  expect(
    new TextDecoder().decode(messageOf({ ...before, version: 0 } as unknown as PresentedRating)),
  ).toBe(
    JSON.stringify([
      ...[rating.companyId, '2026-Q4', rating.holder, [], [2, null, 4, null], 3],
      ...['current', null, 'It rains inside.'],
    ]),
  )
})
