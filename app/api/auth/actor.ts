/**
 * Spec §1, §6: an employer has an approved claim, an admin a row, the owner also the configured address.
 * A moderator has a row and acts for no company. D58.
 */
export const ROLES = ['visitor', 'member', 'employer', 'moderator', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export interface Actor {
  role: Role
  /** From the person's own metadata. Only affects menus. S10. */
  userType: 'employer' | null
  account: SignedIn | null
  /**
   * Owns what this person writes. Null for a visitor whose browser sent no anonymous id. Never leaves the server. S5.
   */
  authorKey: string | null
  /**
   * awaited: signed in without the account's second factor, so still a visitor. needed: an
   * administrator or moderator without the required factor, so only a member. D38.
   */
  secondFactor?: 'awaited' | 'needed'
}

/** How long a login counts as recent, in seconds; see require.server.ts. */
export const RECENT_LOGIN_S = 600

export interface SignedIn {
  id: string
  sessionId: string
  /** The account's current session generation, maybe later than the token's. */
  generation: number
  isEmailConfirmed: boolean
  /** Whether they act for a company, in any role. */
  isEmployer: boolean
  /** Whether they have the owner's address (S2), administrator or not. */
  hasOwnersAddress: boolean
  /** Null until the first load creates the profile. */
  username: string | null
  /** Such as 2026-03. */
  memberSince: string
  /** When this session last proved its identity, in seconds. Only the token has it. */
  authenticatedAt: number
  /** Whether a link that resets the password signed them in. */
  isRecovering: boolean
  emailSealed: string
  newEmailSealed: string | null
  /** Root of all the person's keys: see `roots.server.ts`. */
  rootSealed: string
}

export const visitor: Actor = { role: 'visitor', userType: null, account: null, authorKey: null }
