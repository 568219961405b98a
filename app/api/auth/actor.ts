/** Who is asking. */

/**
 * Spec §1, §6: an employer has an approved claim, an admin a row, the owner also the one address. A moderator
 * has a row, too, and acts for no company. D58.
 */
export const ROLES = ['visitor', 'member', 'employer', 'moderator', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export interface Actor {
  role: Role
  /** What the person says of itself: shapes menus, gives no right. S10. */
  userType: 'employer' | null
  /** Whoever is signed in. */
  account: SignedIn | null
  /**
   * To whom what is written belongs; null for a visitor whose browser sent no anonymous id. It never
   * leaves the server. S5.
   */
  authorKey: string | null
  /**
   * awaited: signed in to an account with a second factor, and a visitor until that is proved. needed: an
   * administrator or a moderator without one where the site asks for it, and a member until then. D38.
   */
  secondFactor?: 'awaited' | 'needed'
}

/** For so many seconds a proof of who somebody is counts as recent; see recent-proof.server.ts. */
export const RECENT_PROOF_S = 600

export interface SignedIn {
  id: string
  sessionId: string
  /** Of the account's sessions, as of now: it may be later than the token says. */
  generation: number
  isEmailConfirmed: boolean
  /** Acts for a company, whatever else this person is. */
  isEmployer: boolean
  /** The one address of S2, whether or not it is an administrator's. */
  hasOwnersAddress: boolean
  /** Null until the first load makes the profile. */
  username: string | null
  /** Such as 2026-03. */
  memberSince: string
  /** When, in seconds, this session last proved whose it is: as its token says, and nothing else. */
  provedAt: number
  /** By the link of a mail that resets the password. */
  isRecovering: boolean
  emailSealed: string
  newEmailSealed: string | null
  /** From which all keys of theirs are made: see `roots.server.ts`. */
  rootSealed: string
}

export const visitor: Actor = { role: 'visitor', userType: null, account: null, authorKey: null }
