import { expect, test } from 'vitest'
import { emailProblem, newPasswordProblem, resetProblems } from './email-and-password.ts'

test('Spec §5: an email address is required', () => {
  expect(emailProblem('')).toBe('Please enter your email')
  expect(emailProblem('   ')).toBe('Please enter your email')
})

test('an email address looks like one, and the mail finds out the rest', () => {
  for (const good of ['dana@example.com', ' dana+tea@example.co.uk ', 'ü@bücher.example', 'a@b'])
    expect(emailProblem(good)).toBeUndefined()
  for (const bad of [
    'dana',
    '@example.com',
    'dana@',
    'da na@example.com',
    'a@b@c',
    `${'a'.repeat(255)}@b`,
  ])
    expect(emailProblem(bad)).toBe('This doesn’t look like an email address')
})

test('Spec §5: a password has 6 characters or more, up to what can be checked', () => {
  expect(newPasswordProblem('')).toBe('Please enter a password')
  expect(newPasswordProblem('12345')).toBe('Password must be at least 6 characters')
  expect(newPasswordProblem('123456')).toBeUndefined()
  expect(newPasswordProblem('ä'.repeat(128))).toBeUndefined()
  expect(newPasswordProblem('a'.repeat(1_001))).toBe('This password is too long')
})

test('Spec §5: both passwords are required, have to match, and then to be long enough', () => {
  expect(resetProblems('', '')).toEqual({ password: 'Please enter a password' })
  expect(resetProblems('secret1', '')).toEqual({ again: 'Please enter the password again' })
  expect(resetProblems('secret1', 'secret2')).toEqual({ again: "Passwords don't match" })
  expect(resetProblems('tea', 'tea')).toEqual({
    password: 'Password must be at least 6 characters',
  })
  expect(resetProblems('secret1', 'secret1')).toEqual({ password: undefined })
})
