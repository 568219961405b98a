import { expect, test } from 'vitest'
import { BREAKDOWN_MIN } from '#app/companies/company.ts'
import type { Policy } from '#app/companies/edits/company-policy.ts'
import { mergeMonths, numbersOf } from '#app/companies/own-rating/rating-buckets.ts'
import { companyNamed } from '#tests/support/views.ts'
import { type Known, QUESTIONS, questionsFor, RULES } from './interview-questions.ts'

const NONE = [0, 0, 0, 0, 0]
const MONTH = '2026-11'

/** @param stars how many people gave one to five, in the categories that were rated */
function ratingsOf(
  months: Record<string, Partial<Record<'rto' | 'dei' | 'workLife' | 'culture', number[]>>>,
): NonNullable<Known['ratings']> {
  const buckets = mergeMonths(
    Object.entries(months).map(([month, given]) => {
      const stars = { rto: NONE, dei: NONE, workLife: NONE, culture: NONE, ...given }
      const first = Object.values(given)[0] ?? NONE
      const ratings = first.reduce((sum, n) => sum + n, 0)
      const tenths = first.reduce((sum, n, i) => sum + n * (i + 1) * 10, 0)
      return { month, ratings, weight: 30, tenths, ...stars }
    }),
  )
  return {
    month: MONTH,
    ...numbersOf(buckets),
    buckets,
    officeDays: null,
    byRelation: [],
  }
}

const ACME = { ...companyNamed('Acme'), slug: 'acme', policyHistory: [], similar: [] }
/** Twelve people, and no number that says anything. */
const CALM = ratingsOf({ [MONTH]: { workLife: [0, 0, 0, 12, 0] } })
const policy = (given: Partial<Policy> = {}): Policy => ({
  ...{ mode: 'hybrid', days: 3, since: null, source: null },
  ...given,
})
const withPolicies = (...policyHistory: Policy[]) => ({ ...ACME, policyHistory })
const people = (mean: number, ratings = 19) => ({ mean, ratings })
const saying = (text: string, n: number) => Array.from({ length: n }, () => ({ html: text }))

/** What a rule finds, by its id. */
const found = (id: string, known: Partial<Known>) =>
  (RULES.find((rule) => rule.id === id)?.find({ company: ACME, ratings: CALM, ...known }) ?? [])
    .filter((it) => !!it)
    .map(({ about, why, href, strength }) => ({ about, why, href, strength }))

test('people go in more often than the company says', () => {
  const known = { company: withPolicies(policy()), ratings: { ...CALM, officeDays: people(3.6) } }
  expect(found('office-gap', known)).toEqual([
    {
      about: 'office',
      why: 'The company says 3 days a week. 19 people say they go in 3.6 days.',
      href: '/acme?tab=ratings#office-days',
      strength: expect.closeTo(1.2),
    },
  ])
  const fewer = { ...known, ratings: { ...CALM, officeDays: people(1) } }
  expect(found('office-gap', fewer)).toMatchObject([{ strength: 4 }])
  const close = { ...known, ratings: { ...CALM, officeDays: people(3.4) } }
  expect(found('office-gap', close)).toEqual([])
  expect(found('office-gap', { ...known, ratings: CALM })).toEqual([])
})

test('a company says remote, and people go in', () => {
  const company = withPolicies(policy({ mode: 'remote', days: null }))
  const ratings = { ...CALM, officeDays: people(1, 8) }
  expect(found('office-gap', { company, ratings })).toMatchObject([
    { why: 'The company says remote. 8 people say they go in 1 day.' },
  ])
})

test('no one knows how many days the company asks for', () => {
  const ratings = { ...CALM, officeDays: people(3.6) }
  expect(found('office-unstated', { ratings })).toMatchObject([
    {
      why: '19 people say they go in 3.6 days a week. Its office policy isn’t on this page yet.',
      strength: 1,
    },
  ])
  const vague = withPolicies(policy({ days: null }))
  expect(found('office-unstated', { company: vague, ratings })).toMatchObject([
    {
      why: '19 people say they go in 3.6 days a week. The company says hybrid, but not how many days.',
    },
  ])
  expect(found('office-unstated', { company: withPolicies(policy()), ratings })).toEqual([])
  expect(found('office-unstated', {})).toEqual([])
})

test('the office policy changed in the last year', () => {
  const changed = (since: string) =>
    found('policy-changed', {
      company: withPolicies(policy({ mode: 'office', days: null, since }), policy({ days: 2 })),
    })
  expect(changed('2026-11')).toMatchObject([
    {
      why: 'The office policy changed in November 2026, from “Hybrid, 2 days a week in the office” to “In the office”.',
      strength: 2,
    },
  ])
  expect(changed('2025-11')).toMatchObject([{ strength: 1 }])
  expect(changed('2025-10')).toEqual([])
  expect(found('policy-changed', { company: withPolicies(policy({ since: '2026-10' })) })).toEqual(
    [],
  )
})

test('a category has few stars, from five people or more', () => {
  const low = (stars: number[]) =>
    found('low-stars', { ratings: ratingsOf({ [MONTH]: { workLife: stars } }) })
  expect(low([0, 5, 0, 0, 0])).toEqual([
    {
      about: 'hours',
      why: '5 people give work-life balance 2.0 out of 5 on average.',
      href: '/acme?tab=ratings#stars-workLife',
      strength: 3,
    },
  ])
  expect(low([0, 0, 5, 0, 0])).toMatchObject([{ strength: 1 }])
  expect(low([0, 0, 9, 1, 0])).toEqual([])
  expect(low([0, 4, 0, 0, 0])).toEqual([])
})

test('people disagree about a category', () => {
  const split = (stars: number[]) =>
    found('split-stars', { ratings: ratingsOf({ [MONTH]: { culture: stars } }) })
  expect(split([4, 4, 7, 5, 5])).toMatchObject([
    {
      about: 'culture',
      why: 'Of 25 people, 8 give the culture one or two stars, and 10 give it four or five.',
      strength: expect.closeTo(1.28),
    },
  ])
  expect(split([1, 0, 7, 5, 5])).toEqual([])
  expect(split([2, 0, 0, 0, 2])).toEqual([])
})

test('the last year’s ratings differ from those before', () => {
  const changed = (now: number[], before: number[]) =>
    found('changed', {
      ratings: ratingsOf({ '2025-11': { dei: before }, '2026-03': { dei: now } }),
    })
  expect(changed([0, 0, 5, 0, 0], [0, 0, 0, 5, 0])).toEqual([
    {
      about: 'change',
      why: 'Ratings from the last 12 months average 3.0. Earlier ones average 4.0.',
      href: '/acme?tab=ratings#trend',
      strength: 2,
    },
  ])
  expect(changed([0, 0, 0, 5, 0], [0, 0, 0, 5, 0])).toEqual([])
  // Merged into one bucket, as either alone is fewer than five people.
  expect(changed([0, 0, 4, 0, 0], [0, 0, 0, 4, 0])).toEqual([])
})

test('people who interviewed there rate it lower than everyone', () => {
  const rated = (score: number) => ({
    ...{ ...CALM, score: 3.4 },
    byRelation: [{ key: 'candidate', ratings: 6, score }],
  })
  expect(found('candidates', { ratings: rated(2.4) })).toMatchObject([
    {
      about: 'steps',
      why: '6 people who interviewed there rate it 2.4. Everyone together rates it 3.4.',
      strength: 2,
    },
  ])
  expect(found('candidates', { ratings: rated(3) })).toEqual([])
  expect(found('candidates', {})).toEqual([])
})

test('people who left rate it lower than people who stayed', () => {
  const rated = (former: number) => ({
    ...CALM,
    byRelation: [
      { key: 'current', ratings: 9, score: 3.5 },
      { key: 'former', ratings: 6, score: former },
    ],
  })
  expect(found('former', { ratings: rated(2.5) })).toMatchObject([
    {
      about: 'leaving',
      why: '6 people who worked there rate it 2.5. 9 who work there rate it 3.5.',
      strength: 2,
    },
  ])
  expect(found('former', { ratings: rated(3.5) })).toEqual([])
})

test('similar companies are rated higher', () => {
  const similar = (...ratings: (number | null)[]) => ({
    ...ACME,
    similar: ratings.map((rating) => ({ ...companyNamed('Bolt'), rating })),
  })
  const ratings = { ...CALM, score: 2.8 }
  expect(found('similar', { company: similar(3.8, null, 3.8), ratings })).toMatchObject([
    { about: 'team', why: 'It’s rated 2.8. Similar companies average 3.8.', strength: 2 },
  ])
  expect(found('similar', { company: similar(3.8), ratings })).toEqual([])
  expect(found('similar', { company: similar(3, 3), ratings })).toEqual([])
  const few = { ...ratings, ratings: BREAKDOWN_MIN - 1 }
  expect(found('similar', { company: similar(3.8, 3.8), ratings: few })).toEqual([])
})

test('few people have rated the company', () => {
  const few = (ratings: number) => found('few-ratings', { ratings: { ...CALM, ratings } })
  expect(few(4)).toMatchObject([{ why: 'Only 4 people have rated it so far.', strength: 2.5 }])
  expect(few(1)).toMatchObject([{ why: 'Only 1 person has rated it so far.' }])
  expect(few(0)).toEqual([])
  expect(few(10)).toEqual([])
})

test('many of the company’s discussions have one topic', () => {
  const pay = { slug: 'pay', name: 'Pay and benefits', threads: 4 }
  const talk = { threads: 8, topics: [pay, { ...pay, slug: 'water-cooler' }] }
  expect(found('talk', { talk })).toEqual([
    {
      about: 'pay',
      why: '4 of its 8 discussions have the topic “Pay and benefits”.',
      href: `/discussions?company=${ACME.id}&topic=pay`,
      strength: 2,
    },
  ])
  const large = { threads: 100, topics: [{ ...pay, threads: 30 }] }
  expect(found('talk', { talk: large })).toMatchObject([
    { why: '30 of its latest 100 discussions have the topic “Pay and benefits”.' },
  ])
  expect(found('talk', { talk: { ...talk, threads: 17 } })).toEqual([])
  expect(found('talk', { talk: { threads: 1, topics: [{ ...pay, threads: 1 }] } })).toEqual([])
})

test('several notes use a subject’s words, and not just parts of words', () => {
  const notes = [
    ...saying('<p>On-call, every <em>weekend</em>!</p>', 2),
    ...saying('<p>Overtime is usual.</p>', 1),
    ...saying('<p>The tea is fine. They repay you.</p>', 3),
  ]
  expect(found('notes', { notes })).toEqual([
    {
      about: 'hours',
      why: '3 of the latest 6 notes use “overtime”, “weekend” or “on call”.',
      href: '/acme?tab=ratings#notes',
      strength: 2,
    },
  ])
  expect(found('notes', { notes: notes.slice(1) })).toEqual([])
  expect(found('notes', { notes: [...notes, ...saying('Nothing', 7)] })).toEqual([])
})

test('the reason furthest past its limit comes first, and no subject comes twice', () => {
  const company = withPolicies(policy())
  const ratings = {
    ...ratingsOf({ [MONTH]: { rto: [6, 6, 0, 0, 0], workLife: [0, 4, 4, 4, 0] } }),
    officeDays: people(4),
  }
  const asked = questionsFor({ company, ratings })
  expect(asked.map(({ reason }) => reason?.why)).toEqual([
    '12 people give the office policy 1.5 out of 5 on average.',
    'Of 12 people, 4 give work-life balance one or two stars, and 4 give it four or five.',
    ...[undefined, undefined, undefined],
  ])
  expect(new Set(asked.map(({ question }) => question)).size).toBe(QUESTIONS)
})

test('a company that no one has rated gets five questions to ask everywhere', () => {
  for (const ratings of [undefined, ratingsOf({})]) {
    const asked = questionsFor({ company: ACME, ratings, notes: [] })
    expect(asked).toHaveLength(QUESTIONS)
    expect(asked.every(({ reason }) => reason === null)).toBe(true)
  }
})

test('a company with too few ratings uses only their number', () => {
  const heldBack = { ...ratingsOf({}), ratings: 2 }
  expect(
    questionsFor({ company: ACME, ratings: heldBack }).flatMap(({ reason }) => reason?.why ?? []),
  ).toEqual(['Only 2 people have rated it so far.'])
})
