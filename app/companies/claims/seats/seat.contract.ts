import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid, WrittenText } from '#app/api/schemas.ts'
import { EMAIL_MAX } from '#app/identity/accounts/account.ts'
import { CLAIM_REFUSALS } from '../claim.ts'

const Id = z.object({ id: Uuid })

const Seat = z.object({
  id: Uuid,
  username: z.string(),
  isMine: z.boolean(),
  isOwner: z.boolean(),
  isOffered: z.boolean().describe('The owner has offered to make this person the owner'),
})
export type Seat = z.output<typeof Seat>

const Invitation = z.object({
  id: Uuid,
  address: z.string().describe('Masked: its first letter and its domain'),
  invitedOn: z.string().describe('A day'),
})
export type Invitation = z.output<typeof Invitation>

const MyInvitation = z.object({
  id: Uuid,
  company: z.object({ name: z.string(), path: z.string(), logoUrl: z.string().nullable() }),
})
export type MyInvitation = z.output<typeof MyInvitation>

const Done = z.object({ done: z.literal(true) })

const INVITATIONS_LIMIT = { name: 'seat-invitations', seconds: 3600, person: 30, network: 60 }

export const seatContract = {
  'GET /api/v1/companies/{id}/seats': {
    summary: 'Who acts for a company. For people who act for it',
    params: Id,
    ok: z.object({
      isOwner: z.boolean(),
      seats: z.array(Seat),
      invitations: z.array(Invitation).describe('Open invitations. Only the owner sees them'),
    }),
    access: 'employer',
  },
  'POST /api/v1/companies/{id}/seats/invitations': {
    summary: 'Invite a colleague by email. For the owner of the seats',
    params: Id,
    body: z.object({ email: WrittenText(EMAIL_MAX) }),
    ok: Invitation,
    status: 201,
    access: 'employer',
    limit: INVITATIONS_LIMIT,
  },
  'DELETE /api/v1/seat-invitations/{id}': {
    summary: 'Withdraw an invitation. For the owner of the seats',
    params: Id,
    ok: Done,
    access: 'employer',
  },
  'DELETE /api/v1/seats/{id}': {
    summary: 'Remove a seat immediately. For the owner of the seats',
    params: Id,
    ok: Done,
    access: 'employer',
  },
  'POST /api/v1/seats/{id}/offer': {
    summary: 'Offer ownership to someone with a seat. For the owner',
    params: Id,
    ok: Done,
    access: 'employer',
    requiresRecentLogin: true,
  },
  'DELETE /api/v1/seats/{id}/offer': {
    summary: 'End an offer of ownership: the owner withdraws it, or the other person declines',
    params: Id,
    ok: Done,
    access: 'employer',
  },
  'POST /api/v1/seats/{id}/ownership': {
    summary: 'Accept the ownership you were offered',
    params: Id,
    ok: Done,
    access: 'employer',
    requiresRecentLogin: true,
  },
  'GET /api/v1/my/seat-invitations': {
    summary: 'Companies that have invited your confirmed address',
    ok: z.object({ invitations: z.array(MyInvitation) }),
    access: 'signedIn',
  },
  'POST /api/v1/my/seat-invitations/{id}/accept': {
    summary: 'Accept an invitation to act for a company',
    params: Id,
    ok: Done,
    access: 'confirmed',
    refusal: { forbidden: CLAIM_REFUSALS.unconfirmed },
  },
  'DELETE /api/v1/my/seat-invitations/{id}': {
    summary: 'Decline an invitation',
    params: Id,
    ok: Done,
    access: 'confirmed',
    refusal: { forbidden: CLAIM_REFUSALS.unconfirmed },
  },
} satisfies Contract

export type SeatContract = typeof seatContract
