import { expect, test } from 'vitest'
import { ageText, shownCount, totalWaiting, waitingLine } from './waiting.ts'

test('an age is as precise as what’s stored', () => {
  const texts = [
    [0, 'hour', 'less than an hour old'],
    [1, 'hour', '1 hour old'],
    [47, 'hour', '47 hours old'],
    [48, 'hour', '2 days old'],
    [0, 'day', 'from today'],
    [1, 'day', '1 day old'],
    [40, 'day', '40 days old'],
  ] as const
  for (const [n, unit, text] of texts) expect(ageText({ n, unit })).toBe(text)
})

test('a line says how many wait, and how old the oldest is', () => {
  const two = { n: 2, unit: 'day' as const }
  expect(waitingLine({ kind: 'appeals', count: 3, age: two })).toBe(
    '3 appeals, the oldest 2 days old',
  )
  expect(waitingLine({ kind: 'appeals', count: 1, age: two })).toBe('1 appeal, 2 days old')
  expect(waitingLine({ kind: 'mails', count: 2, age: null })).toBe('2 undelivered emails')
})

test('a count that stopped at its limit says so', () => {
  expect(shownCount(999)).toBe('999')
  expect(shownCount(1_000)).toBe('999+')
  expect(totalWaiting([{ count: 999 }, { count: 4 }])).toBe(1_003)
})
