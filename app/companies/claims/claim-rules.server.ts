/** Who may act for a company, and a claim, locked together with its account and company. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { ACCESS_REFUSALS } from '#app/api/auth/permissions.ts'
import { lockAccount } from '#app/identity/accounts/auth-server/account-admin-commands.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { forbidden, notFound } from '#app/platform/http/refusal.ts'
import { noCompany, withCurrentCompany } from '../merging/merged-companies.server.ts'
import { CLAIM_REFUSALS, type ClaimMethod, type ClaimStatus } from './claim.ts'
import { actsFor } from './claim-queries.server.ts'

/** Stays on the server, because it names an account. */
export interface ClaimRow {
  id: string
  accountId: string
  companyId: string
  status: ClaimStatus
  method: ClaimMethod | null
  isVerified: boolean
  domain: string | null
  workEmailSealed: string | null
  isOwner: boolean
  company: string
  website: string | null
  emailSealed: string
  isSuspended: boolean
  username: string | null
}

/** @throws Refusal forbidden without an approved claim on the company */
export async function requireToActFor(
  ctx: Ctx,
  companyId: string,
  sentence = ACCESS_REFUSALS.employer,
): Promise<void> {
  if (!(await actsFor(ctx, companyId))) throw forbidden(sentence)
}

/**
 * For commands: until the transaction ends, no one can end their seat.
 * @returns the company, or the one that it was merged into meanwhile
 * @throws Refusal not-found, forbidden without an approved claim
 */
export async function lockRightToActFor(
  ctx: Ctx,
  companyId: string,
  sentence = ACCESS_REFUSALS.employer,
): Promise<string> {
  // Strangers lock nothing.
  await requireToActFor(ctx, companyId, sentence)
  const id = await lockCurrentSeats(ctx, companyId)
  await requireToActFor(ctx, id, sentence)
  return id
}

/**
 * Locks the company, then the account, then the claim, so commands can't deadlock, and commands on one company's seats
 * run one by one. @param ownerId whose claim it must be
 * @throws Refusal not-found
 */
export async function lockedClaim(
  { db }: Pick<ServerContext, 'db'>,
  id: string,
  ownerId?: string,
): Promise<ClaimRow> {
  const [known] = await db.query<{ accountId: string; companyId: string }>(sql`
    select account_id as "accountId", company_id as "companyId"
      from employer_claims where id = ${id}`)
  if (!known || (ownerId !== undefined && known.accountId !== ownerId))
    throw notFound(CLAIM_REFUSALS.gone)
  await lockCurrentSeats({ db }, known.companyId)
  await lockAccount({ db }, known.accountId)
  const [claim] = await db.query<ClaimRow>(sql`
    select claim.id, claim.account_id as "accountId", claim.company_id as "companyId", claim.status, claim.method,
           claim.is_verified as "isVerified", claim.is_owner as "isOwner", claim.domain,
           claim.work_email_sealed as "workEmailSealed", c.name as company, c.website,
           account.email_sealed as "emailSealed", account.is_suspended as "isSuspended",
           profile.username
      from employer_claims claim
      join companies c on c.id = claim.company_id
      join accounts account on account.id = claim.account_id
      left join profiles profile on profile.account_id = account.id
     where claim.id = ${id} for update of claim`)
  if (!claim) throw notFound(CLAIM_REFUSALS.gone)
  return claim
}

/** Blocks changes to the company's seats, but not reading, writing and rating. @returns whether the company exists */
export async function lockCompanySeats({ db }: Pick<ServerContext, 'db'>, id: string) {
  const found = await db.query(sql`select id from companies where id = ${id} for no key update`)
  return found.length > 0
}

/** Follows a merge that we waited for. @returns the locked company @throws Refusal not-found */
const lockCurrentSeats = (ctx: Pick<ServerContext, 'db'>, companyId: string) =>
  withCurrentCompany(ctx.db, companyId, async (id) => {
    if (!(await lockCompanySeats(ctx, id))) throw noCompany()
    return id
  })
