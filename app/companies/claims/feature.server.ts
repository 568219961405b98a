import type { Feature } from '#app/api/feature.server.ts'
import { claimContract } from './claim.contract.ts'
import { claimHandlers } from './claim-api.server.ts'
import { sweepClaims } from './claim-commands.server.ts'
import { registerClaimLinks } from './claim-link-page.server.ts'
import {
  CLAIM_DECIDED,
  CLAIM_LINK,
  type ClaimDecided,
  type ClaimLinkWanted,
  sendClaimDecided,
  sendClaimLink,
} from './claim-mail.server.ts'
import { createTxtLookup } from './dns-record.server.ts'
import { INVITED_EMAIL } from './seats/invited-address.server.ts'
import { seatContract } from './seats/seat.contract.ts'
import { sweepInvitations } from './seats/seat-commands.server.ts'
import { type InvitationWanted, SEAT_INVITATION, sendInvitation } from './seats/seat-mail.server.ts'
import { WORK_EMAIL } from './work-email.server.ts'

export const claims: Feature = {
  sealed: [WORK_EMAIL, INVITED_EMAIL],
  routes({ http, bind, base, site, hasRateLimits, htmlPage }) {
    bind(
      { ...claimContract, ...seatContract },
      claimHandlers({ hasRateLimits, lookup: createTxtLookup() }),
    )
    registerClaimLinks(http, { context: base, siteName: site.siteName, hasRateLimits, htmlPage })
  },
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep claims', run: () => sweepClaims({ db, now }) },
    { name: 'sweep seat invitations', run: () => sweepInvitations({ db, now }) },
  ],
  mails: {
    [CLAIM_DECIDED]: ({ base, auth, site: { flags } }, post, decided: ClaimDecided) =>
      sendClaimDecided(base, post, { ...auth, flags }, decided),
    [CLAIM_LINK]: ({ base, auth }, post, wanted: ClaimLinkWanted) =>
      sendClaimLink(base, post, auth, wanted),
    [SEAT_INVITATION]: ({ base, auth, site: { flags } }, post, wanted: InvitationWanted) =>
      sendInvitation(base, post, { ...auth, flags }, wanted),
  },
}
