/** What signing out says, to the letter: Spec §8, §9. Runs in the browser too: no I/O here. */

export const SIGNED_OUT = {
  title: 'Signed out successfully',
  description: 'You have been signed out of your account.',
} as const
export const SIGNING_OUT = 'Signing out...'
export const SIGN_OUT_FAILED = 'Sign out failed'

/** Of signing out the header's menu says no more than this; the drawer tells the error's own message. */
export const signOutFailed = (message: string, inDrawer: boolean) => ({
  title: SIGN_OUT_FAILED,
  description: (inDrawer && message) || 'Please try again',
  variant: 'destructive' as const,
})

/** Where it goes on afterwards, and when. Spec §9. */
export const SIGN_OUT_REDIRECT_MS = 100
