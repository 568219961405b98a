/** What people may give about benefits, and the sentences for what they may not. */
import { expect, test } from 'vitest'
import { aBenefits } from '#tests/support/benefits.ts'
import { BENEFIT_GROUPS, BENEFITS, BENEFITS_REFUSALS, KEY_MAX } from './benefits.ts'
import { type BenefitsInput, benefitsMessage, benefitsProblems, wholeIn } from './benefits-input.ts'

const problems = (over: Partial<BenefitsInput>) =>
  Object.values(benefitsProblems(aBenefits(over), '2026-03-14')).filter(Boolean)

test('the list has some forty benefits in groups, each once', () => {
  expect(BENEFITS.length).toBeGreaterThanOrEqual(40)
  expect(BENEFITS.length).toBeLessThan(50)
  expect(new Set(BENEFITS.map(({ key }) => key)).size).toBe(BENEFITS.length)
  expect(BENEFITS.every(({ key }) => key.length <= KEY_MAX)).toBe(true)
  expect(BENEFIT_GROUPS.every(({ benefits }) => benefits.length > 2)).toBe(true)
})

test('benefits from the list and possible numbers may be given, in part too', () => {
  expect(problems({})).toEqual([])
  expect(problems({ has: [], uses: [], leaveWeeks: null })).toEqual([])
  expect(problems({ leaveWeeks: null, daysOff: null })).toEqual([])
  expect(problems({ leaveWeeks: 0, daysOff: 0 })).toEqual([])
})

test('others get a sentence', () => {
  const nothing = { has: [], uses: [], leaveWeeks: null, daysOff: null }
  expect(problems(nothing)).toEqual([BENEFITS_REFUSALS.nothing])
  expect(problems({ has: ['the boss is called Petra'], uses: [] })).toEqual([
    BENEFITS_REFUSALS.unknown,
  ])
  expect(problems({ has: ['staff-discount', 'staff-discount'], uses: [] })).toEqual([
    BENEFITS_REFUSALS.unknown,
  ])
  expect(problems({ uses: ['staff-discount'] })).toEqual([BENEFITS_REFUSALS.notHad])
  expect(problems({ leaveWeeks: 365 })).toEqual([BENEFITS_REFUSALS.leave])
  expect(problems({ daysOff: 200 })).toEqual([BENEFITS_REFUSALS.daysOff])
  expect(problems({ daysOff: -1 })).toEqual([BENEFITS_REFUSALS.daysOff])
  expect(problems({ year: 2021 })).toEqual(['Choose a year from 2022 to 2026'])
})

test.each([
  ['', null],
  [' 28 ', 28],
  ['0', 0],
  ['28.5', BENEFITS_REFUSALS.noNumber],
  ['four weeks', BENEFITS_REFUSALS.noNumber],
  ['-3', BENEFITS_REFUSALS.noNumber],
])('“%s” as typed is %s', (typed, number) => expect(wholeIn(typed)).toBe(number))

test('a proof is bound to everything that’s given', () => {
  const said = {
    companyId: 'c',
    quarter: '2026-Q1',
    holder: 'h',
    removal: 'r',
    mergedKeys: ['k'],
    benefits: aBenefits(),
    version: 1,
  }
  const messages = [
    said,
    ...(['companyId', 'quarter', 'holder', 'removal'] as const).map((key) => ({
      ...said,
      [key]: 'x',
    })),
    { ...said, mergedKeys: [] },
    { ...said, version: 2 },
    ...[
      { year: 2025 },
      { has: [] },
      { uses: [] },
      { leaveWeeks: null },
      { daysOff: null },
      { leaveWeeks: 28, daysOff: 16 },
    ].map((over) => ({ ...said, benefits: aBenefits(over) })),
  ].map((it) => new TextDecoder().decode(benefitsMessage(it)))
  expect(new Set(messages).size).toBe(messages.length)
})
