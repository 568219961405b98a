/** People who can't rate read the server's reason, and the screen adds no guesses. */
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CannotRate } from './cannot-rate.tsx'

const shown = (why: { code: string; message: string }) =>
  renderToString(<CannotRate why={why} email="uma@kettle.example" />)
    .split(/(?:<[^>]+>)+/)
    .filter(Boolean)

test('employers read that they can’t rate, and no one else does', () => {
  expect(shown({ code: 'employer-not-allowed', message: 'Employers can’t rate here' })).toEqual([
    'Employers can’t rate here',
  ])
  for (const code of ['unconfirmed', 'second-step-needed', 'new'])
    expect(shown({ code, message: 'Something else' })).not.toContainEqual(
      expect.stringMatching(/employer/i),
    )
})

test('uma has to confirm her address first and can request the mail again', () => {
  expect(shown({ code: 'unconfirmed', message: 'Please confirm your email first' })).toEqual([
    'Please confirm your email first',
    'Your ratings will be waiting here.',
    'Resend confirmation',
  ])
})

test('an unknown reason is shown in the server’s words', () => {
  expect(shown({ code: 'new', message: 'Ratings rest today' })).toEqual([
    'Ratings rest today',
    'Your ratings will be waiting here.',
  ])
})
