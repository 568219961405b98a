import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'

const Invitation = z.object({
  id: Uuid,
  start: z.string().describe('The first letters of its code'),
  madeOn: z.iso.date(),
})
export type Invitation = z.output<typeof Invitation>

export const invitationContract = {
  'GET /api/v1/administration/invitations': {
    summary: 'Unused invitations to sign up, newest first',
    ok: z.object({ invitations: z.array(Invitation) }),
    access: 'admin',
  },
  'POST /api/v1/administration/invitations': {
    summary: 'Make an invitation. It lets one person sign up',
    ok: Invitation.extend({ code: z.string().describe('Shown only this once') }),
    status: 201,
    access: 'admin',
    requiresRecentLogin: true,
  },
  'DELETE /api/v1/administration/invitations/{id}': {
    summary: 'Revoke an unused invitation',
    params: z.object({ id: Uuid }),
    ok: Invitation,
    access: 'admin',
  },
} satisfies Contract

export type InvitationContract = typeof invitationContract
