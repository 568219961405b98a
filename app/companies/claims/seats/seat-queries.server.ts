import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { UNNAMED } from '#app/identity/accounts/account.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { companyPath } from '../../company.ts'
import { maskedAddress } from '../claim.ts'
import { requireToActFor } from '../claim-rules.server.ts'
import type { Invitation, MyInvitation, Seat } from './seat.contract.ts'
import { INVITATION_DAYS } from './seat.ts'
import { invitedContext, ownInvitedHash } from './seat-mail.server.ts'

/** A condition for queries of `seat_invitations invitation`: not expired. */
export const isOpenInvitation = (ctx: Pick<Ctx, 'now'>) =>
  sql`invitation.invited_on > ${todayOf(ctx)}::date - ${INVITATION_DAYS}::integer`

/** The owner comes first, then the others by age. @throws Refusal forbidden */
export async function companySeats(ctx: Ctx, companyId: string) {
  await requireToActFor(ctx, companyId)
  const { id: me } = requireAccount(ctx)
  const rows = await ctx.db.query<Omit<Seat, 'username'> & { username: string | null }>(sql`
    select claim.id, profile.username, claim.account_id = ${me} as "isMine",
           claim.is_owner as "isOwner", claim.is_offered as "isOffered"
      from employer_claims claim left join profiles profile on profile.account_id = claim.account_id
     where claim.company_id = ${companyId} and claim.status = 'approved'
     order by claim.is_owner desc, claim.number`)
  const isOwner = rows.some((seat) => seat.isMine && seat.isOwner)
  return {
    isOwner,
    seats: rows.map((seat): Seat => ({ ...seat, username: seat.username ?? UNNAMED })),
    invitations: isOwner ? await openInvitations(ctx, companyId) : [],
  }
}

async function openInvitations(ctx: Ctx, companyId: string): Promise<Invitation[]> {
  const rows = await ctx.db.query<{ id: string; emailSealed: string; invitedOn: string }>(sql`
    select id, email_sealed as "emailSealed", to_char(invited_on, 'YYYY-MM-DD') as "invitedOn"
      from seat_invitations invitation
     where company_id = ${companyId} and ${isOpenInvitation(ctx)} order by invited_on, id`)
  return mapRows('invitations', rows, (row) => ({
    id: row.id,
    address: maskedAddress(ctx.secrets.open(row.emailSealed, invitedContext(row.id))),
    invitedOn: row.invitedOn,
  }))
}

export async function myInvitations(ctx: Ctx): Promise<{ invitations: MyInvitation[] }> {
  const hash = ownInvitedHash(ctx.secrets, requireAccount(ctx))
  if (hash === null) return { invitations: [] }
  const rows = await ctx.db.query<{
    id: string
    company: { id: string; name: string; slug: string | null; logoUrl: string | null }
  }>(sql`
    select invitation.id, json_build_object('id', c.id, 'name', c.name, 'slug', c.slug,
                                            'logoUrl', c.logo_url) as company
      from seat_invitations invitation join companies c on c.id = invitation.company_id
     where invitation.address_hash = ${hash} and ${isOpenInvitation(ctx)}
     order by c.name_key, c.id`)
  return {
    invitations: rows.map(({ id, company }) => ({
      id,
      company: { name: company.name, path: companyPath(company), logoUrl: company.logoUrl },
    })),
  }
}

/** The account's invitations, as its data export shows them. */
export const invitationsExport = async (ctx: Ctx) =>
  (await myInvitations(ctx)).invitations.map(({ company }) => company.name)
