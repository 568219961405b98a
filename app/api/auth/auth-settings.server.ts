import type { RefreshTokenExchanges } from './refresh-token-exchanges.server.ts'
import type { Tokens } from './tokens.server.ts'

/** Whether administrators and the owner only have their rights after a second factor. */
export type AdminSecondFactor = 'required' | 'offered'

export interface AuthSettings {
  tokens: Tokens
  exchanges: RefreshTokenExchanges
  siteName: string
  /** Certain only once the site listens. */
  siteUrl: () => string
  /** Signing up also logs in. S23. */
  autoconfirm: boolean
  /** URLs elsewhere that links may lead to, exactly. */
  redirectUrls: readonly string[]
  ownerEmail?: string
  adminSecondFactor: AdminSecondFactor
}
