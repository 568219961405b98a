import { addressHash } from '#app/api/auth/addresses.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { createRateLimit, requireCapacity } from '#app/platform/http/rate-limits.server.ts'
import { type BadgeContract, badgeContract } from './badge.contract.ts'
import { askForBadge, companyOfLink, issueBadge } from './badge-commands.server.ts'
import { BADGE_LINK_JOB, type BadgeLinkWanted, sendBadgeLink } from './badge-link.server.ts'
import { showBadges } from './post-badges.server.ts'

/** Mails to one address, no matter who asks for them. */
const MAILS = { uses: 3, seconds: 3600 }

export function badgeHandlers(
  issuer: Issuer,
  { hasRateLimits: isOn }: { hasRateLimits: boolean },
): Handlers<BadgeContract> {
  const mails = createRateLimit({ name: 'badge-mails', ...MAILS, isOn })
  return {
    'POST /api/v1/my/badge': (ctx, { body }) => {
      const requireMailPause = (address: string) =>
        requireCapacity(mails, addressHash(ctx.secrets, address))
      return askForBadge({ ...ctx, requireMailPause }, body)
    },
    'POST /api/v1/my/badge/link': (ctx, { body }) => companyOfLink(ctx, body.token),
    'POST /api/v1/my/badge/credential': (ctx, { body }) => issueBadge(ctx, body, issuer),
  }
}

export const badges: Feature = {
  routes({ bind, issuer, hasRateLimits }) {
    bind(badgeContract, badgeHandlers(issuer, { hasRateLimits }))
  },
  nightly: ({ base, db }) => [
    { name: 'show badges', run: () => showBadges(base) },
    // Row order would tell who asked before whom.
    { name: 'reorder badge_holders', run: () => reorderTable(db, 'badge_holders') },
  ],
  mails: {
    [BADGE_LINK_JOB]: async ({ base, auth, site }, post, wanted: BadgeLinkWanted) => {
      if (site.flags.enableCompanies) await sendBadgeLink(base, post, auth, wanted)
    },
  },
}
