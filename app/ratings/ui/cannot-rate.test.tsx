/** Who cannot rate reads the server's reason, and nothing is guessed beside it. */
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CannotRate } from './cannot-rate.tsx'

const shown = (why: { code: string; message: string }) =>
  renderToString(<CannotRate why={why} email="uma@kettle.example" />)
    .split(/(?:<[^>]+>)+/)
    .filter(Boolean)

test('employers read that they do not rate, and nobody else does', () => {
  expect(shown({ code: 'employer', message: 'Employers can’t rate here' })).toEqual([
    'Employers can’t rate here',
  ])
  for (const code of ['unconfirmed', 'second-step-needed', 'new'])
    expect(shown({ code, message: 'Something else' })).not.toContainEqual(
      expect.stringMatching(/employer/i),
    )
})

test('Uma confirms her address first, and can have the mail once more', () => {
  expect(shown({ code: 'unconfirmed', message: 'Please confirm your email first' })).toEqual([
    'Please confirm your email first',
    'Your ratings will be waiting here.',
    'Resend confirmation',
  ])
})

test('a reason that this page does not know is told as the server says it', () => {
  expect(shown({ code: 'new', message: 'Ratings rest today' })).toEqual([
    'Ratings rest today',
    'Your ratings will be waiting here.',
  ])
})
