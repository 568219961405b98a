import type { AuthWeakPasswordError, WeakPassword } from '@supabase/auth-js'
import { ApiError, TRY_AGAIN } from '#app/api/client.ts'
import { awaitsSecondFactor } from '#app/kit/session/awaited-factor.ts'
import type { Auth } from '#app/kit/session/live-session.data.ts'
import { SIGN_UP_KEY } from '#app/kit/session/mail-link.ts'
import { askToReauthenticate, liveSession, stored } from '#app/kit/session/session.data.ts'
import { noteSignUpPage } from '#app/kit/session/sign-up-page.ts'
import { PASSWORD_MIN } from '../account.ts'
import { generateUsername } from '../username.ts'
import { CHECK_CREDENTIALS, WRONG_CODE } from './auth-texts.ts'
import { passwordTooShort } from './email-and-password.ts'

type Call = () => Promise<{ error: unknown }>

export interface Problem {
  /** The service's message, or the specification's. */
  message: string
  /** What's wrong with the new password, if that's the problem. */
  password?: string
  code?: string
}

/** `weakness` says what's wrong with a password that still works. `needsSecondStep` means a second step follows. */
export async function signIn(email: string, password: string) {
  let weakness: string | undefined
  let needsSecondStep = false
  const problem = await problemOf(async () => {
    const { auth, api } = await liveSession()
    let answer = await auth.signInWithPassword({ email, password })
    // Someone tried many passwords for this account.
    if (answer.error?.code === 'captcha_failed') {
      const { solveSpamCheck } = await import('#app/kit/spam-check/spam-check.data.ts')
      const captchaToken = await solveSpamCheck(api)
      answer = await auth.signInWithPassword({ email, password, options: { captchaToken } })
    }
    const weak = answer.data?.weakPassword
    weakness = weak ? weaknessIn(weak) : undefined
    needsSecondStep = answer.data?.session ? awaitsSecondFactor(answer.data.session) : false
    return answer
  }, CHECK_CREDENTIALS)
  return { problem, weakness, needsSecondStep }
}

/** `isWaiting` means there's no session until they use the emailed link (S23). */
export async function signUp(email: string, password: string, invitation?: string) {
  let isWaiting = false
  const problem = await problemOf(async () => {
    const { auth } = await liveSession()
    const answer = await auth.signUp({
      email,
      password,
      options: {
        data: { username: generateUsername(), ...(invitation && { invitation }) },
        emailRedirectTo: location.origin,
      },
    })
    isWaiting = answer.data.session === null
    if (isWaiting && answer.data.user) noteSignUp(answer.data.user.id)
    if (!answer.error) noteSignUpPage()
    return answer
  })
  return { problem, isWaiting }
}

/** The account that this page signed up. */
let signedUp = ''

/** Lets the emailed link recognize this browser until someone signs in. */
function noteSignUp(id: string) {
  signedUp = id
  try {
    localStorage.setItem(SIGN_UP_KEY, id)
  } catch {
    // Without storage, the link takes this for another browser and asks for a new password.
  }
}

/**
 * Signs in with the emailed code. The link in the same email doesn't need it. Says which accounts this browser knows, as
 * mail-link.js does, because anyone else's code clears the password.
 */
export async function confirmByCode(email: string, code: string) {
  const problem = await problemOf(async () => {
    const { auth } = await liveSession()
    const { data } = await auth.getSession()
    const known = [data.session?.user.id, signedUp || stored(SIGN_UP_KEY)]
    const body = { type: 'signup', email, token: code, known_ids: known.filter(Boolean).join(' ') }
    return openReturned(auth, '/verify', body)
  })
  return problem?.code === 'otp_expired' ? { ...problem, message: WRONG_CODE } : problem
}

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

/**
 * Signs out this browser only. Returns the error's own message, wherever it came from, if it's meant for people. Spec
 * §7.1, §8.
 */
export async function signOut(): Promise<Problem | undefined> {
  const { error } = await endSession('local').catch((error: unknown) => ({ error }))
  if (!error) return undefined
  const { name, message = '' } = error as Partial<Error>
  // auth-js uses AuthUnknownError for unreadable answers.
  return { message: name !== 'AuthUnknownError' && isSentence(message) ? message : '' }
}

export const signOutOthers = () => problemOf(withReauthentication(async () => endSession('others')))

export const changeEmail = (email: string) =>
  problemOf(
    withReauthentication(async () => {
      const { auth } = await liveSession()
      return auth.updateUser({ email }, { emailRedirectTo: location.origin })
    }),
  )

export const changePassword = (password: string) =>
  problemOf(
    withReauthentication(async () => {
      const { auth } = await liveSession()
      return auth.updateUser({ password })
    }),
  )

export const reauthenticate = (password: string) =>
  problemOf(async () => {
    const { auth } = await liveSession()
    return openReturned(auth, '/reauthenticate', { password })
  })

/** Retries after the person has confirmed who they are, if the service wants that. */
export const withReauthentication =
  (call: Call): Call =>
  async () => {
    const result = await call()
    const { code } = (result.error ?? {}) as { code?: string }
    return code === 'reauthentication_needed' && (await askToReauthenticate()) ? call() : result
  }

async function endSession(scope: 'local' | 'others') {
  const { auth } = await liveSession()
  return auth.signOut({ scope })
}

/** The error of `call`, with `fallback` if its message isn't for people. */
export async function problemOf(call: Call, fallback = TRY_AGAIN): Promise<Problem | undefined> {
  const { error } = await call().catch((error: unknown) => ({ error: error ?? true }))
  if (!error) return undefined
  const { name, message, code } = error as Error & { code?: string }
  // Network failures and proxies' answers aren't for people.
  const isService = /^Auth/.test(name) && !/Retryable|Unknown/.test(name)
  const shown = isService && isSentence(message) ? message : fallback
  const password =
    name === 'AuthWeakPasswordError' ? weaknessIn(error as AuthWeakPasswordError) : undefined
  return { message: shown, password: password === '' ? shown : password, code }
}

/** Proxies may answer with JSON or a number. */
const isSentence = (message = '') => /\p{L}{2}/u.test(message) && !/[{}]/.test(message)

/** Throws a problem, for dialogs that expect exceptions. @throws ApiError */
export function orThrow(problem: Problem | undefined) {
  if (problem) throw new ApiError(400, problem.code ?? 'unknown', problem.message)
}

function weaknessIn({ reasons, message }: Pick<WeakPassword, 'reasons' | 'message'>) {
  // Administrators have another minimum.
  const least = Number(/at least (\d+)/.exec(message)?.[1] ?? PASSWORD_MIN)
  const texts: Record<string, string> = {
    length: passwordTooShort(least),
    characters: 'Mix letters with digits or signs',
    pwned: 'That password is too easy to guess. Try another.',
  }
  return reasons.flatMap((reason) => texts[reason] ?? []).join('. ')
}

/** Calls of the auth service that its client doesn't know. */
interface Tokens {
  access_token: string
  refresh_token: string
}

/** Uses the client's session. */
export async function callService<Output>(
  auth: Auth,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) {
  const { data } = await auth.getSession()
  const response = await fetch(`/auth/v1${path}`, {
    method,
    headers: {
      ...(data.session && { authorization: `Bearer ${data.session.access_token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  const json = await response.json()
  if (response.ok) return { data: json as Output, error: null }
  const { status } = response
  const error = { name: 'AuthApiError', message: json.msg, code: json.error_code, status }
  return { data: null, error }
}

/** Stores the session that the service returns. */
export async function openReturned(auth: Auth, path: string, body: object) {
  const { data, error } = await callService<Tokens>(auth, 'POST', path, body)
  return data ? auth.setSession(data) : { error }
}
