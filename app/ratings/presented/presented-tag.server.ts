/** Verifies what's presented about a company. The same for every kind. */
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { requireDomainOf } from '#app/companies/badges/badge-rules.server.ts'
import { companyIds } from '#app/companies/merging/merged-companies.server.ts'
import { badRequest, Refusal } from '#app/platform/http/refusal.ts'

interface Presented {
  companyId: string
  quarter: string
  /** base64url */
  presentation: string
  /** Then the proof uses the badge. */
  badge?: { domain: string } | undefined
}

interface Proof {
  /** Of the key of the hash, one for each kind. */
  name: string
  context: Uint8Array
  message: Uint8Array
  refusals: Refusals
}

interface Refusals {
  invalidProof: string
  merged: string
}

/**
 * The person's tag in this context, as we store it: hashed, so it looks like the tags made from accounts. Badge and
 * credential share a secret, and therefore a tag, so no one can use someone else's badge.
 * @throws Refusal bad-request without a proof, conflict for another company’s badge, gone for a merged company
 * @throws Unavailable when too many wait to be verified
 */
export async function presentedTag(
  ctx: Ctx,
  issuer: Issuer,
  { companyId, quarter, badge, presentation }: Presented,
  { name, context, message, refusals }: Proof,
): Promise<string> {
  requireNotMerged((await companyIds(ctx.db, companyId)).id, companyId, refusals)
  if (badge) await requireDomainOf(ctx.db, companyId, badge.domain)
  const tag = await issuer.verify(
    badge ? { kind: 'badge', domain: badge.domain, quarter } : { kind: 'ratings', quarter },
    {
      presentationContext: context,
      message,
      presentation: Buffer.from(presentation, 'base64url'),
    },
  )
  if (!tag) throw badRequest(refusals.invalidProof)
  return ctx.secrets.hash(name, Buffer.from(tag).toString('base64url'))
}

/** A proof is for one company only. @throws Refusal gone */
export function requireNotMerged(current: string, companyId: string, { merged }: Refusals) {
  if (current !== companyId) throw new Refusal('gone', merged)
}
