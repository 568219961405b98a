/** The rules for showing a badge on a post or opening a room with it. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { postContextOf } from '#app/api/credential/purposes.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { badRequest, conflict } from '#app/platform/http/refusal.ts'
import { domainOfWebsite } from '../company-domain.ts'
import { currentCompanyId } from '../merging/merged-companies.server.ts'
import type { PostBadge } from './badge.contract.ts'
import { BADGE_REFUSALS, type BadgedPost, postMessageOf } from './badge.ts'

export async function hasRoom(db: Database, domain: string) {
  const [room] = await db.query(
    sql`select from badge_domains where domain = ${domain} and has_room`,
    PREPARED,
  )
  return room !== undefined
}

/** Stored with a post. */
export interface PostedBadge {
  domain: string
  companyId: string
}

/** @throws Refusal conflict if the company has another domain, or was deleted */
export async function requireDomainOf(db: Database, companyId: string, domain: string) {
  const [company] = await db.query<{ website: string | null }>(
    sql`select website from companies where id = ${currentCompanyId(companyId)}`,
  )
  if (!company || domainOfWebsite(company.website) !== domain)
    throw conflict(BADGE_REFUSALS.companyChanged)
}

/**
 * Checks a post's proof of a badge. The proof's tag differs for each post, and we don't store it.
 * @returns null for a post without a badge
 * @throws Refusal bad-request for an invalid proof, conflict
 * @throws Unavailable when too many wait to be verified
 */
export async function checkedBadge(
  { db }: Pick<Ctx, 'db'>,
  { badge, ...post }: BadgedPost & { badge?: PostBadge | undefined },
  issuer: Pick<Issuer, 'verify'>,
): Promise<PostedBadge | null> {
  if (!badge) return null
  const { companyId, domain, quarter } = badge
  await requireDomainOf(db, companyId, domain)
  const tag = await issuer.verify(
    { kind: 'badge', domain, quarter },
    {
      presentationContext: postContextOf(post.idempotencyKey),
      message: postMessageOf(companyId, post),
      presentation: Buffer.from(badge.presentation, 'base64url'),
    },
  )
  if (!tag) throw badRequest(BADGE_REFUSALS.invalidProof)
  return { domain, companyId }
}
