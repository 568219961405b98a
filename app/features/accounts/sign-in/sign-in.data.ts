/** Signing up, in and out, and changing what one signs in with. Answers what went wrong, if any. */
import type { AuthWeakPasswordError } from '@supabase/auth-js'
import { TRY_AGAIN } from '../../../forms/refusal.ts'
import { liveSession } from '../../../session/session.data.ts'
import { generateUsername } from '../username.ts'
import { CHECK_CREDENTIALS } from './auth-texts.ts'
import { PASSWORD_TOO_SHORT } from './credential.ts'

export interface Problem {
  /** The service's message or the specification's. */
  message: string
  /** What is wrong with the new password; undefined when it is not the password. */
  password?: string
}

export async function signIn(email: string, password: string): Promise<Problem | undefined> {
  return problemOf(async () => {
    const { auth } = await liveSession()
    return auth.signInWithPassword({ email, password })
  }, CHECK_CREDENTIALS)
}

/** `isWaiting`: there is no session before the link in the mail is followed (decision 23). */
export async function signUp(email: string, password: string) {
  let isWaiting = false
  const problem = await problemOf(async () => {
    const { auth } = await liveSession()
    const answer = await auth.signUp({
      email,
      password,
      options: { data: { username: generateUsername() }, emailRedirectTo: location.origin },
    })
    isWaiting = answer.data.session === null
    return answer
  })
  return { problem, isWaiting }
}

/** Sends the mail that confirms an address once more. */
export const resendConfirmation = (email: string) =>
  problemOf(async () => {
    const { auth } = await liveSession()
    return auth.resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: location.origin },
    })
  })

/** Of this browser only. Spec §7.1. */
export const signOut = () => problemOf(async () => endSession('local'), '')

export const signOutOthers = () => problemOf(async () => endSession('others'))

export const changeEmail = (email: string) =>
  problemOf(async () => {
    const { auth } = await liveSession()
    return auth.updateUser({ email }, { emailRedirectTo: location.origin })
  })

export const changePassword = (password: string) =>
  problemOf(async () => {
    const { auth } = await liveSession()
    return auth.updateUser({ password })
  })

async function endSession(scope: 'local' | 'others') {
  const { auth } = await liveSession()
  return auth.signOut({ scope })
}

/** What `ask` complains of; `fallback` stands in where the service has no words for it. */
export async function problemOf(
  ask: () => Promise<{ error: unknown }>,
  fallback = TRY_AGAIN,
): Promise<Problem | undefined> {
  const { error } = await ask().catch((error: unknown) => ({ error: error ?? true }))
  if (!error) return undefined
  const { name, message } = error as Error
  // Nobody answered, or a machine in between: its words are not for people.
  const isService = /^Auth/.test(name) && !/Retryable|Unknown/.test(name)
  const told = (isService && message) || fallback
  const password = name === 'AuthWeakPasswordError' ? weakness(error, told) : undefined
  return { message: told, password }
}

const WEAKNESSES: Record<string, string> = {
  length: PASSWORD_TOO_SHORT,
  characters: 'Mix letters with digits or signs',
  pwned: 'This password is easy to guess, so choose another',
}

function weakness(error: unknown, told: string) {
  const { reasons } = error as AuthWeakPasswordError
  const known = reasons.flatMap((reason) => WEAKNESSES[reason] ?? [])
  return known.length > 0 ? known.join('. ') : told
}
