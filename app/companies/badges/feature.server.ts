import { addressHash } from '#app/api/auth/addresses.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { type Feature, mailTask } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { createRateLimit, requireCapacity } from '#app/platform/http/rate-limits.server.ts'
import { type BadgeContract, badgeContract } from './badge.contract.ts'
import { BADGE_CODE_MINUTES } from './badge.ts'
import { askForBadge, issueBadge } from './badge-commands.server.ts'
import { BADGE_CODE_TASK, sendBadgeCode } from './badge-request.server.ts'
import { showBadges } from './post-badges.server.ts'

/** Limits emails to one address, no matter who asks for them. */
const MAILS = { uses: 3, seconds: 3600 }
/** Limits wrong codes for one request, even with RATE_LIMITS off. */
const TRIES = { uses: 5, seconds: BADGE_CODE_MINUTES * 60 }

export function badgeHandlers(
  issuer: Issuer,
  { hasRateLimits: isOn }: { hasRateLimits: boolean },
): Handlers<BadgeContract> {
  const mails = createRateLimit({ name: 'badge-mails', ...MAILS, isOn })
  const tries = createRateLimit({ name: 'badge-codes', ...TRIES, isOn: true })
  return {
    'POST /api/v1/my/badge': (ctx, { body }) => {
      const requireMailPause = (address: string) =>
        requireCapacity(mails, addressHash(ctx.secrets, address))
      return askForBadge({ ...ctx, requireMailPause }, body)
    },
    'POST /api/v1/my/badge/credential': (ctx, { body }) =>
      issueBadge({ ...ctx, tries }, body, issuer),
  }
}

export const badges: Feature = {
  routes({ bind, issuer, config }) {
    bind(badgeContract, badgeHandlers(issuer, config))
  },
  nightly: ({ base, db, config }) => [
    { name: 'show badges', run: () => showBadges(base, config) },
    // The order of rows would show who asked before whom.
    { name: 'reorder badge_holders', run: () => reorderTable(db, 'badge_holders') },
  ],
  mails: [
    mailTask(BADGE_CODE_TASK, async ({ base, auth, config }, mailer, wanted) => {
      if (config.flags.enableCompanies) await sendBadgeCode(base, mailer, auth, wanted)
    }),
  ],
}
