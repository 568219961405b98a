/** Sign-in changes for the settings, whose code loads on first use. */
import { TRY_AGAIN } from '#app/kit/forms/refusal.ts'
import type { Problem } from './sign-in.data.ts'

type SignIn = typeof import('./sign-in.data.ts')

type Wish = (it: SignIn) => Promise<Problem | undefined>

async function load(call: Wish): Promise<Problem | undefined> {
  try {
    return await call(await import('./sign-in.data.ts'))
  } catch {
    // The code didn't load. `Wish` returns all other failures.
    return { message: TRY_AGAIN }
  }
}

export const changePassword = (password: string) => load((it) => it.changePassword(password))

export const signOutOthers = () => load((it) => it.signOutOthers())

export const resendConfirmation = (email: string) => load((it) => it.resendConfirmation(email))
