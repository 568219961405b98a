/** Binds the contract of badges to its commands. */

import { addressHash } from '#app/api/auth/addresses.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { createRateLimit, requireRoom } from '#app/platform/http/rate-limits.server.ts'
import type { BadgeContract } from './badge.contract.ts'
import { askForBadge, companyOfLink, issueBadge } from './badge-commands.server.ts'

/** To one address, whoever names it. */
const MAILS = { uses: 3, seconds: 3600 }

export function badgeHandlers(
  issuer: Issuer,
  { hasRateLimits: isOn }: { hasRateLimits: boolean },
): Handlers<BadgeContract> {
  const mails = createRateLimit({ name: 'badge-mails', ...MAILS, isOn })
  return {
    'POST /api/v1/my/badge': (ctx, { body }) => {
      const requireMailPause = (address: string) =>
        requireRoom(mails, addressHash(ctx.secrets, address))
      return askForBadge({ ...ctx, requireMailPause }, body)
    },
    'POST /api/v1/my/badge/link': (ctx, { body }) => companyOfLink(ctx, body.token),
    'POST /api/v1/my/badge/credential': (ctx, { body }) => issueBadge(ctx, body, issuer),
  }
}
