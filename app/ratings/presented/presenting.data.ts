/**
 * Proves that someone may rate a company, without saying who. Import this file lazily, because it loads
 * the curve.
 */
import { randomScalar, serializeScalar } from '#app/api/credential/group.ts'
import { holderKeyOf, holderOf, removalKeyOf } from '#app/api/credential/holder-keys.ts'
import { present, serializePresentation } from '#app/api/credential/profile.ts'
import { ratingContextOf } from '#app/api/credential/purposes.ts'
import { badgesOf } from '#app/companies/badges/stored-badges.data.ts'
import { toBase64url } from '#app/identity/credentials/credential.ts'
import { credentialToShow, readCredential } from '#app/identity/credentials/issuing.data.ts'
import { messageOf, type RatingInput } from '../rating-input.ts'

interface Given {
  rating: RatingInput
  /** Only shown while this browser has the badge. */
  badge?: { domain: string } | undefined
  supersedes: RatingInput[]
  version: number
  formerIds: string[]
}

/** @throws SecretElsewhere if this browser has no credential, CredentialAwaited if it has expired */
export function presentedBody(
  sessionKey: string,
  companyId: string,
  { rating, badge, supersedes, version, formerIds }: Given,
) {
  const kept = badge && badgesOf(sessionKey).find(({ domain }) => domain === badge.domain)
  // A badge has the same secret, so the same tag.
  const { quarter, credential } = kept
    ? { quarter: kept.quarter, credential: readCredential(kept) }
    : credentialToShow(sessionKey)
  const m1 = serializeScalar(credential.m1)
  const content = {
    quarter,
    holder: toBase64url(holderOf(holderKeyOf(m1, companyId))),
    removal: toBase64url(holderOf(removalKeyOf(m1, companyId, version))),
    mergedKeys: formerIds.map((id) => toBase64url(holderKeyOf(m1, id))),
    rating,
    ...(kept && { badge: { domain: kept.domain } }),
    supersedes,
    version,
  }
  const presented = present(
    credential,
    ratingContextOf(companyId),
    messageOf({ companyId, ...content }),
    randomScalar,
  )
  return { ...content, presentation: toBase64url(serializePresentation(presented)) }
}
