/**
 * Proves that someone may rate a company, without saying who. Import this file lazily, because it loads
 * the curve.
 */
import { randomScalar, serializeScalar } from '#app/api/credential/group.ts'
import { holderKeyOf, holderOf, removalKeyOf } from '#app/api/credential/holder-keys.ts'
import { present, serializePresentation } from '#app/api/credential/profile.ts'
import { payContextOf, ratingContextOf } from '#app/api/credential/purposes.ts'
import { badgesOf } from '#app/companies/badges/stored-badges.data.ts'
import { toBase64url } from '#app/identity/credentials/credential.ts'
import { credentialToShow, readCredential } from '#app/identity/credentials/issuing.data.ts'
import { paySubject } from '../pay/pay.ts'
import { type PayInput, payMessage } from '../pay/pay-input.ts'
import { messageOf, type RatingInput } from '../rating-input.ts'

interface GivenRating {
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
  { rating, badge, supersedes, version, formerIds }: GivenRating,
) {
  const { kept, quarter, credential, m1 } = proofOf(sessionKey, badge)
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

/** @throws as `presentedBody` */
export function presentedPayBody(
  sessionKey: string,
  companyId: string,
  {
    pay,
    badge,
    version,
    formerIds,
  }: Omit<GivenRating, 'rating' | 'supersedes'> & { pay: PayInput },
) {
  const { kept, quarter, credential, m1 } = proofOf(sessionKey, badge)
  const subject = paySubject(companyId, pay.year)
  const content = {
    quarter,
    holder: toBase64url(holderOf(holderKeyOf(m1, subject))),
    removal: toBase64url(holderOf(removalKeyOf(m1, subject, version))),
    mergedKeys: formerIds.map((id) => toBase64url(holderKeyOf(m1, paySubject(id, pay.year)))),
    pay,
    ...(kept && { badge: { domain: kept.domain } }),
    version,
  }
  const presented = present(
    credential,
    payContextOf(companyId, pay.year),
    payMessage({ companyId, ...content }),
    randomScalar,
  )
  return { ...content, presentation: toBase64url(serializePresentation(presented)) }
}

/** A badge has the same secret as the credential, so the same tag. */
function proofOf(sessionKey: string, badge: GivenRating['badge']) {
  const kept = badge && badgesOf(sessionKey).find(({ domain }) => domain === badge.domain)
  const { quarter, credential } = kept
    ? { quarter: kept.quarter, credential: readCredential(kept) }
    : credentialToShow(sessionKey)
  return { kept, quarter, credential, m1: serializeScalar(credential.m1) }
}
