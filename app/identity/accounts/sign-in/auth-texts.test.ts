import { expect, test } from 'vitest'
import { TRY_AGAIN } from '#app/api/client.ts'
import {
  CHECK_CREDENTIALS,
  FAILED,
  FORGOT_PASSWORD,
  INVALID_LINK,
  LOGIN,
  PASSWORD_UPDATED,
  RESET_PASSWORD,
  RESET_REDIRECT_MS,
  RESET_SENT,
  SIGNED_IN,
  SIGNUP,
  signedUp,
  VIEW_LINKS,
} from './auth-texts.ts'
import { SIGN_OUT_REDIRECT_MS, SIGNED_OUT, SIGNING_OUT, signOutFailed } from './own-sign-in.data.ts'

test('Spec §2.4: the login view has its texts', () => {
  expect(LOGIN).toEqual({
    title: 'Welcome Back',
    subtitle: 'Sign in to your account',
    forgot: 'Forgot your password?',
    busy: 'Signing in...',
  })
})

test('Spec §2.4: the signup view names the site and the least length of a password', () => {
  expect(SIGNUP.title).toBe('Create Account')
  expect(SIGNUP.subtitle('Samovar')).toMatch(/^Join Samovar\b/)
  expect(SIGNUP.password).toBe('Password (minimum 6 characters)')
  expect(SIGNUP.busy).toBe('Creating account...')
})

test('Spec §2.4: the forgot-password view has its texts before and after sending', () => {
  expect(FORGOT_PASSWORD).toMatchObject({
    title: 'Reset Password',
    busy: 'Sending...',
    sentTitle: 'Check your email',
  })
  expect(FORGOT_PASSWORD.subtitle).toMatch(/email/)
})

test('Spec §2.4: the views link to each other', () => {
  expect(VIEW_LINKS).toEqual({ signup: 'Sign up', login: 'Sign in', back: 'Back to login' })
})

test('Spec §2.15: the reset page has its texts', () => {
  expect(RESET_PASSWORD).toEqual({
    title: 'Reset Your Password',
    password: 'New Password',
    again: 'Confirm New Password',
    submit: 'Reset Password',
    busy: 'Updating password...',
  })
})

test('Spec §8: signing in has its toasts', () => {
  expect(SIGNED_IN).toEqual({
    title: 'Welcome back!',
    description: 'You have successfully logged in.',
  })
  expect(FAILED.signIn).toBe('Sign in failed')
  expect(CHECK_CREDENTIALS).toBe('Please check your credentials and try again')
})

test('Spec §8, S1: signing up welcomes people to the site by its name', () => {
  expect(signedUp('Samovar')).toEqual({
    title: 'Welcome to Samovar!',
    description: 'Your account has been created successfully.',
  })
  expect(FAILED.signUp).toBe('Sign up failed')
  expect(TRY_AGAIN).toBe('Something went wrong. Please try again.')
})

test('Spec §8: the reset mail and the new password have their toasts', () => {
  expect(RESET_SENT).toEqual({
    title: 'Password reset email sent',
    description: 'Check your inbox for a link to reset your password.',
  })
  expect(FAILED.reset).toBe('Password reset failed')
  expect(PASSWORD_UPDATED).toEqual({
    title: 'Password updated',
    description: 'Your password has been reset successfully.',
  })
})

test('Spec §2.15, §8: an invalid reset link has its texts', () => {
  expect(INVALID_LINK).toMatchObject({
    title: 'Invalid reset link',
    description: 'This password reset link is invalid or has expired.',
    variant: 'destructive',
  })
})

test('Spec §2.3, §8: signing out has its texts, and a failure shows its message in the drawer, not the menu', () => {
  expect(SIGNING_OUT).toBe('Signing out...')
  expect(SIGNED_OUT).toEqual({
    title: 'Signed out successfully',
    description: 'You have been signed out of your account.',
  })
  const failed = { title: 'Sign out failed', variant: 'destructive' }
  expect(signOutFailed('No connection', true)).toEqual({ ...failed, description: 'No connection' })
  expect(signOutFailed('No connection', false)).toEqual({
    ...failed,
    description: 'Please try again',
  })
})

test('Spec §9: dana moves on 100 ms after signing out, and 1.5 s after a new password', () => {
  expect(SIGN_OUT_REDIRECT_MS).toBe(100)
  expect(RESET_REDIRECT_MS).toBe(1500)
})
