/** Administrators' decisions on claims. Only verified ones can be approved. */
import sql from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { showEmployersMenus } from '#app/identity/accounts/account-commands.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { type Event, publish, transaction } from '#app/platform/database/context.server.ts'
import { badRequest, conflict, Refusal } from '#app/platform/http/refusal.ts'
import { domainOfWebsite } from '../company-domain.ts'
import {
  CLAIM_ANSWER_MAX,
  CLAIM_REFUSALS,
  type ClaimDecision,
  noteProblem,
  tidyNote,
} from './claim.ts'
import { type ClaimRow, endClaim, lockedClaim } from './claim-lock.server.ts'
import { enqueueDecided } from './claim-mail.server.ts'

/** @throws Refusal forbidden, not-found, conflict */
export const approveClaim = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const claim = await claimToDecide(ctx, id)
    requirePending(claim)
    if (!claim.isVerified) throw conflict(CLAIM_REFUSALS.unverified)
    if (claim.isSuspended) throw conflict(CLAIM_REFUSALS.suspended)
    // Changing a company's website must not make someone its employer.
    if (claim.domain === null || domainOfWebsite(claim.website) !== claim.domain)
      throw conflict(CLAIM_REFUSALS.websiteChanged)
    await endClaim(ctx, claim, 'approved')
    await showEmployersMenus(ctx.db, claim.accountId)
    await notify(ctx, claim, 'approve')
    return { status: 'approved' as const }
  })

/** @throws Refusal forbidden, bad-request, not-found, conflict */
export const declineClaim = (ctx: Ctx, id: string, note: string) =>
  transaction(ctx, async (ctx) => {
    const claim = await claimToDecide(ctx, id)
    const answer = tidyNote(note)
    const problem = noteProblem(answer, CLAIM_ANSWER_MAX)
    if (problem) throw badRequest(problem)
    requirePending(claim)
    await endClaim(ctx, claim, 'declined', answer)
    await notify(ctx, claim, 'decline', answer)
    return { status: 'declined' as const }
  })

/** Someone no longer acts for a company, by an administrator’s decision. */
export const CLAIM_REVOKED: Event<{ companyId: string }> = { name: 'claim-revoked' }

/** An owner's revocation ends all the company's seats. Its jobs close; its replies stay. @throws Refusal forbidden, not-found, conflict */
export const revokeClaim = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const claim = await claimToDecide(ctx, id)
    if (claim.status !== 'approved') throw conflict(CLAIM_REFUSALS.notApproved)
    if (claim.isOwner) await endSeatsBelow(ctx, claim)
    await endClaim(ctx, claim, 'revoked')
    await publish(ctx, CLAIM_REVOKED, { companyId: claim.companyId })
    await notify(ctx, claim, 'revoke')
    return { status: 'revoked' as const }
  })

/** Invited people act on the owner's word. */
async function endSeatsBelow(ctx: Ctx, { companyId }: ClaimRow) {
  await ctx.db.query(sql`delete from seat_invitations where company_id = ${companyId}`)
  const seats = await ctx.db.query<{ id: string }>(sql`
    select id from employer_claims
     where company_id = ${companyId} and status = 'approved' and not is_owner order by account_id`)
  for (const { id } of seats) {
    const seat = await lockedClaim(ctx, id)
    // They left meanwhile.
    if (seat.status !== 'approved') continue
    await endClaim(ctx, seat, 'revoked')
    await notify(ctx, seat, 'revoke')
  }
}

/** Locks it. Only the site's owner may decide on their own claim. */
async function claimToDecide(ctx: Ctx, id: string) {
  const claim = await lockedClaim(ctx, id)
  if (claim.accountId === ctx.actor.account?.id && ctx.actor.role !== 'owner')
    throw new Refusal('forbidden', CLAIM_REFUSALS.own)
  return claim
}

function requirePending({ status }: ClaimRow) {
  if (status !== 'pending') throw conflict(CLAIM_REFUSALS.decided)
}

const DECIDED = { approve: 'approved', decline: 'declined', revoke: 'revoked' } as const

/** Writes the audit log, and mails the person. */
async function notify(ctx: Ctx, claim: ClaimRow, decision: ClaimDecision, answer = '') {
  const { company, companyId, username, accountId, emailSealed, isSuspended } = claim
  const subject = username ? `${company} (${username})` : company
  await logAdminAct(ctx, { action: `${decision}-claim`, subject, companyId })
  if (isSuspended) return
  const email = addressOf(ctx.secrets, { id: accountId, emailSealed })
  await enqueueDecided(ctx, { decision: DECIDED[decision], email, company, answer })
}
