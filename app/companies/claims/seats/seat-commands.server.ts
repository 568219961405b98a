/** Commands on a company's seats. Each locks the company first, so concurrent commands see each other's results. */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { addressHash, addressOf, plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { showEmployersMenus } from '#app/identity/accounts/account-commands.server.ts'
import { lockAccount } from '#app/identity/accounts/auth-server/account-admin-commands.server.ts'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { conflict, forbidden, notFound, requireValid } from '#app/platform/http/refusal.ts'
import { noCompany } from '../../merging/merged-companies.server.ts'
import { CLAIM_REFUSALS, maskedAddress, workEmailProblem } from '../claim.ts'
import type { ClaimCtx } from '../claim-commands.server.ts'
import { setClaimStatus } from '../claim-commands.server.ts'
import { enqueueDecided } from '../claim-mail.server.ts'
import { lockCompanySeats } from '../claim-rules.server.ts'
import type { Invitation } from './seat.contract.ts'
import { INVITATION_DAYS, SEAT_REFUSALS, SEATS_MAX } from './seat.ts'
import {
  enqueueInvitation,
  invitedContext,
  invitedHash,
  ownInvitedHash,
} from './seat-mail.server.ts'
import { isOpenInvitation } from './seat-queries.server.ts'

const DONE = { done: true } as const

/** Locks the company. @throws Refusal not-found, forbidden for anyone but the owner of its seats */
async function requireSeatOwner(ctx: Ctx, companyId: string) {
  const { id } = requireAccount(ctx)
  if (!(await lockCompanySeats(ctx, companyId))) throw noCompany()
  const [seat] = await ctx.db.query(sql`
    select from employer_claims where company_id = ${companyId} and account_id = ${id} and is_owner`)
  if (!seat) throw forbidden(SEAT_REFUSALS.notOwner)
}

/**
 * The owner vouches for the person, so the address may be at any domain. It must be confirmed by the account that
 * accepts. @throws Refusal bad-request, not-found, forbidden, conflict, too-many
 */
export async function inviteColleague(
  ctx: ClaimCtx,
  companyId: string,
  email: string,
): Promise<Invitation> {
  requireValid(workEmailProblem(email))
  const address = plainAddress(email)
  return transaction(ctx, async (ctx) => {
    const { db, secrets } = ctx
    await requireSeatOwner(ctx, companyId)
    await db.query(sql`
      delete from seat_invitations invitation
       where company_id = ${companyId} and not ${isOpenInvitation(ctx)}`)
    const [taken] = await db.query<{ n: number; hasSeat: boolean }>(sql`
      select ((select count(*) from employer_claims
                where company_id = ${companyId} and status = 'approved')
              + (select count(*) from seat_invitations where company_id = ${companyId}))::integer as n,
             exists (select from employer_claims join accounts account on account.id = account_id
                      where company_id = ${companyId} and status = 'approved'
                        and account.email_hash = ${addressHash(secrets, address)}) as "hasSeat"`)
    if (taken?.hasSeat) throw conflict(SEAT_REFUSALS.hasSeat)
    if ((taken?.n ?? 0) >= SEATS_MAX) throw conflict(SEAT_REFUSALS.full)
    const id = randomUUID()
    const invitedOn = todayOf(ctx)
    const [added] = await db.query(sql`
      insert into seat_invitations (id, company_id, address_hash, email_sealed, invited_on)
      values (${id}, ${companyId}, ${invitedHash(secrets, address)},
              ${secrets.seal(address, invitedContext(id))}, ${invitedOn})
      on conflict do nothing returning id`)
    if (!added) throw conflict(SEAT_REFUSALS.invited)
    await ctx.requireMailPause(address)
    await enqueueInvitation(ctx, { invitationId: id })
    return { id, address: maskedAddress(address), invitedOn }
  })
}

/** @throws Refusal not-found, forbidden */
export const withdrawInvitation = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const companyId = await companyOfInvitation(ctx, id)
    await requireSeatOwner(ctx, companyId)
    const gone = await ctx.db.query(sql`delete from seat_invitations where id = ${id} returning id`)
    if (gone.length === 0) throw notFound(SEAT_REFUSALS.invitationGone)
    return DONE
  })

/** @throws Refusal not-found; conflict if they act for the company already */
export const acceptInvitation = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { db, secrets } = ctx
    const account = requireAccount(ctx)
    const companyId = await companyOfInvitation(ctx, id)
    await lockCompanySeats(ctx, companyId)
    await lockAccount(ctx, account.id)
    // Without an owner, no one can invite.
    const accepted = await db.query(sql`
      delete from seat_invitations invitation
       where id = ${id} and address_hash = ${ownInvitedHash(secrets, account)}
         and ${isOpenInvitation(ctx)}
         and exists (select from employer_claims where company_id = ${companyId} and is_owner)
      returning id`)
    if (accepted.length === 0) throw notFound(SEAT_REFUSALS.invitationGone)
    // Replaces their own pending or declined claim.
    await db.query(sql`
      delete from employer_claims
       where account_id = ${account.id} and company_id = ${companyId} and status <> 'approved'`)
    const [added] = await db.query(sql`
      insert into employer_claims (account_id, company_id, claimed_on, status)
      values (${account.id}, ${companyId}, ${todayOf(ctx)}, 'approved')
      on conflict do nothing returning id`)
    if (!added) throw conflict(CLAIM_REFUSALS.approved)
    await showEmployersMenus(db, account.id)
    await broadcastActorChange(ctx, account.id)
    return DONE
  })

/** @throws Refusal not-found */
export async function declineInvitation({ db, secrets, ...ctx }: Ctx, id: string) {
  const gone = await db.query(sql`
    delete from seat_invitations
     where id = ${id} and address_hash = ${ownInvitedHash(secrets, requireAccount(ctx))}
    returning id`)
  if (gone.length === 0) throw notFound(SEAT_REFUSALS.invitationGone)
  return DONE
}

async function companyOfInvitation({ db }: Ctx, id: string) {
  const [found] = await db.query<{ companyId: string }>(sql`
    select company_id as "companyId" from seat_invitations where id = ${id}`)
  if (!found) throw notFound(SEAT_REFUSALS.invitationGone)
  return found.companyId
}

/** Rights end immediately. @throws Refusal not-found, forbidden, conflict */
export const removeSeat = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { companyId, accountId } = await seatOf(ctx, id)
    await requireSeatOwner(ctx, companyId)
    await lockAccount(ctx, accountId)
    const seat = await seatOf(ctx, id)
    if (seat.isOwner) throw conflict(SEAT_REFUSALS.isOwner)
    await setClaimStatus(ctx, seat, 'withdrawn')
    await notify(ctx, seat, 'removed')
    return DONE
  })

/** @throws Refusal not-found, forbidden; conflict while another seat has an offer */
export const offerOwnership = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { companyId } = await seatOf(ctx, id)
    await requireSeatOwner(ctx, companyId)
    const seat = await seatOf(ctx, id)
    if (seat.isOwner) throw conflict(SEAT_REFUSALS.isOwner)
    const offered = await ctx.db.query<{ id: string }>(sql`
      select id from employer_claims where company_id = ${companyId} and is_offered`)
    if (offered.some((other) => other.id !== id)) throw conflict(SEAT_REFUSALS.offered)
    // A repeated offer is still one offer and one email.
    if (offered.length > 0) return DONE
    await ctx.db.query(sql`update employer_claims set is_offered = true where id = ${id}`)
    await notify(ctx, seat, 'offered')
    return DONE
  })

/** Called by the owner, or the person who got the offer. @throws Refusal not-found, forbidden */
export const endOffer = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { companyId, accountId } = await seatOf(ctx, id)
    if (accountId === requireAccount(ctx).id) await lockCompanySeats(ctx, companyId)
    else await requireSeatOwner(ctx, companyId)
    await ctx.db.query(sql`update employer_claims set is_offered = false where id = ${id}`)
    return DONE
  })

/** The former owner keeps a seat. @throws Refusal not-found; conflict without an offer */
export const acceptOwnership = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { companyId, accountId } = await seatOf(ctx, id)
    if (accountId !== requireAccount(ctx).id) throw notFound(SEAT_REFUSALS.seatGone)
    await lockCompanySeats(ctx, companyId)
    const [former] = await db.query<{ id: string }>(sql`
      update employer_claims set is_owner = false
       where company_id = ${companyId} and is_owner
         and exists (select from employer_claims
                      where id = ${id} and company_id = ${companyId} and is_offered)
      returning id`)
    const taken = await db.query(sql`
      update employer_claims set is_owner = true, is_offered = false
       where id = ${id} and is_offered returning id`)
    if (!former || taken.length === 0) throw conflict(SEAT_REFUSALS.notOffered)
    await notify(ctx, await seatOf(ctx, former.id), 'handed-over')
    return DONE
  })

/** Stays on the server, because it names an account. */
interface SeatRow {
  id: string
  companyId: string
  accountId: string
  isOwner: boolean
  company: string
  emailSealed: string
  isSuspended: boolean
}

/** @throws Refusal not-found */
async function seatOf({ db }: Ctx, id: string): Promise<SeatRow> {
  const [seat] = await db.query<SeatRow>(sql`
    select claim.id, claim.company_id as "companyId", claim.account_id as "accountId",
           claim.is_owner as "isOwner", c.name as company,
           account.email_sealed as "emailSealed", account.is_suspended as "isSuspended"
      from employer_claims claim
      join companies c on c.id = claim.company_id
      join accounts account on account.id = claim.account_id
     where claim.id = ${id} and claim.status = 'approved'`)
  if (!seat) throw notFound(SEAT_REFUSALS.seatGone)
  return seat
}

async function notify(
  ctx: Ctx,
  { accountId, emailSealed, company, isSuspended }: SeatRow,
  decision: 'removed' | 'offered' | 'handed-over',
) {
  if (isSuspended) return
  const email = addressOf(ctx.secrets, { id: accountId, emailSealed })
  await enqueueDecided(ctx, { decision, email, company, answer: '' })
}

/** Runs nightly. Ends unanswered invitations, so we don't keep addresses without need. */
export const sweepInvitations = ({ db, now }: DataContext) =>
  db.query(sql`
    delete from seat_invitations
     where invited_on <= ${todayOf({ now })}::date - ${INVITATION_DAYS}::integer`)
