import { expect, test } from 'vitest'
import { pressed, votedAs } from './vote.ts'

test('an arrow votes, the same arrow takes the vote back, and the other one reverses it', () => {
  expect(pressed(0, 1)).toBe(1)
  expect(pressed(1, 1)).toBe(0)
  expect(pressed(1, -1)).toBe(-1)
  expect(pressed(-1, -1)).toBe(0)
})

test('the score counts a vote once, whatever it was before', () => {
  expect(votedAs({ score: 7, vote: 0 }, 1)).toEqual({ score: 8, vote: 1 })
  expect(votedAs({ score: 8, vote: 1 }, -1)).toEqual({ score: 6, vote: -1 })
  expect(votedAs({ score: 6, vote: -1 }, 0)).toEqual({ score: 7, vote: 0 })
  expect(votedAs({ score: 8, vote: 1 }, 1)).toEqual({ score: 8, vote: 1 })
})
