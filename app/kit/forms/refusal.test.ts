import { expect, test } from 'vitest'
import { ApiError, TRY_AGAIN } from '#app/api/client.ts'
import { errorSentence } from './refusal.ts'

test.each([
  [403, 'Not yours', 'Not yours'],
  [503, 'We can’t save anything right now', 'We can’t save anything right now'],
  [500, 'Something went wrong on our side', TRY_AGAIN],
  [0, 'Failed to fetch', TRY_AGAIN],
  [409, '', TRY_AGAIN],
])('a refusal of %i that says “%s” has its sentence', (status, said, text) => {
  expect(errorSentence(new ApiError(status, 'x', said))).toBe(text)
})
