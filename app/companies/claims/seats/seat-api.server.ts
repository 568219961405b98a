/** Binds the contract of seats to queries and commands. */

import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import type { ClaimCtx } from '../claim-commands.server.ts'
import type { SeatContract } from './seat.contract.ts'
import {
  acceptInvitation,
  declineInvitation,
  endOffer,
  inviteColleague,
  offerOwnership,
  removeSeat,
  takeInvitationBack,
  takeOwnership,
} from './seat-commands.server.ts'
import { companySeats, myInvitations } from './seat-queries.server.ts'

/** @param claiming adds the limit of mails to one address, which claims share */
export const seatHandlers = (claiming: (ctx: Ctx) => ClaimCtx): Handlers<SeatContract> => ({
  'GET /api/v1/companies/{id}/seats': (ctx, { params }) => companySeats(ctx, params.id),
  'POST /api/v1/companies/{id}/seats/invitations': (ctx, { params, body }) =>
    inviteColleague(claiming(ctx), params.id, body.email),
  'DELETE /api/v1/seat-invitations/{id}': (ctx, { params }) => takeInvitationBack(ctx, params.id),
  'DELETE /api/v1/seats/{id}': (ctx, { params }) => removeSeat(ctx, params.id),
  'POST /api/v1/seats/{id}/offer': (ctx, { params }) => offerOwnership(ctx, params.id),
  'DELETE /api/v1/seats/{id}/offer': (ctx, { params }) => endOffer(ctx, params.id),
  'POST /api/v1/seats/{id}/ownership': (ctx, { params }) => takeOwnership(ctx, params.id),
  'GET /api/v1/my/seat-invitations': (ctx) => myInvitations(ctx),
  'POST /api/v1/my/seat-invitations/{id}/accept': (ctx, { params }) =>
    acceptInvitation(ctx, params.id),
  'DELETE /api/v1/my/seat-invitations/{id}': (ctx, { params }) => declineInvitation(ctx, params.id),
})
