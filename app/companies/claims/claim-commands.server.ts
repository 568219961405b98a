import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { addressOf, plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { showEmployersMenus } from '#app/identity/accounts/account-commands.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { lockAccount } from '#app/identity/accounts/auth-server/account-admin-commands.server.ts'
import { lengthProblem, tidyText } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import {
  type DataContext,
  type Event,
  emit,
  type ServerContext,
  transaction,
} from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { conflict, forbidden, requireValid } from '#app/platform/http/refusal.ts'
import { lockCompany } from '../company-commands.server.ts'
import { domainOfWebsite } from '../company-domain.ts'
import { requireDomain, requireWorkAddress } from '../company-domain-rules.server.ts'
import { withCurrentCompany } from '../merging/merged-companies.server.ts'
import type { MyClaim } from './claim.contract.ts'
import {
  type CheckOutcome,
  CLAIM_ANSWER_MAX,
  CLAIM_REFUSALS,
  type ClaimDecision,
  type ClaimForm,
  type ClaimStatus,
  claimProblems,
  dnsRecord,
  OPEN_CLAIMS_MAX,
  UNVERIFIED_DAYS,
} from './claim.ts'
import { enqueueClaimLink, enqueueDecided, workEmailContext } from './claim-mail.server.ts'
import { myClaim } from './claim-queries.server.ts'
import { type ClaimRow, lockedClaim } from './claim-rules.server.ts'
import { recordToken, type TxtLookup } from './dns-record.server.ts'
import { SEAT_REFUSALS } from './seats/seat.ts'

export interface ClaimCtx extends Ctx {
  /** Limits emails to an address, because anyone can type any address. @throws Refusal too-many */
  requireMailPause(address: string): Promise<void>
}

/** @throws Refusal bad-request, not-found, conflict, too-many */
export const claimCompany = (ctx: ClaimCtx, companyId: string, form: ClaimForm): Promise<MyClaim> =>
  withCurrentCompany(ctx.db, companyId, (companyId) => claimOnce(ctx, companyId, form))

async function claimOnce(ctx: ClaimCtx, companyId: string, form: ClaimForm): Promise<MyClaim> {
  const account = requireAccount(ctx)
  requireValid(claimProblems(form))
  const isByMail = form.method === 'mail'
  const address = plainAddress(form.workEmail)
  return transaction(ctx, async (ctx) => {
    const { db, now, secrets } = ctx
    const { website } = await lockCompany(db, companyId)
    await lockAccount(ctx, account.id)
    await requireClaimCapacity(ctx, account.id, companyId)
    const domain = requireDomain(website, CLAIM_REFUSALS)
    if (isByMail) requireWorkAddress(address, domain, CLAIM_REFUSALS)
    // Replaces a declined or ended claim.
    await db.query(sql`
      delete from employer_claims
       where account_id = ${account.id} and company_id = ${companyId} and status <> 'approved'`)
    const id = randomUUID()
    await db.query(sql`
      insert into employer_claims
        (id, account_id, company_id, claimed_on, method, domain, work_email_sealed, note)
      values (${id}, ${account.id}, ${companyId}, ${dayOf(now())}, ${form.method}, ${domain},
              ${isByMail ? secrets.seal(address, workEmailContext(id)) : null},
              ${tidyText(form.note)})`)
    if (isByMail) {
      await ctx.requireMailPause(address)
      await enqueueClaimLink(ctx, { claimId: id })
    }
    return myClaim(ctx, id)
  })
}

/** @throws Refusal conflict if the company is claimed already, or too many claims are pending */
async function requireClaimCapacity({ db }: Ctx, accountId: string, companyId: string) {
  const claims = await db.query<{ companyId: string; status: 'pending' | 'approved' }>(sql`
    select company_id as "companyId", status from employer_claims
     where account_id = ${accountId} and status in ('pending', 'approved')`)
  const existing = claims.find((claim) => claim.companyId === companyId)
  if (existing) throw conflict(CLAIM_REFUSALS[existing.status])
  const open = claims.filter(({ status }) => status === 'pending')
  if (open.length >= OPEN_CLAIMS_MAX) throw conflict(CLAIM_REFUSALS.tooMany)
}

/**
 * Rights end immediately, but the person's work stays. An owner leaves last. @throws Refusal not-found, conflict
 */
export const withdrawClaim = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const claim = await lockedClaim(ctx, id, requireAccount(ctx).id)
    if (claim.status !== 'pending' && claim.status !== 'approved')
      throw conflict(CLAIM_REFUSALS.over)
    if (claim.isOwner) await requireNobodyElse(ctx, claim.companyId)
    await setClaimStatus(ctx, claim, 'withdrawn')
    return { status: 'withdrawn' as const }
  })

/** @throws Refusal conflict */
async function requireNobodyElse({ db }: Ctx, companyId: string) {
  const others = await db.query(sql`
    select id from employer_claims
     where company_id = ${companyId} and status = 'approved' and not is_owner limit 1`)
  if (others.length > 0) throw conflict(SEAT_REFUSALS.leaveLast)
  await db.query(sql`delete from seat_invitations where company_id = ${companyId}`)
}

/** @throws Refusal not-found, conflict, too-many */
export const resendClaimLink = (ctx: ClaimCtx, id: string) =>
  transaction(ctx, async (ctx) => {
    const claim = await lockedClaim(ctx, id, requireAccount(ctx).id)
    requireUnverified(claim)
    if (claim.workEmailSealed === null) throw conflict(CLAIM_REFUSALS.notByMail)
    await ctx.requireMailPause(ctx.secrets.open(claim.workEmailSealed, workEmailContext(id)))
    await enqueueClaimLink(ctx, { claimId: id })
    return { sent: true as const }
  })

/**
 * The DNS query runs outside of a transaction, because name servers may be slow. @throws Refusal not-found,
 * conflict
 */
export async function checkRecord(
  ctx: Ctx,
  id: string,
  lookup: TxtLookup,
): Promise<{ outcome: CheckOutcome; claim: MyClaim }> {
  const { id: accountId } = requireAccount(ctx)
  const { domain } = await transaction(ctx, (ctx) => unverifiedRecord(ctx, id, accountId))
  const records = await lookup(domain)
  const answer = async (outcome: CheckOutcome) => ({ outcome, claim: await myClaim(ctx, id) })
  if (!records) return answer('no-answer')
  if (!records.includes(dnsRecord(recordToken(ctx, id)))) return answer('missing')
  await transaction(ctx, async (ctx) => {
    // The claim may have been withdrawn meanwhile.
    await unverifiedRecord(ctx, id, accountId)
    await ctx.db.query(sql`update employer_claims set is_verified = true where id = ${id}`)
  })
  return answer('verified')
}

async function unverifiedRecord(ctx: Ctx, id: string, accountId: string) {
  const claim = await lockedClaim(ctx, id, accountId)
  requireUnverified(claim)
  if (claim.method !== 'dns' || claim.domain === null) throw conflict(CLAIM_REFUSALS.notByDns)
  return { domain: claim.domain }
}

function requireUnverified({ status, isVerified }: ClaimRow) {
  if (status !== 'pending') throw conflict(CLAIM_REFUSALS.decided)
  if (isVerified) throw conflict(CLAIM_REFUSALS.verified)
}

/** @throws Refusal not-found, conflict */
export const chooseCompanyNews = (ctx: Ctx, id: string, wantsNews: boolean): Promise<MyClaim> =>
  transaction(ctx, async (ctx) => {
    const claim = await lockedClaim(ctx, id, requireAccount(ctx).id)
    if (claim.status !== 'approved') throw conflict(CLAIM_REFUSALS.notApproved)
    await ctx.db.query(sql`
      update employer_claims set wants_news = ${wantsNews} where id = ${id}`)
    return myClaim(ctx, id)
  })

/** Ends a claim's news for anyone with its unsubscribe link. Idempotent. */
export const endCompanyNews = ({ db }: Pick<Ctx, 'db'>, id: string) =>
  db.query(sql`update employer_claims set wants_news = false where id = ${id}`)

/** Runs daily. Ends claims that no one verified for a month, so we don't keep addresses without need. */
export async function sweepClaims({ db, now }: DataContext) {
  await db.query(sql`
    update employer_claims
       set status = 'withdrawn', work_email_sealed = null, link_hash = null,
           former_link_hashes = '{}', domain = null,
           note = ''
     where status = 'pending' and not is_verified
       and claimed_on < ${dayOf(now())}::date - ${UNVERIFIED_DAYS}::integer`)
}

export const CLAIM_APPROVED: Event<{ companyId: string }> = { name: 'claim-approved' }

/** Only a verified claim can be approved. @throws Refusal forbidden, not-found, conflict */
export const approveClaim = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const claim = await claimToDecide(ctx, id)
    requirePending(claim)
    if (!claim.isVerified) throw conflict(CLAIM_REFUSALS.unverified)
    if (claim.isSuspended) throw conflict(CLAIM_REFUSALS.suspended)
    // Someone mustn't become a company's employer because its website changed.
    if (claim.domain === null || domainOfWebsite(claim.website) !== claim.domain)
      throw conflict(CLAIM_REFUSALS.websiteChanged)
    await setClaimStatus(ctx, claim, 'approved')
    await emit(ctx, CLAIM_APPROVED, { companyId: claim.companyId })
    await showEmployersMenus(ctx.db, claim.accountId)
    await logAndMailDecision(ctx, claim, 'approve')
    return { status: 'approved' as const }
  })

/** @throws Refusal forbidden, bad-request, not-found, conflict */
export async function declineClaim(ctx: Ctx, id: string, typed: string) {
  const answer = tidyText(typed)
  requireValid(lengthProblem(answer, CLAIM_ANSWER_MAX))
  return transaction(ctx, async (ctx) => {
    const claim = await claimToDecide(ctx, id)
    requirePending(claim)
    await setClaimStatus(ctx, claim, 'declined', answer)
    await logAndMailDecision(ctx, claim, 'decline', answer)
    return { status: 'declined' as const }
  })
}

/** Someone no longer acts for a company, by an administrator’s decision. */
export const CLAIM_REVOKED: Event<{ companyId: string }> = { name: 'claim-revoked' }

/**
 * Revoking an owner's claim ends all the company's seats. Its jobs close, and its replies stay.
 * @throws Refusal forbidden, not-found, conflict
 */
export const revokeClaim = (ctx: Ctx, id: string) =>
  transaction(ctx, async (ctx) => {
    const claim = await claimToDecide(ctx, id)
    if (claim.status !== 'approved') throw conflict(CLAIM_REFUSALS.notApproved)
    if (claim.isOwner) await endSeatsBelow(ctx, claim)
    await setClaimStatus(ctx, claim, 'revoked')
    await emit(ctx, CLAIM_REVOKED, { companyId: claim.companyId })
    await logAndMailDecision(ctx, claim, 'revoke')
    return { status: 'revoked' as const }
  })

/** The owner vouched for the people they invited. */
async function endSeatsBelow(ctx: Ctx, { companyId }: ClaimRow) {
  await ctx.db.query(sql`delete from seat_invitations where company_id = ${companyId}`)
  const seats = await ctx.db.query<{ id: string }>(sql`
    select id from employer_claims
     where company_id = ${companyId} and status = 'approved' and not is_owner order by account_id`)
  for (const { id } of seats) {
    const seat = await lockedClaim(ctx, id)
    // Skip people who left meanwhile.
    if (seat.status !== 'approved') continue
    await setClaimStatus(ctx, seat, 'revoked')
    await logAndMailDecision(ctx, seat, 'revoke')
  }
}

/** Locks the claim. Only the site's owner may decide on their own. */
async function claimToDecide(ctx: Ctx, id: string) {
  const claim = await lockedClaim(ctx, id)
  if (claim.accountId === ctx.actor.account?.id && ctx.actor.role !== 'owner')
    throw forbidden(CLAIM_REFUSALS.own)
  return claim
}

function requirePending({ status }: ClaimRow) {
  if (status !== 'pending') throw conflict(CLAIM_REFUSALS.decided)
}

const DECIDED = { approve: 'approved', decline: 'declined', revoke: 'revoked' } as const

async function logAndMailDecision(ctx: Ctx, claim: ClaimRow, decision: ClaimDecision, answer = '') {
  const { company, companyId, username, accountId, emailSealed, isSuspended } = claim
  const subject = username ? `${company} (${username})` : company
  await logAdminAct(ctx, { action: `${decision}-claim`, subject, companyId })
  if (isSuspended) return
  const email = addressOf(ctx.secrets, { id: accountId, emailSealed })
  await enqueueDecided(ctx, { decision: DECIDED[decision], email, company, answer })
}

/** Lets an employer account act for the first demo company. Only for development. */
export const addDemoClaim = (db: Database, accountId: string) =>
  db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select ${accountId}, id, 'approved' from companies where demo order by name_key limit 1`)

/**
 * Decides on a claim or ends it. Deletes the proof and, unless it's approved, the person's note.
 * @param answer the administrator's note to the person
 */
export async function setClaimStatus(
  ctx: Pick<ServerContext, 'db' | 'secrets'>,
  { id, accountId }: Pick<ClaimRow, 'id' | 'accountId'>,
  status: Exclude<ClaimStatus, 'pending'>,
  answer = '',
) {
  await ctx.db.query(sql`
    update employer_claims
       set status = ${status}, work_email_sealed = null, link_hash = null,
           former_link_hashes = '{}', domain = null,
           note = case when ${status === 'approved'} then note else '' end, answer = ${answer}
     where id = ${id}`)
  await broadcastActorChange(ctx, accountId)
}
