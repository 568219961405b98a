import { addressHash } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { type Feature, mailTask } from '#app/api/feature.server.ts'
import { createRateLimit, requireCapacity } from '#app/platform/http/rate-limits.server.ts'
import { type ClaimContract, claimContract } from './claim.contract.ts'
import {
  approveClaim,
  type ClaimCtx,
  checkRecord,
  chooseCompanyNews,
  claimCompany,
  declineClaim,
  resendClaimLink,
  revokeClaim,
  sweepClaims,
  withdrawClaim,
} from './claim-commands.server.ts'
import { registerClaimLinks } from './claim-link-page.server.ts'
import {
  CLAIM_DECIDED_TASK,
  CLAIM_LINK_TASK,
  sendClaimDecided,
  sendClaimLink,
  WORK_EMAIL,
} from './claim-mail.server.ts'
import { claimsToReview, myClaims } from './claim-queries.server.ts'
import { createTxtLookup, type TxtLookup } from './dns-record.server.ts'
import { type SeatContract, seatContract } from './seats/seat.contract.ts'
import {
  acceptInvitation,
  acceptOwnership,
  declineInvitation,
  endOffer,
  inviteColleague,
  offerOwnership,
  removeSeat,
  sweepInvitations,
  withdrawInvitation,
} from './seats/seat-commands.server.ts'
import { INVITED_EMAIL, SEAT_INVITATION_TASK, sendInvitation } from './seats/seat-mail.server.ts'
import { companySeats, myInvitations } from './seats/seat-queries.server.ts'

/** @param claiming adds the email limit per address, which claims share */
const seatHandlers = (claiming: (ctx: Ctx) => ClaimCtx): Handlers<SeatContract> => ({
  'GET /api/v1/companies/{id}/seats': (ctx, { params }) => companySeats(ctx, params.id),
  'POST /api/v1/companies/{id}/seats/invitations': (ctx, { params, body }) =>
    inviteColleague(claiming(ctx), params.id, body.email),
  'DELETE /api/v1/seat-invitations/{id}': (ctx, { params }) => withdrawInvitation(ctx, params.id),
  'DELETE /api/v1/seats/{id}': (ctx, { params }) => removeSeat(ctx, params.id),
  'POST /api/v1/seats/{id}/offer': (ctx, { params }) => offerOwnership(ctx, params.id),
  'DELETE /api/v1/seats/{id}/offer': (ctx, { params }) => endOffer(ctx, params.id),
  'POST /api/v1/seats/{id}/ownership': (ctx, { params }) => acceptOwnership(ctx, params.id),
  'GET /api/v1/my/seat-invitations': (ctx) => myInvitations(ctx),
  'POST /api/v1/my/seat-invitations/{id}/accept': (ctx, { params }) =>
    acceptInvitation(ctx, params.id),
  'DELETE /api/v1/my/seat-invitations/{id}': (ctx, { params }) => declineInvitation(ctx, params.id),
})

/** Limits emails to one address, no matter who asks for them. */
const MAILS = { uses: 5, seconds: 3600 }

export function claimHandlers(settings: {
  hasRateLimits: boolean
  lookup: TxtLookup
}): Handlers<ClaimContract & SeatContract> {
  const { hasRateLimits: isOn, lookup } = settings
  const mails = createRateLimit({ name: 'claim-mails', ...MAILS, isOn })
  const claiming = (ctx: Ctx): ClaimCtx => ({
    ...ctx,
    requireMailPause: (address) => requireCapacity(mails, addressHash(ctx.secrets, address)),
  })
  return {
    ...seatHandlers(claiming),
    'GET /api/v1/my/claims': async (ctx) => ({ claims: await myClaims(ctx) }),
    'POST /api/v1/companies/{id}/claims': (ctx, { params, body }) =>
      claimCompany(claiming(ctx), params.id, body),
    'DELETE /api/v1/my/claims/{id}': (ctx, { params }) => withdrawClaim(ctx, params.id),
    'POST /api/v1/my/claims/{id}/check': (ctx, { params }) => checkRecord(ctx, params.id, lookup),
    'POST /api/v1/my/claims/{id}/resend': (ctx, { params }) =>
      resendClaimLink(claiming(ctx), params.id),
    'PUT /api/v1/my/claims/{id}/news': (ctx, { params, body }) =>
      chooseCompanyNews(ctx, params.id, body.wantsNews),
    'GET /api/v1/claims': (ctx, { query }) => claimsToReview(ctx, query),
    'POST /api/v1/claims/{id}/approve': (ctx, { params }) => approveClaim(ctx, params.id),
    'POST /api/v1/claims/{id}/decline': (ctx, { params, body }) =>
      declineClaim(ctx, params.id, body.note),
    'POST /api/v1/claims/{id}/revoke': (ctx, { params }) => revokeClaim(ctx, params.id),
  }
}

export const claims: Feature = {
  sealed: [WORK_EMAIL, INVITED_EMAIL],
  routes({ http, bind, base, config, htmlPage }) {
    bind(
      { ...claimContract, ...seatContract },
      claimHandlers({ ...config, lookup: createTxtLookup() }),
    )
    registerClaimLinks(http, { ...config, site: config, context: base, htmlPage })
  },
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep claims', run: () => sweepClaims({ db, now }) },
    { name: 'sweep seat invitations', run: () => sweepInvitations({ db, now }) },
  ],
  mails: [
    mailTask(CLAIM_DECIDED_TASK, ({ base, auth, config: { flags } }, mailer, decided) =>
      sendClaimDecided(base, mailer, { ...auth, flags }, decided),
    ),
    mailTask(CLAIM_LINK_TASK, ({ base, auth }, mailer, wanted) =>
      sendClaimLink(base, mailer, auth, wanted),
    ),
    mailTask(SEAT_INVITATION_TASK, ({ base, auth, config: { flags } }, mailer, wanted) =>
      sendInvitation(base, mailer, { ...auth, flags }, wanted),
    ),
  ],
}
