/**
 * Proves that someone may rate a company, without saying who. Import this file lazily, because it loads
 * the curve.
 */
import { randomScalar, serializeScalar } from '#app/api/credential/group.ts'
import { holderKeyOf, keyHashOf, removalKeyOf } from '#app/api/credential/holder-keys.ts'
import { present, serializePresentation } from '#app/api/credential/profile.ts'
import {
  benefitsContextOf,
  interviewContextOf,
  payContextOf,
  ratingContextOf,
} from '#app/api/credential/purposes.ts'
import { badgesOf } from '#app/companies/badges/stored-badges.data.ts'
import { toBase64url } from '#app/identity/credentials/credential.ts'
import { credentialToShow, readCredential } from '#app/identity/credentials/issuing.data.ts'
import { benefitsSubject } from '../benefits/benefits.ts'
import { type BenefitsInput, benefitsMessage } from '../benefits/benefits-input.ts'
import { interviewSubject } from '../interviews/interview.ts'
import { type InterviewInput, interviewMessage } from '../interviews/interview-input.ts'
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
  const { credential, parts } = partsOf(sessionKey, [companyId, ...formerIds], { badge, version })
  const content = { ...parts, rating, supersedes }
  const message = messageOf({ companyId, ...content })
  return { ...content, presentation: proof(credential, ratingContextOf(companyId), message) }
}

type GivenAlone = Omit<GivenRating, 'rating' | 'supersedes'>

/** @throws as `presentedBody` */
export function presentedInterviewBody(
  sessionKey: string,
  companyId: string,
  { interview, version, formerIds }: GivenAlone & { interview: InterviewInput },
) {
  const { year } = interview
  const subjects = [companyId, ...formerIds].map((id) => interviewSubject(id, year))
  const { credential, parts } = partsOf(sessionKey, subjects, { version })
  const content = { ...parts, interview }
  const message = interviewMessage({ companyId, ...content })
  return {
    ...content,
    presentation: proof(credential, interviewContextOf(companyId, year), message),
  }
}

/** @throws as `presentedBody` */
export function presentedPayBody(
  sessionKey: string,
  companyId: string,
  { pay, badge, version, formerIds }: GivenAlone & { pay: PayInput },
) {
  const subjects = [companyId, ...formerIds].map((id) => paySubject(id, pay.year))
  const { credential, parts } = partsOf(sessionKey, subjects, { badge, version })
  const content = { ...parts, pay }
  const message = payMessage({ companyId, ...content })
  return { ...content, presentation: proof(credential, payContextOf(companyId, pay.year), message) }
}

/** @throws as `presentedBody` */
export function presentedBenefitsBody(
  sessionKey: string,
  companyId: string,
  { benefits, version, formerIds }: GivenAlone & { benefits: BenefitsInput },
) {
  const { year } = benefits
  const subjects = [companyId, ...formerIds].map((id) => benefitsSubject(id, year))
  const { credential, parts } = partsOf(sessionKey, subjects, { version })
  const content = { ...parts, benefits }
  const message = benefitsMessage({ companyId, ...content })
  return {
    ...content,
    presentation: proof(credential, benefitsContextOf(companyId, year), message),
  }
}

/**
 * What everything that's given consists of, and what proves it. A badge has the same secret as the credential, so the
 * same tag. @param subjects the current one, then those of companies merged into it
 */
function partsOf(
  sessionKey: string,
  [subject = '', ...former]: string[],
  { badge, version }: Pick<GivenRating, 'badge' | 'version'>,
) {
  const kept = badge && badgesOf(sessionKey).find(({ domain }) => domain === badge.domain)
  const { quarter, credential } = kept
    ? { quarter: kept.quarter, credential: readCredential(kept) }
    : credentialToShow(sessionKey)
  const m1 = serializeScalar(credential.m1)
  const parts = {
    quarter,
    holder: toBase64url(keyHashOf(holderKeyOf(m1, subject))),
    removal: toBase64url(keyHashOf(removalKeyOf(m1, subject, version))),
    mergedKeys: former.map((id) => toBase64url(holderKeyOf(m1, id))),
    ...(kept && { badge: { domain: kept.domain } }),
    version,
  }
  return { credential, parts }
}

const proof = (
  credential: Parameters<typeof present>[0],
  context: Uint8Array,
  message: Uint8Array,
) => toBase64url(serializePresentation(present(credential, context, message, randomScalar)))
