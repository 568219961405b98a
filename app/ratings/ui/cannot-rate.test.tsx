/** People who can't rate read the server's reason, and the screen adds no guesses. */
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CannotRate } from './cannot-rate.tsx'

const shown = (why: { code: string; message: string }) =>
  renderToString(<CannotRate why={why} me={{ email: 'uma@kettle.example', newEmail: null }} />)
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

test('uma has to confirm her address first, with the mail’s code or another mail', () => {
  const texts = shown({ code: 'unconfirmed', message: 'Please confirm your email first' })
  for (const text of ['uma@kettle.example', 'Code', 'Confirm my email', 'Send it again'])
    expect(texts).toContain(text)
  expect(texts).not.toContain('Please confirm your email first')
})

test('an unknown reason is shown in the server’s words', () => {
  expect(shown({ code: 'new', message: 'Ratings rest today' })).toEqual([
    'Ratings rest today',
    'Your ratings will be waiting here.',
  ])
})
