/** Gives badges. We store that an address was confirmed, but not whose it is. */

import sql from 'sql-template-tag'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { commitmentOf } from '#app/identity/credentials/credential-commands.server.ts'
import { MAIL_CODE } from '#app/kit/writing/mail-code.ts'
import type { RateLimit } from '#app/platform/http/rate-limits.server.ts'
import {
  badRequest,
  conflict,
  forbidden,
  Refusal,
  requireValid,
} from '#app/platform/http/refusal.ts'
import { workEmailProblem } from '../claims/claim.ts'
import { requireDomain, requireWorkAddress } from '../company-domain-rules.server.ts'
import { currentCompanyId, noCompany } from '../merging/merged-companies.server.ts'
import { BADGE_REFUSALS } from './badge.ts'
import {
  type BadgeRequest,
  badgeCodeOf,
  enqueueBadgeCode,
  newBadgeRequest,
  openBadgeRequest,
  requestHash,
  sealedBadgeRequest,
} from './badge-request.server.ts'
import { requireDomainOf } from './badge-rules.server.ts'

interface AskingCtx extends Ctx {
  /** Limits emails to an address, because anyone can type any address. @throws Refusal too-many */
  requireMailPause(address: string): Promise<void>
}

/** Sends the code. No table records that someone asked. @throws Refusal forbidden, not-found, bad-request, too-many */
export async function askForBadge(ctx: AskingCtx, sent: { companyId: string; email: string }) {
  const { id: accountId } = requireAccount(ctx)
  requireValid(workEmailProblem(sent.email))
  const [company] = await ctx.db.query<{ id: string; name: string; website: string | null }>(sql`
    select id, name, website from companies where id = ${currentCompanyId(sent.companyId)}`)
  if (!company) throw noCompany()
  const domain = requireDomain(company.website, BADGE_REFUSALS)
  requireWorkAddress(sent.email, domain, BADGE_REFUSALS)
  const to = plainAddress(sent.email)
  await ctx.requireMailPause(to)
  const request = newBadgeRequest(ctx, { accountId, companyId: company.id, domain, email: to })
  await enqueueBadgeCode(ctx, { to, code: badgeCodeOf(ctx, request) })
  return { domain, token: sealedBadgeRequest(ctx, request) }
}

interface IssuingCtx extends Ctx {
  /** Counts wrong codes for one request. */
  tries: RateLimit
}

/**
 * Issues the badge for the secret that the account rates with, so no one else can use it. The same code may be sent
 * again, because a response can get lost.
 * @throws Refusal bad-request for a wrong code, forbidden, gone, conflict for another secret, an address that has a badge,
 * or a changed website
 * @throws Unavailable when too many wait
 */
export async function issueBadge(
  ctx: IssuingCtx,
  sent: { token: string; code: string; quarter: string; request: string },
  issuer: Issuer,
) {
  const { id: accountId } = requireAccount(ctx)
  const code = MAIL_CODE.tidy(sent.code)
  requireValid(MAIL_CODE.problem(code))
  const asked = openBadgeRequest(ctx, sent.token)
  if (!asked || sent.quarter !== asked.quarter) throw new Refusal('gone', BADGE_REFUSALS.over)
  if (asked.accountId !== accountId) throw forbidden(BADGE_REFUSALS.otherAccount)
  await requireCode(ctx, asked, code)
  const { domain, quarter } = asked
  await requireDomainOf(ctx.db, asked.companyId, domain)
  const commitment = await commitmentOf(ctx, accountId)
  if (!commitment) throw conflict(BADGE_REFUSALS.noSecret)
  const request = Buffer.from(sent.request, 'base64url')
  const response = await issuer.issue({ kind: 'badge', domain, quarter }, { request, commitment })
  if (!response) throw conflict(BADGE_REFUSALS.otherSecret)
  await keepHolder(ctx, asked)
  return { response: Buffer.from(response).toString('base64url') }
}

/** Counts every try until the right one, so trying many at once gains nothing. @throws Refusal */
async function requireCode({ tries, ...ctx }: IssuingCtx, asked: BadgeRequest, code: string) {
  if (await tries.use(asked.id)) throw new Refusal('gone', BADGE_REFUSALS.tries)
  if (code !== badgeCodeOf(ctx, asked)) throw badRequest(BADGE_REFUSALS.wrongCode)
  await tries.giveBack(asked.id)
}

/** One badge per address, even with two codes. @throws Refusal conflict */
async function keepHolder(ctx: Ctx, asked: BadgeRequest) {
  const hash = requestHash(ctx, asked)
  const kept = await ctx.db.query(sql`
    insert into badge_holders as kept (address_hash, link_hash, domain, quarter)
    values (${Buffer.from(asked.addressHash, 'base64url')}, ${hash}, ${asked.domain}, ${asked.quarter})
    on conflict (address_hash) do update set link_hash = kept.link_hash
      where kept.link_hash = excluded.link_hash
    returning 1`)
  if (kept.length === 0) throw conflict(BADGE_REFUSALS.used)
}
