/** Signing up, in and out, and changing what one signs in with. Answers what went wrong, if any. */
import type { AuthWeakPasswordError, WeakPassword } from '@supabase/auth-js'
import { ApiError } from '#app/api/client.ts'
import { TRY_AGAIN } from '#app/kit/forms/refusal.ts'
import { isHalfway } from '#app/kit/session/halfway.ts'
import { SIGN_UP_KEY } from '#app/kit/session/mail-link.ts'
import { askForProof, liveSession } from '#app/kit/session/session.data.ts'
import { noteSignUpPage } from '#app/kit/session/sign-up-page.ts'
import { PASSWORD_MIN } from '../account.ts'
import { generateUsername } from '../username.ts'
import { openAnswered } from './auth-service.data.ts'
import { CHECK_CREDENTIALS } from './auth-texts.ts'
import { passwordTooShort } from './credential.ts'

type Ask = () => Promise<{ error: unknown }>

export interface Problem {
  /** The service's message or the specification's. */
  message: string
  /** What is wrong with the new password; undefined when it is not the password. */
  password?: string
  /** By which the service names it. */
  code?: string
}

/** `weakness`: what is wrong with a password that signs in all the same. `isHalf`: a second step follows. */
export async function signIn(email: string, password: string) {
  let weakness: string | undefined
  let isHalf = false
  const problem = await problemOf(async () => {
    const { auth, api } = await liveSession()
    let answer = await auth.signInWithPassword({ email, password })
    // Somebody tried many passwords of this account.
    if (answer.error?.code === 'captcha_failed') {
      const { proveWork } = await import('#app/kit/spam-check/spam-check.data.ts')
      const captchaToken = await proveWork(api)
      answer = await auth.signInWithPassword({ email, password, options: { captchaToken } })
    }
    const weak = answer.data?.weakPassword
    weakness = weak ? weaknessIn(weak) : undefined
    isHalf = answer.data?.session ? isHalfway(answer.data.session) : false
    return answer
  }, CHECK_CREDENTIALS)
  return { problem, weakness, isHalf }
}

/** `isWaiting`: there is no session before the link in the mail is followed (S23). */
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
    if (isWaiting && answer.data.user) noteSignUp(answer.data.user.id)
    if (!answer.error) noteSignUpPage()
    return answer
  })
  return { problem, isWaiting }
}

/** The link of the mail knows this browser by it, until somebody signs in here. */
function noteSignUp(id: string) {
  try {
    localStorage.setItem(SIGN_UP_KEY, id)
  } catch {
    // A browser that stores nothing is another one to the link, and a new password is chosen.
  }
}

/** Sends the mail that confirms an address once more. */
export const resendConfirmation = (email: string) =>
  problemOf(async () => {
    const { auth } = await liveSession()
    noteSignUpPage()
    return auth.resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: location.origin },
    })
  })

/** Of this browser only; answers the error's own message, whoever's it is, if it is in words. Spec §7.1, §8. */
export async function signOut(): Promise<Problem | undefined> {
  const { error } = await endSession('local').catch((error: unknown) => ({ error }))
  if (!error) return undefined
  const { name, message = '' } = error as Partial<Error>
  // What is said of an answer that nobody understood is for nobody.
  return { message: name !== 'AuthUnknownError' && isInWords(message) ? message : '' }
}

export const signOutOthers = () => problemOf(proved(async () => endSession('others')))

export const changeEmail = (email: string) =>
  problemOf(
    proved(async () => {
      const { auth } = await liveSession()
      return auth.updateUser({ email }, { emailRedirectTo: location.origin })
    }),
  )

export const changePassword = (password: string) =>
  problemOf(
    proved(async () => {
      const { auth } = await liveSession()
      return auth.updateUser({ password })
    }),
  )

/** Proves again whose browser this is. */
export const provePassword = (password: string) =>
  problemOf(async () => {
    const { auth } = await liveSession()
    return openAnswered(auth, '/reauthenticate', { password })
  })

/** Asked again once the person has proved who they are, where that is wanted. */
export const proved =
  (ask: Ask): Ask =>
  async () => {
    const answer = await ask()
    const { code } = (answer.error ?? {}) as { code?: string }
    return code === 'reauthentication_needed' && (await askForProof()) ? ask() : answer
  }

async function endSession(scope: 'local' | 'others') {
  const { auth } = await liveSession()
  return auth.signOut({ scope })
}

/** What `ask` complains of; `fallback` stands in where the service has no words for it. */
export async function problemOf(ask: Ask, fallback = TRY_AGAIN): Promise<Problem | undefined> {
  const { error } = await ask().catch((error: unknown) => ({ error: error ?? true }))
  if (!error) return undefined
  const { name, message, code } = error as Error & { code?: string }
  // Nobody answered, or a machine in between: its words are not for people.
  const isService = /^Auth/.test(name) && !/Retryable|Unknown/.test(name)
  const told = isService && isInWords(message) ? message : fallback
  const password =
    name === 'AuthWeakPasswordError' ? weaknessIn(error as AuthWeakPasswordError) : undefined
  return { message: told, password: password === '' ? told : password, code }
}

/** What a machine in between answered is JSON, or a number. */
const isInWords = (message = '') => /\p{L}{2}/u.test(message) && !/[{}]/.test(message)

/** For windows that are told of refusals by what is thrown. @throws ApiError */
export function orThrow(problem: Problem | undefined) {
  if (problem) throw new ApiError(400, problem.code ?? 'unknown', problem.message)
}

/** As one text, in the words of the forms. */
function weaknessIn({ reasons, message }: Pick<WeakPassword, 'reasons' | 'message'>) {
  // Of an administrator it is another number.
  const least = Number(/at least (\d+)/.exec(message)?.[1] ?? PASSWORD_MIN)
  const words: Record<string, string> = {
    length: passwordTooShort(least),
    characters: 'Mix letters with digits or signs',
    pwned: 'This password is easy to guess, so choose another',
  }
  return reasons.flatMap((reason) => words[reason] ?? []).join('. ')
}
