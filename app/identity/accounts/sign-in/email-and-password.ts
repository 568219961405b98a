/** What people sign in with, as forms check it before they send it. No I/O here. */
import { isOneAddress } from '#app/platform/mail/address.ts'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../account.ts'

/** Spec §5, to the letter. */
export const passwordTooShort = (least: number) => `Password must be at least ${least} characters`
const NO_ADDRESS = 'This doesn’t look like an email address'
const PASSWORDS_DIFFER = "Passwords don't match"

/** Undefined for a plausible email address. Only sending an email shows whether it exists. */
export function emailProblem(email: string): string | undefined {
  const address = email.trim()
  if (address === '') return 'Please enter your email'
  if (address.length > EMAIL_MAX || !/^[^\s@]+@[^\s@]+$/.test(address)) return NO_ADDRESS
  return undefined
}

/** A stricter `emailProblem`, for an address that we write to and that no one has signed in with. */
export const mailboxProblem = (email: string): string | undefined =>
  emailProblem(email) ?? (isOneAddress(email.trim()) ? undefined : NO_ADDRESS)

export function newPasswordProblem(password: string, least = PASSWORD_MIN): string | undefined {
  if (password === '') return 'Please enter a password'
  if ([...password].length < least) return passwordTooShort(least)
  if (password.length > PASSWORD_MAX) return 'This password is too long'
  return undefined
}

/** Spec §5. */
export function resetProblems(password: string, again: string, least = PASSWORD_MIN) {
  const problem = newPasswordProblem(password, least)
  if (password === '') return { password: problem }
  if (again === '') return { again: 'Please enter the password again' }
  if (password !== again) return { again: PASSWORDS_DIFFER }
  return { password: problem }
}
