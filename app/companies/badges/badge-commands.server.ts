/** Gives badges: permit, check, write. What is stored says that an address was confirmed, not whose it is. */
import sql from 'sql-template-tag'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { commitmentOf } from '#app/identity/credentials/credential-commands.server.ts'
import { conflict, forbidden, notFound, Refusal, requireValid } from '#app/platform/http/refusal.ts'
import { workEmailProblem } from '../claims/claim.ts'
import { COMPANY_NOT_FOUND } from '../company.ts'
import { requireDomain, requireWorkAddress } from '../company-domain.server.ts'
import { livingCompany } from '../merging/merged-companies.server.ts'
import { BADGE_REFUSALS } from './badge.ts'
import {
  type BadgeLink,
  enqueueBadgeLink,
  linkHash,
  makeBadgeLink,
  openBadgeLink,
} from './badge-link.server.ts'
import { requireDomainOf } from './post-badges.server.ts'

interface AskingCtx extends Ctx {
  /** Limits mails to an address that anyone can name. @throws Refusal too-many */
  requireMailPause(address: string): Promise<void>
}

/** Sends the link; no table says that someone asked. @throws Refusal forbidden, not-found, bad-request, too-many */
export async function askForBadge(ctx: AskingCtx, sent: { companyId: string; email: string }) {
  const { id: accountId } = requireAccount(ctx)
  requireValid(workEmailProblem(sent.email))
  const [company] = await ctx.db.query<{ id: string; name: string; website: string | null }>(sql`
    select id, name, website from companies where id = ${livingCompany(sent.companyId)}`)
  if (!company) throw notFound(COMPANY_NOT_FOUND)
  const domain = requireDomain(company.website, BADGE_REFUSALS)
  requireWorkAddress(sent.email, domain, BADGE_REFUSALS)
  const to = plainAddress(sent.email)
  await ctx.requireMailPause(to)
  const token = makeBadgeLink(ctx, { accountId, companyId: company.id, domain, email: to })
  await enqueueBadgeLink(ctx, { to, company: company.name, token })
  return { isSent: true as const, domain }
}

/**
 * Answers only which company the link is for: a domain or quarter that no one else gets could single a person out.
 * @throws Refusal forbidden, gone, not-found if the company was deleted
 */
export async function companyOfLink(ctx: Ctx, token: string) {
  const [company] = await ctx.db.query<{ companyId: string }>(sql`
    select id as "companyId" from companies
     where id = ${livingCompany(requireOwnLink(ctx, token).companyId)}`)
  if (!company) throw notFound(COMPANY_NOT_FOUND)
  return company
}

/** @throws Refusal forbidden for another account's link, gone */
function requireOwnLink(ctx: Ctx, token: string): BadgeLink {
  const { id: accountId } = requireAccount(ctx)
  const link = openBadgeLink(ctx, token)
  if (!link) throw new Refusal('gone', BADGE_REFUSALS.link)
  if (link.accountId !== accountId) throw forbidden(BADGE_REFUSALS.otherAccount)
  return link
}

/**
 * Over the secret that the account rates with, so no one else can use the badge. The same link may ask again, as a
 * response can get lost.
 * @throws Refusal forbidden, gone, conflict for another secret, an address that has a badge, or a changed website
 * @throws Unavailable when too many wait
 */
export async function issueBadge(
  ctx: Ctx,
  sent: { token: string; quarter: string; request: string },
  issuer: Issuer,
) {
  const link = requireOwnLink(ctx, sent.token)
  const { domain, quarter, accountId } = link
  if (sent.quarter !== quarter) throw new Refusal('gone', BADGE_REFUSALS.link)
  await requireDomainOf(ctx.db, link.companyId, domain)
  const commitment = await commitmentOf(ctx, accountId)
  if (!commitment) throw conflict(BADGE_REFUSALS.noSecret)
  const request = Buffer.from(sent.request, 'base64url')
  const response = await issuer.issue({ kind: 'badge', domain, quarter }, { request, commitment })
  if (!response) throw conflict(BADGE_REFUSALS.otherSecret)
  await keepHolder(ctx, link)
  return { response: Buffer.from(response).toString('base64url') }
}

/** One badge an address, even with two links. @throws Refusal conflict */
async function keepHolder(ctx: Ctx, link: BadgeLink) {
  const hash = linkHash(ctx, link)
  const kept = await ctx.db.query(sql`
    insert into badge_holders as kept (address_hash, link_hash, domain, quarter)
    values (${Buffer.from(link.addressHash, 'base64url')}, ${hash}, ${link.domain}, ${link.quarter})
    on conflict (address_hash) do update set link_hash = kept.link_hash
      where kept.link_hash = excluded.link_hash
    returning 1`)
  if (kept.length === 0) throw conflict(BADGE_REFUSALS.used)
}
