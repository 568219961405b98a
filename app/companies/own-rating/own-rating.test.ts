/** If you rate, you see the number with your own stars, exactly as it will be. */
import { describe, expect, test } from 'vitest'
import { ownNumbersOf, ownRatingsOf, type PendingRating, pendingRatingOf } from './own-rating.ts'
import {
  averageRating,
  type Month,
  mergeMonths,
  numbersOf,
  type OneRating,
  withOwn,
} from './rating-buckets.ts'

test('Spec §5: the average rating is the mean of the categories that were rated, to one decimal', () => {
  expect(averageRating({ rto: 5, dei: 4, workLife: 0, culture: 0 })).toBe(4.5)
  expect(averageRating({ rto: 5, dei: 4, workLife: 4, culture: 0 })).toBe(4.3)
  expect(averageRating({ rto: 1, dei: 1, workLife: 1, culture: 2 })).toBe(1.3)
})

test('Spec §5: the average rating is 0 if no category was rated', () => {
  expect(averageRating({ rto: 0, dei: 0, workLife: 0, culture: 0 })).toBe(0)
})

function randomOf(seed: number) {
  let state = seed
  return (among: number) => {
    state = (state * 16_807) % 2_147_483_647
    return state % among
  }
}

const MONTHS = ['2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03']

/** One person's rating. `weights` says how much its month counts. */
function someRating(random: (n: number) => number, weights: Record<string, number>): OneRating {
  const stars = () => (random(4) === 0 ? null : 1 + random(5))
  const scores = { rto: 1 + random(5), dei: stars(), workLife: stars(), culture: stars() }
  const month = MONTHS[random(MONTHS.length)] as string
  const given = {
    rto: scores.rto,
    dei: scores.dei ?? 0,
    workLife: scores.workLife ?? 0,
    culture: scores.culture ?? 0,
  }
  return {
    ...scores,
    month,
    weight: weights[month] as number,
    tenths: Math.round(10 * averageRating(given)),
  }
}

/** Counted one by one. */
const monthsOf = (ratings: readonly OneRating[], weights: Record<string, number>): Month[] =>
  MONTHS.map((month) => {
    const of = ratings.filter((one) => one.month === month)
    const stars = (key: 'rto' | 'dei' | 'workLife' | 'culture') =>
      [1, 2, 3, 4, 5].map((n) => of.filter((one) => one[key] === n).length)
    return {
      month,
      weight: weights[month] as number,
      ratings: of.length,
      tenths: of.reduce((sum, { tenths }) => sum + tenths, 0),
      rto: stars('rto'),
      dei: stars('dei'),
      workLife: stars('workLife'),
      culture: stars('culture'),
    }
  })

describe('the number with your own rating', () => {
  test('a number with dana’s rating equals recounting everyone, in a thousand companies, with surges', () => {
    for (let seed = 1; seed <= 1_000; seed++) {
      const random = randomOf(seed)
      const weights = Object.fromEntries(
        MONTHS.map((month) => [month, random(4) === 0 ? 1 + random(30) : 30]),
      )
      const others = Array.from({ length: random(25) }, () => someRating(random, weights))
      const published = random(2) === 0 ? null : someRating(random, weights)
      const current = published && random(4) === 0 ? null : someRating(random, weights)
      const shown = mergeMonths(monthsOf([...others, ...(published ? [published] : [])], weights))
      const exact = monthsOf([...others, ...(current ? [current] : [])], weights)
      const mine = withOwn(shown, { published, current })
      expect(numbersOf(mine)).toEqual(numbersOf(exact))
      expect(mine.every(({ ratings }) => ratings > 0)).toBe(true)
    }
  })
})

const waiting = (over: Partial<PendingRating>): PendingRating => ({
  minShown: 1,
  buckets: [],
  ratings: 0,
  published: null,
  current: {
    month: '2026-03',
    weight: 30,
    tenths: 40,
    rto: 4,
    dei: null,
    workLife: null,
    culture: null,
  },
  ...over,
})

test('a number shows to the first person who rates', () => {
  expect(ownNumbersOf(waiting({}))).toEqual({
    rating: 4,
    ratings: 1,
    categoryRatings: { rto: 4, dei: null, workLife: null, culture: null },
  })
})

test('no number shows if too few people rated or it’s held back', () => {
  expect(ownRatingsOf(waiting({ minShown: 3 }))).toMatchObject({
    ratings: 1,
    score: null,
    buckets: [],
    isHeldBack: true,
  })
  expect(ownRatingsOf(waiting({ minShown: 3, ratings: 2 }))).toBeUndefined()
})

describe('this browser’s waiting ratings', () => {
  const NONE = { rto: null, dei: null, workLife: null, culture: null }
  const base = {
    minShown: 1,
    month: '2026-03',
    weight: 12,
    ...numbersOf([]),
    ratings: 2,
    buckets: [
      {
        from: '2025-10',
        to: '2025-12',
        weight: 30,
        ratings: 2,
        tenths: 80,
        rto: [0, 0, 0, 2, 0],
        dei: [0, 0, 0, 0, 0],
        workLife: [0, 0, 0, 0, 0],
        culture: [0, 0, 0, 0, 0],
      },
    ],
  }
  const of = { name: 'Acme', path: '/acme', formerIds: [], base }
  const rating = {
    ...NONE,
    id: '',
    rto: 1,
    note: '',
    noteState: 'shown' as const,
    badge: null,
    month: '2025-11',
  }
  const outgoing = { rating, tries: 0 }

  test('dana’s waiting ratings count with this month’s weight, beside the public ones', () => {
    expect(pendingRatingOf({ ...of, outgoing }, undefined)).toMatchObject({
      ratings: 2,
      published: null,
      current: { rto: 1, tenths: 10, month: '2026-03', weight: 12 },
    })
    const onServer = {
      rating,
      published: { ...NONE, rto: 5, month: '2025-10' },
      isUnpublished: true,
    }
    expect(pendingRatingOf({ ...of, onServer }, base)).toMatchObject({
      published: { rto: 5, month: '2025-10', weight: 30 },
      current: { rto: 1, month: '2025-11', weight: 30 },
    })
    // Changed before it was sent, and taken back.
    expect(pendingRatingOf({ ...of, onServer, outgoing: { rating: null } }, base)).toMatchObject({
      published: { rto: 5 },
      current: null,
    })
  })

  test('no rating is waiting if it’s public or refused, or the public number has changed since', () => {
    const onServer = { rating, published: rating, isUnpublished: false }
    expect(pendingRatingOf({ ...of, onServer }, base)).toBeUndefined()
    expect(
      pendingRatingOf({ ...of, outgoing: { ...outgoing, problem: 'No' } }, base),
    ).toBeUndefined()
    // Another device gave another one, which stands until its person has said which is to.
    const theirs = {
      rating: { ...rating, rto: 5 },
      published: null,
      isUnpublished: true,
    }
    expect(
      pendingRatingOf(
        { ...of, onServer: theirs, outgoing: { ...outgoing, hasConflict: true } },
        base,
      ),
    ).toMatchObject({ current: { rto: 5 } })
    expect(pendingRatingOf({ ...of, outgoing }, { ...base, ratings: 7 })).toBeUndefined()
    expect(pendingRatingOf({ ...of, outgoing, base: undefined as never }, base)).toBeUndefined()
    // Weights change daily without changing the number.
    const lighter = base.buckets.map((bucket) => ({ ...bucket, weight: 20 }))
    expect(pendingRatingOf({ ...of, outgoing }, { ...base, buckets: lighter })).toBeDefined()
  })
})
