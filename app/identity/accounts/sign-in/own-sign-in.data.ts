/**
 * What the settings change of signing in, whose code comes with the first press. Answers what went
 * wrong, if any.
 */
import { TRY_AGAIN } from '#app/kit/forms/refusal.ts'
import type { Problem } from './sign-in.data.ts'

type SignIn = typeof import('./sign-in.data.ts')

type Wish = (it: SignIn) => Promise<Problem | undefined>

async function ask(wish: Wish): Promise<Problem | undefined> {
  try {
    return await wish(await import('./sign-in.data.ts'))
  } catch {
    // The code did not come; whatever else fails is answered.
    return { message: TRY_AGAIN }
  }
}

export const changePassword = (password: string) => ask((it) => it.changePassword(password))

export const signOutOthers = () => ask((it) => it.signOutOthers())

/** Sends the mail that confirms an address once more. */
export const resendConfirmation = (email: string) => ask((it) => it.resendConfirmation(email))
