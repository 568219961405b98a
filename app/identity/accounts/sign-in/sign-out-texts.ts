/** The texts of signing out, to the letter of Spec §8, §9. */

export const SIGNED_OUT = {
  title: 'Signed out successfully',
  description: 'You have been signed out of your account.',
} as const
export const SIGNING_OUT = 'Signing out...'
export const SIGN_OUT_FAILED = 'Sign out failed'

/** The header's menu shows only this; the drawer shows the error's own message. Spec §8. */
export const signOutFailed = (message: string, inDrawer: boolean) => ({
  title: SIGN_OUT_FAILED,
  description: (inDrawer && message) || 'Please try again',
  variant: 'destructive' as const,
})

/** Spec §9. */
export const SIGN_OUT_REDIRECT_MS = 100
