/** Anonymous ratings. This browser gives and removes them, and uses a key to check on them. */
import { fetchNoteByKey } from '#app/community/reports/report.data.ts'
import type { RatingBadge } from '#app/companies/badges/badge.contract.ts'
import { holderKeys, removalKey } from '#app/identity/credentials/holder-keys.data.ts'
import type { CredentialApi } from '#app/identity/credentials/issuing.data.ts'
import {
  changeRated,
  changeSubmission,
  isGiven,
  randomTimeLater,
  ratedBy,
  sendLater,
  submissionsBy,
} from '#app/identity/credentials/rated.data.ts'
import {
  isRating,
  type PublicNumbers,
  type ServerRating,
  type Submission,
} from '#app/identity/credentials/rated.ts'
import { type MyRatings, type RatedCompany, unsent } from '../rating.data.ts'
import { type RatingInput, ratingDraftOf } from '../rating-input.ts'
import { entryRequestOf, keysOf } from './own-entries.data.ts'
import {
  anonymousApi,
  GIVING,
  NOT_ON_SERVER,
  REMOVAL,
  type SubmissionRequest,
} from './rating-request.data.ts'

type Whose = { company: RatedCompany; sessionKey: string }

/**
 * The ratings that this browser knows its person gave, sent or not. We don't request them, because that would
 * link them.
 */
export function ratingsOfThisBrowser(sessionKey: string): object[] {
  return Object.entries(ratedBy(sessionKey))
    .sort(([, a], [, b]) => a.name.localeCompare(b.name))
    .filter(([, rated]) => isGiven(rated))
    .map(([companyId, { name, outgoing, onServer }]) => {
      const rating = outgoing ? unsent(outgoing, onServer) : onServer?.rating
      return { company: name, companyId, ...rating, isSent: !outgoing }
    })
}

/**
 * Fetches the credential immediately, so problems show while the form is open. The rating is sent later.
 * @param base the company's public numbers, kept while the rating waits
 * @throws SecretElsewhere, ForeignIssuer, StorageBlocked, ApiError
 */
export async function giveRating(
  { api, company, sessionKey }: Whose & { api: CredentialApi },
  before: MyRatings | undefined,
  {
    rating,
    badge,
    base,
    formerIds,
  }: {
    rating: RatingInput
    badge?: RatingBadge | undefined
    base: PublicNumbers | undefined
    formerIds: string[]
  },
) {
  const { credentialOf } = await import('#app/identity/credentials/issuing.data.ts')
  await credentialOf(api, sessionKey)
  sendLater(sessionKey, company, {
    rating,
    ...(badge && { badge }),
    formerIds,
    ...(before?.isOfAccount && { replacesOld: true }),
    ...(base && { base }),
  })
}

export const removePresentedRating = (
  { company, sessionKey }: Whose,
  { formerIds }: { formerIds: string[] },
) => sendLater(sessionKey, company, { rating: null, formerIds })

/**
 * Loads the curve. Call it long before a rating is due. Fetching the code only then would reveal whose rating it
 * is.
 */
export const loadPresenting = () => import('./presenting.data.ts')

/** What this browser has to send about one subject. Loads the curve. @throws what `presentedBody` throws */
export async function requestOf(
  sessionKey: string,
  subject: string,
): Promise<SubmissionRequest | undefined> {
  if (!isRating(subject)) return entryRequestOf(sessionKey, subject)
  const companyId = subject
  const { outgoing, formerIds, onServer } = ratedBy(sessionKey)[companyId] ?? {}
  if (!outgoing || !formerIds) return undefined
  if (outgoing.rating) {
    const { presentedBody } = await loadPresenting()
    const body = presentedBody(sessionKey, companyId, {
      rating: ratingDraftOf(outgoing.rating),
      badge: outgoing.badge,
      supersedes: (outgoing.supersedes ?? []).map(ratingDraftOf),
      version: outgoing.version ?? 1,
      formerIds,
    })
    return { endpoint: GIVING, params: { id: companyId }, body }
  }
  const keys = holderKeys(sessionKey, [companyId, ...formerIds])
  if (!keys) return undefined
  const body = { keys, removalKey: removalKey(sessionKey, companyId, onServer?.version ?? 0) }
  return { endpoint: REMOVAL, params: { id: companyId }, body }
}

/** Keeps another device's rating, and drops the one typed here. */
export const keepServerRating = (sessionKey: string, companyId: string) =>
  changeRated(sessionKey, companyId, (now) => {
    if (!now?.outgoing || !now.onServer) return now
    const { outgoing: _, dueAt, ...rated } = now
    return withServerRating(rated, now.onServer)
  })

/** How often to check on a rating that waits or has a note. The time is random. */
const ROUND_MS = [8 * 3_600_000, 30 * 3_600_000] as const
export const someRoundLater = () => randomTimeLater(ROUND_MS)

/** What this browser stores of the server's answer. Undefined if there's nothing left. */
export function withServerRating<Kept extends Submission>(
  { checkAt: _, mayExistElsewhere, isRestoring, base, ...rated }: Kept,
  onServer: NonNullable<Kept['onServer']>,
) {
  const { isUnpublished } = onServer
  const rating: Partial<NonNullable<ServerRating['rating']>> | null = onServer.rating
  if (!rating && !isUnpublished && !rated.replacesOld) return undefined
  const mayChange = isUnpublished || rating?.note || rating?.badge?.isShown === false
  return {
    ...rated,
    onServer,
    ...(isUnpublished && base && { base }),
    ...(mayChange && { checkAt: someRoundLater() }),
  }
}

/**
 * Checks one company's rating: whether it's public, what moderators did to its note, what another device
 * gave. Its timing mustn't follow from anything people do; see `startOutbox`. @throws ApiError
 */
export async function fetchServerRating(sessionKey: string, companyId: string) {
  if (!isRating(companyId)) return fetchModeration(sessionKey, companyId)
  const { formerIds = [] } = ratedBy(sessionKey)[companyId] ?? {}
  const keys = holderKeys(sessionKey, [companyId, ...formerIds])
  if (!keys)
    return changeRated(sessionKey, companyId, (now) => now && withServerRating(now, NOT_ON_SERVER))
  const onServer: ServerRating = await anonymousApi('POST /api/v1/companies/{id}/rating-by-key', {
    params: { id: companyId },
    body: { keys },
  })
  const { rating } = onServer
  const post = rating && rating.noteState !== 'shown' ? await fetchNoteByKey(rating.id, keys) : null
  changeRated(sessionKey, companyId, (now) => {
    if (!now || now.outgoing) return now
    // The public numbers may have changed without it, so the next page that shows them stores them again.
    const { base: _, ...rated } = now
    return withServerRating(rated, post ? { ...onServer, post } : onServer)
  })
}

/** What moderators did to an interview's text, which its author knows. */
async function fetchModeration(sessionKey: string, subject: string) {
  const { onServer, formerIds = [] } = submissionsBy(sessionKey)[subject] ?? {}
  const keys = keysOf(sessionKey, subject, formerIds)
  const { id } = (onServer?.rating ?? {}) as { id?: string }
  const post = id && keys ? await fetchNoteByKey(id, keys) : null
  changeSubmission(sessionKey, subject, (now) => {
    if (!now?.onServer || now.outgoing) return now
    const { post: _, ...known } = now.onServer
    return withServerRating(now, post ? { ...known, post } : known)
  })
}

/**
 * Called when someone opens a Ratings tab, because another device may have rated this company.
 * @param isRestoring whether the form is open, and the secret was restored from that device
 */
export function seekRating(
  { company, sessionKey }: Whose,
  formerIds: string[],
  isRestoring = false,
) {
  const { name, path } = company
  if (!holderKeys(sessionKey, [company.id])) return
  changeRated(sessionKey, company.id, (now) => {
    const isKnown = now && !now.mayExistElsewhere
    if (isKnown || (now && (!isRestoring || now.isRestoring))) return now
    const checkAt = randomTimeLater()
    return {
      name,
      path,
      formerIds,
      mayExistElsewhere: true,
      ...(isRestoring && { isRestoring }),
      checkAt,
    }
  })
}
