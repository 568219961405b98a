/**
 * The texts of signing up and in. Spec §2.4, §2.15, §8 and §9 have most of them word for word; check before you change
 * one.
 */
import { PASSWORD_MIN } from '../account.ts'

export const LOGIN = {
  title: 'Welcome Back',
  subtitle: 'Sign in to your account',
  forgot: 'Forgot your password?',
  busy: 'Signing in...',
} as const
export const SIGNUP = {
  title: 'Create Account',
  subtitle: (siteName: string) => `Join ${siteName} and say what it’s really like at work`,
  password: `Password (minimum ${PASSWORD_MIN} characters)`,
  busy: 'Creating account...',
  /** Employers claim their company with an account. */
  forCompany:
    'Signing up for a company? Use a separate work account, then choose “I represent a company” in your settings.',
} as const
export const FORGOT_PASSWORD = {
  title: 'Reset Password',
  subtitle: 'Enter your email and we’ll send you a link',
  busy: 'Sending...',
  sentTitle: 'Check your email',
} as const
export const VIEW_LINKS = {
  signup: 'Sign up',
  login: 'Sign in',
  back: 'Back to login',
} as const

/** The page behind a reset link. Spec §2.15. */
export const RESET_PASSWORD = {
  title: 'Reset Your Password',
  password: 'New Password',
  again: 'Confirm New Password',
  submit: 'Reset Password',
  busy: 'Updating password...',
} as const

/** Spec §8: "Sign in ok", "Sign up ok" and so on. */
export const SIGNED_IN = {
  title: 'Welcome back!',
  description: 'You have successfully logged in.',
} as const
export const signedUp = (siteName: string) => ({
  title: `Welcome to ${siteName}!`,
  description: 'Your account has been created successfully.',
})
export const RESET_SENT = {
  title: 'Password reset email sent',
  description: 'Check your inbox for a link to reset your password.',
} as const
export const PASSWORD_UPDATED = {
  title: 'Password updated',
  description: 'Your password has been reset successfully.',
} as const

/** Titles of failures. The description is the service's message, or one of the messages below. Spec §8. */
export const FAILED = {
  signIn: 'Sign in failed',
  signUp: 'Sign up failed',
  reset: 'Password reset failed',
} as const
export const WRONG_CODE =
  'That’s not the code we sent, or it has expired. Check it, or send another one.'
export const CHECK_CREDENTIALS = 'Please check your credentials and try again'

export const INVALID_LINK = {
  id: 'invalid-reset-link',
  title: 'Invalid reset link',
  description: 'This password reset link is invalid or has expired.',
  variant: 'destructive',
} as const

/** Spec §9. */
export const RESET_REDIRECT_MS = 1_500
