/** What signing in needs besides the data. */
import type { RefreshTokenExchanges } from './refresh-token-exchanges.server.ts'
import type { Tokens } from './tokens.server.ts'

/** Whether administrators and the owner have their rights only once they proved a second factor. */
export type AdminSecondFactor = 'required' | 'offered'

export interface AuthSettings {
  tokens: Tokens
  /** Which refresh tokens were exchanged. */
  exchanges: RefreshTokenExchanges
  siteName: string
  /** Where the site lives; known for certain only once it listens. */
  siteUrl: () => string
  /** Signing up signs in at once. S23. */
  autoconfirm: boolean
  /** Addresses elsewhere that a link may lead to, letter by letter. */
  redirectUrls: readonly string[]
  ownerEmail?: string
  adminSecondFactor: AdminSecondFactor
}
