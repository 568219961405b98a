/** What signing in needs besides the data. */
import type { Tokens } from './tokens.server.ts'

export interface AuthSettings {
  tokens: Tokens
  siteName: string
  /** Where the site lives; known for certain only once it listens. */
  siteUrl: () => string
  /** Signing up signs in at once. Decision 23. */
  autoconfirm: boolean
  /** Addresses elsewhere that a link may lead to, letter by letter. */
  redirectUrls: readonly string[]
  ownerEmail?: string
}
