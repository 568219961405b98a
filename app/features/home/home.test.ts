import { expect, test } from 'vitest'
import { HOME_TEXTS, WELCOME_TOAST, welcomeText } from './home.ts'

test('Spec §9: the welcome toast names from 5 to 23 employees', () => {
  expect(welcomeText(0)).toBe('5 employees are mid-rant right now. Join the chaos.')
  expect(welcomeText(0.999_999)).toBe('23 employees are mid-rant right now. Join the chaos.')
  expect(WELCOME_TOAST).toMatchObject({
    title: 'Join the conversation!',
    delayMs: 2500,
    durationMs: 6000,
  })
})

test('Spec §1, §2.5: what the home page says', () => {
  expect(HOME_TEXTS.copy).toBe(
    'Search for a company, join anonymous discussions, and share honest insights about workplace culture with peers.',
  )
  expect(HOME_TEXTS.request).toBe("Can't find your company? Request it here")
})
