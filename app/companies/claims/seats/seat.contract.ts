/** What can be asked about the seats of a company: by those who have one, and who are invited. Nobody else. */
import { z } from 'zod'
import { LimitedText } from '#app/api/checked-text.ts'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'
import { EMAIL_MAX } from '#app/identity/accounts/account.ts'
import { CLAIM_REFUSALS } from '../claim.ts'

const Id = z.object({ id: Uuid })

const Seat = z.object({
  id: Uuid,
  username: z.string(),
  isMine: z.boolean(),
  isOwner: z.boolean(),
  isOffered: z.boolean().describe('The owner has offered the ownership to this one'),
})
export type Seat = z.output<typeof Seat>

const Invitation = z.object({
  id: Uuid,
  address: z.string().describe('Its first letter, and where its mail goes'),
  invitedOn: z.string().describe('A day'),
})
export type Invitation = z.output<typeof Invitation>

const MyInvitation = z.object({
  id: Uuid,
  company: z.object({ name: z.string(), path: z.string(), logoUrl: z.string().nullable() }),
})
export type MyInvitation = z.output<typeof MyInvitation>

const Done = z.object({ done: z.literal(true) })

const INVITATIONS = { name: 'seat-invitations', seconds: 3600, person: 30, network: 60 }

export const seatContract = {
  'GET /api/v1/companies/{id}/seats': {
    summary: 'Who acts for a company; for those who do',
    params: Id,
    ok: z.object({
      isOwner: z.boolean(),
      seats: z.array(Seat),
      invitations: z.array(Invitation).describe('For the owner; nobody else is shown them'),
    }),
    access: 'employer',
  },
  'POST /api/v1/companies/{id}/seats/invitations': {
    summary: 'Invite a colleague by e-mail; for the owner of the seats',
    params: Id,
    body: z.object({ email: LimitedText(EMAIL_MAX) }),
    ok: Invitation,
    status: 201,
    access: 'employer',
    limit: INVITATIONS,
  },
  'DELETE /api/v1/seat-invitations/{id}': {
    summary: 'Take an invitation back; for the owner of the seats',
    params: Id,
    ok: Done,
    access: 'employer',
  },
  'DELETE /api/v1/seats/{id}': {
    summary: 'Remove somebody’s seat at once; for the owner of the seats',
    params: Id,
    ok: Done,
    access: 'employer',
  },
  'POST /api/v1/seats/{id}/offer': {
    summary: 'Offer the ownership to somebody with a seat; for the owner',
    params: Id,
    ok: Done,
    access: 'employer',
    recent: true,
  },
  'DELETE /api/v1/seats/{id}/offer': {
    summary: 'The ownership stays: its owner takes the offer back, or who was offered it declines',
    params: Id,
    ok: Done,
    access: 'employer',
  },
  'POST /api/v1/seats/{id}/ownership': {
    summary: 'Take the ownership that is offered to one’s own seat',
    params: Id,
    ok: Done,
    access: 'employer',
    recent: true,
  },
  'GET /api/v1/my/seat-invitations': {
    summary: 'Companies that invite whoever has one’s confirmed address',
    ok: z.object({ invitations: z.array(MyInvitation) }),
    access: 'member',
  },
  'POST /api/v1/my/seat-invitations/{id}/accept': {
    summary: 'Act for the company from now on',
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
