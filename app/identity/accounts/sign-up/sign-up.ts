/** Who may sign up, as administrators choose. Runs in the browser too, so no I/O here. */
import type { SignUpRule } from '#app/platform/operations/live-settings.ts'

export const INVITATION_PATH = '/sign-up/invitation'
/** Of a code. Administrators see them to tell invitations apart. */
export const START_LENGTH = 4
export const INVITATIONS_MAX = 200

export const SIGN_UP_REFUSALS = {
  closed: 'Sign-up is closed for now. You can use the site without an account.',
  uninvited: 'You need an invitation to sign up. You can use the site without an account.',
  used: 'This invitation was already used or revoked. Ask for another one.',
  tooMany: `There are ${INVITATIONS_MAX} unused invitations. Revoke some first.`,
  noInvitation: 'This invitation was already used or revoked',
} as const

export const domainsSentence = (domains: readonly string[]) =>
  domains.length > 0
    ? `To sign up, you need an invitation or an address at ${domains.join(', ')}.`
    : SIGN_UP_REFUSALS.uninvited

/** What people read where they sign up, before they try. */
export function signUpNote({ mode, domains }: SignUpRule, hasInvitation: boolean) {
  switch (mode) {
    case 'open':
      return undefined
    case 'closed':
      return SIGN_UP_REFUSALS.closed
    default:
      if (hasInvitation) return undefined
      return mode === 'domains' ? domainsSentence(domains) : SIGN_UP_REFUSALS.uninvited
  }
}

/** Whether there's a point in showing the form. */
export const canTry = ({ mode, domains }: SignUpRule, hasInvitation: boolean) =>
  mode === 'open' ||
  (mode !== 'closed' && (hasInvitation || (mode === 'domains' && domains.length > 0)))
