import { expect, test } from 'vitest'
import { ACTIONS } from '#app/community/reports/report.ts'
import { decisionText } from './decision-text.ts'

test('every action has its words', () => {
  for (const action of ACTIONS)
    expect(decisionText({ action, kind: 'thread', detail: null })).toMatch(/^[a-z]/)
  expect(decisionText({ action: 'move', kind: 'thread', detail: 'Lampwright Systems' })).toBe(
    'moved a thread to Lampwright Systems',
  )
  expect(decisionText({ action: 'suspend', kind: 'comment', detail: '2026-03-04' })).toBe(
    'suspended who wrote a comment until 4 March 2026',
  )
})
