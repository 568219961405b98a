import { expect, test } from 'vitest'
import { WELCOME_TOAST, welcomeText } from './home.ts'

test('Spec §9: the welcome toast names from 5 to 23 employees', () => {
  expect(welcomeText(0)).toBe('5 employees are mid-rant right now. Join the chaos.')
  expect(welcomeText(0.999_999)).toBe('23 employees are mid-rant right now. Join the chaos.')
  expect(WELCOME_TOAST).toMatchObject({
    title: 'Join the conversation!',
    delayMs: 2500,
    durationMs: 6000,
  })
})
