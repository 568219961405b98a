/** What counts as an interview, and what its proof is bound to. */
import { expect, test } from 'vitest'
import { anInterview } from '#tests/support/interviews.ts'
import { INTERVIEW_REFUSALS } from './interview.ts'
import { interviewMessage, interviewProblems, tidySteps } from './interview-input.ts'

const TODAY = '2026-03-14'
const problemsOf = (over: object) => {
  const found = Object.entries(interviewProblems({ ...anInterview(), ...over }, TODAY))
  return found.flatMap(([field, problem]) => (problem ? [[field, problem]] : []))
}

test('a whole interview has no problem, and each field that’s missing or impossible has a sentence', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ note: '' })).toEqual([])
  for (const [over, sentence] of [
    [{ year: 2021 }, INTERVIEW_REFUSALS.year(2022, 2026)],
    [{ year: 3 }, INTERVIEW_REFUSALS.year(2022, 2026)],
    [{ year: 2027 }, INTERVIEW_REFUSALS.year(2022, 2026)],
    [{ steps: [] }, INTERVIEW_REFUSALS.steps],
    [{ weeks: null }, INTERVIEW_REFUSALS.weeks],
    [{ weeks: 0 }, INTERVIEW_REFUSALS.weeks],
    [{ weeks: 2.5 }, INTERVIEW_REFUSALS.weeks],
    [{ weeks: 53 }, INTERVIEW_REFUSALS.weeks],
    [{ hasOffer: null }, INTERVIEW_REFUSALS.offer],
    [{ difficulty: null }, INTERVIEW_REFUSALS.difficulty],
    [{ difficulty: 6 }, INTERVIEW_REFUSALS.difficulty],
    [{ feeling: null }, INTERVIEW_REFUSALS.feeling],
    [{ note: 'a'.repeat(2_001) }, 'A text can have at most 2,000 characters'],
  ] as const)
    expect(problemsOf(over).map(([, problem]) => problem)).toEqual([sentence])
})

test('steps are kept once each, in the order of the list', () => {
  expect(tidySteps(['onsite', 'phone', 'onsite'])).toEqual(['phone', 'onsite'])
})

test('a proof is for exactly this interview', () => {
  const said = {
    ...{ companyId: 'acme', quarter: '2026-Q1', holder: 'h', removal: 'r', mergedKeys: ['m'] },
    ...{ interview: anInterview(), version: 1 },
  }
  const textOf = (over: object) => new TextDecoder().decode(interviewMessage({ ...said, ...over }))
  const others = [
    { companyId: 'other' },
    { quarter: '2026-Q2' },
    { holder: 'other' },
    { removal: 'other' },
    { mergedKeys: [] },
    { version: 2 },
    ...[
      { year: 2025 },
      { steps: ['phone' as const] },
      { weeks: 4 },
      { hasOffer: false },
      { difficulty: 1 as const },
      { feeling: 1 as const },
      { note: '' },
    ].map((over) => ({ interview: anInterview(over) })),
  ]
  expect(new Set([{}, ...others].map(textOf)).size).toBe(others.length + 1)
})
