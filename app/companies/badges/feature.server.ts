import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { badgeContract } from './badge.contract.ts'
import { badgeHandlers } from './badge-api.server.ts'
import { BADGE_LINK, type BadgeLinkWanted, sendBadgeLink } from './badge-mail.server.ts'
import { showBadges } from './shown-badges.server.ts'

export const badges: Feature = {
  routes({ bind, issuer, hasRateLimits }) {
    bind(badgeContract, badgeHandlers(issuer, { hasRateLimits }))
  },
  nightly: ({ base, db }) => [
    { name: 'show badges', run: () => showBadges(base) },
    // The place of a row would say who asked before whom.
    { name: 'reorder badge_holders', run: () => reorderTable(db, 'badge_holders') },
  ],
  mails: {
    [BADGE_LINK]: async ({ base, auth, site }, post, wanted: BadgeLinkWanted) => {
      if (site.flags.enableCompanies) await sendBadgeLink(base, post, auth, wanted)
    },
  },
}
