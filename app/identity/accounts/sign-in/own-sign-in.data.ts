/** Sign-in changes for the settings, whose code loads on first use. */

import { useState } from 'react'
import { TRY_AGAIN } from '#app/api/client.ts'
import { toast } from '#app/kit/ui/toast.ts'
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

export const confirmByCode = (email: string, code: string) =>
  load((it) => it.confirmByCode(email, code))

const resendConfirmation = (email: string) => load((it) => it.resendConfirmation(email))

export function useResend(email: string) {
  const [isBusy, setBusy] = useState(false)
  const resend = async () => {
    setBusy(true)
    const problem = await resendConfirmation(email)
    setBusy(false)
    toast(
      problem
        ? { title: 'Sending failed', description: problem.message, variant: 'destructive' }
        : { title: 'Confirmation email sent', description: 'Check your inbox for the link.' },
    )
  }
  return { isBusy, resend }
}

/** The text is from Spec §8, §9. */
export const SIGNED_OUT = {
  title: 'Signed out successfully',
  description: 'You have been signed out of your account.',
} as const
export const SIGNING_OUT = 'Signing out...'
export const SIGN_OUT_FAILED = 'Sign out failed'

/** The header's menu shows only this. The drawer shows the error's own message. Spec §8. */
export const signOutFailed = (message: string, inDrawer: boolean) => ({
  title: SIGN_OUT_FAILED,
  description: (inDrawer && message) || 'Please try again',
  variant: 'destructive' as const,
})

/** Spec §9. */
export const SIGN_OUT_REDIRECT_MS = 100
