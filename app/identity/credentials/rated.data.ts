/**
 * What a person submitted from this browser, sent or not. We send it later and on its own
 * (rating-outbox.data.ts), so a
 * request's time doesn't reveal whose it is. Light.
 */
import { numberOf, quarterOf } from '#app/api/credential/quarter.ts'
import { beQuietAbout, randomTime } from '#app/kit/session/quiet-companies.data.ts'
import { storedValues, useStored } from '#app/kit/ui/stored-value.ts'
import { todayHere } from './holder.data.ts'
import {
  companyOf,
  EARLIER_RATINGS_MAX,
  isRating,
  type Outgoing,
  type Rated,
  type RatedCompanies,
  type ServerRating,
  type Submission,
} from './rated.ts'

export type * from './rated.ts'

const PREFIX = 'kettle-rated:'
const storeOf = storedValues(PREFIX, submissionsIn)

/** Where `myRatingsQuery` stores its answer. */
export const MY_RATINGS_PREFIX = 'kettle-my-ratings:'

export function forgetMyRatings(sessionKey: string) {
  try {
    localStorage.removeItem(MY_RATINGS_PREFIX + sessionKey)
    localStorage.removeItem(SHARED_PREFIX + sessionKey)
  } catch {
    // Nothing was stored.
  }
}

const SHARED_PREFIX = 'kettle-shared:'
/**
 * The secret is also on another device, so there may be ratings this browser doesn't know. If it was restored from the
 * backup, there are.
 */
const sharedBy = storedValues(SHARED_PREFIX, (stored): boolean | 'restored' =>
  stored === '"restored"' ? 'restored' : stored === 'true',
)
export const noteSecretShared = (sessionKey: string, how: true | 'restored' = true) =>
  sharedBy(sessionKey).change((known) => (known === 'restored' ? known : how))
export const isSecretShared = (sessionKey: string) => sharedBy(sessionKey).current() !== false
export const isSecretRestored = (sessionKey: string) =>
  sharedBy(sessionKey).current() === 'restored'

/** Names that older versions, maybe still open in another tab or on another device, store. */
const RENAMED: Record<string, string> = {
  held: 'onServer',
  isWaiting: 'isUnpublished',
  nth: 'version',
  over: 'supersedes',
  isAsked: 'hasConflict',
  isAwaiting: 'needsCredential',
  askAt: 'checkAt',
  isSought: 'mayExistElsewhere',
  isAwaited: 'isRestoring',
}

/** Reviver for `JSON.parse`. */
export const withCurrentNames = (_: string, value: unknown) =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, it]) => [RENAMED[name] ?? name, it]))

function submissionsIn(stored: string | null): Record<string, Submission> {
  try {
    const read: Record<string, Submission> = JSON.parse(stored ?? '{}', withCurrentNames)
    return Object.fromEntries(
      Object.entries(read)
        .filter(([, it]) => typeof it?.name === 'string' && Array.isArray(it.formerIds))
        .map(([id, { onServer, ...it }]) => [
          id,
          !isRating(id) || isServerRating(onServer) ? { ...it, onServer } : it,
        ]),
    )
  } catch {
    return {}
  }
}

const isServerRating = (onServer: Partial<ServerRating<{ note?: unknown }>> | undefined) =>
  typeof onServer?.isUnpublished === 'boolean' &&
  (onServer.rating === null || typeof onServer.rating?.note === 'string')

/** @param sessionKey as from `useSessionKey` */
export const submissionsBy = (sessionKey: string) => storeOf(sessionKey).current()
export const useSubmissions = (sessionKey: string) => useStored(storeOf(sessionKey))
export const watchSubmissions = (sessionKey: string, watcher: () => void) =>
  storeOf(sessionKey).watch(watcher)

export const changeSubmission = (
  sessionKey: string,
  subject: string,
  change: (submission: Submission | undefined) => Submission | undefined,
) =>
  storeOf(sessionKey).change(({ [subject]: submission, ...others }) => {
    const changed = change(submission)
    return changed ? { ...others, [subject]: changed } : others
  })

export const ratedBy = (sessionKey: string) => ratingsIn(submissionsBy(sessionKey))
export const useRated = (sessionKey: string) => ratingsIn(useSubmissions(sessionKey))
const ratingsIn = (submissions: Record<string, Submission>) =>
  Object.fromEntries(
    Object.entries(submissions).filter(([subject]) => isRating(subject)),
  ) as RatedCompanies

export const changeRated = (
  sessionKey: string,
  companyId: string,
  change: (rated: Rated | undefined) => Rated | undefined,
) =>
  changeSubmission(sessionKey, companyId, (submission) => change(submission as Rated | undefined))

/** Everyone in this browser with something to send, or to ask about. */
export function peopleWithRatings(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length))
      .filter((sessionKey) =>
        Object.values(submissionsBy(sessionKey)).some((it) => isToSend(it) || isToCheck(it)),
      )
  } catch {
    return []
  }
}

export const isToSend = ({ outgoing, replacesOld }: Submission) =>
  outgoing ? !outgoing.problem && !outgoing.hasConflict : replacesOld === true

/** Ratings that aren't removed, and that the site is known to have. */
export const isGiven = ({ outgoing, onServer, mayExistElsewhere }: Submission) =>
  outgoing ? outgoing.rating !== null : onServer?.rating !== null && !mayExistElsewhere

/** Whether the rating may have changed since we last asked. */
export const isToCheck = ({ outgoing, onServer, checkAt }: Submission) =>
  !outgoing && (checkAt !== undefined || onServer === undefined)

/** The pause before we send a rating, which no one waits for. */
const PAUSE_MS = [15_000, 120_000] as const
/** Delays for overdue ratings, so short that even a short visit sends them. */
export const OVERDUE_MS = [2_000, 15_000] as const

/**
 * The delay after a new credential: soon enough for the same visit, but late enough to be one of many. If the page
 * closes, it goes on the next visit.
 */
const AFTER_ISSUING_MS = [5 * 60_000, 60 * 60_000] as const

/** A random time in this range, in ms since 1970. */
export const randomTimeLater = (range: readonly [number, number] = PAUSE_MS) => randomTime(range)

/** Replaces anything unsent about this company and those merged into it. @param subjectOf of a company */
export function sendLater(
  sessionKey: string,
  company: { id: string; name: string; path: string },
  {
    rating,
    badge,
    formerIds,
    replacesOld,
    base,
  }: Pick<Submission, 'formerIds' | 'replacesOld' | 'base'> &
    Pick<Outgoing<object>, 'rating' | 'badge'>,
  subjectOf = (companyId: string) => companyId,
) {
  beQuietAbout(company.id, null)
  const former = submissionsOf(submissionsBy(sessionKey), [company.id, ...formerIds].map(subjectOf))
  for (const id of formerIds) changeSubmission(sessionKey, subjectOf(id), () => undefined)
  changeSubmission(sessionKey, subjectOf(company.id), (before = former) => {
    const { onServer, base: known = base, replacesOld: wasOld } = before ?? {}
    return {
      name: company.name,
      path: company.path,
      formerIds,
      ...((replacesOld || wasOld) && { replacesOld: true as const }),
      outgoing: {
        rating,
        ...(badge && { badge }),
        supersedes: knownOf(before),
        version: versionAfter(before),
      },
      dueAt: randomTimeLater(),
      ...(onServer && { onServer }),
      ...(known && { base: known }),
    }
  })
}

/** All versions of their rating that the person knows: what the site has, and what was sent and may have arrived. */
const knownOf = ({ onServer, outgoing }: Pick<Submission, 'onServer' | 'outgoing'> = {}) =>
  [...(outgoing?.supersedes ?? []), outgoing?.rating, onServer?.rating]
    .filter((it) => it != null)
    .slice(-EARLIER_RATINGS_MAX)

/**
 * Higher than any number this browser sent or saw, and than the last quarter's, because we forget a removed rating's
 * number after a while.
 */
export const versionAfter = ({
  onServer,
  outgoing,
}: Pick<Submission, 'onServer' | 'outgoing'> = {}) =>
  Math.max(onServer?.version ?? 0, outgoing?.version ?? 0, firstVersionOf(quarterOf(todayHere()))) +
  1

const firstVersionOf = (quarter: string) => (numberOf(quarter) - numberOf('2000-Q1')) * 1_000

/** Resends what was refused, or was waiting for the person's decision. */
export const sendAgain = (sessionKey: string, subject: string) =>
  changeSubmission(sessionKey, subject, (refused) => {
    if (!refused?.outgoing) return refused
    beQuietAbout(companyOf(subject), null)
    const { rating, badge } = refused.outgoing
    const outgoing = {
      rating,
      ...(badge && { badge }),
      supersedes: knownOf(refused),
      version: versionAfter(refused),
    }
    return { ...refused, outgoing, dueAt: randomTimeLater() }
  })

/** Delayed, because a rating sent right after the credential could be linked to it. */
export function sendAwaiting(sessionKey: string) {
  for (const [subject, { outgoing }] of Object.entries(submissionsBy(sessionKey)))
    if (outgoing?.needsCredential)
      changeSubmission(
        sessionKey,
        subject,
        (it) => it && { ...it, dueAt: randomTimeLater(AFTER_ISSUING_MS) },
      )
}

/** The rating of a company or one merged into it. */
export const ratedOf = (rated: RatedCompanies, companyIds: string[]): Rated | undefined =>
  companyIds.map((id) => rated[id]).find(Boolean)

const submissionsOf = (submissions: Record<string, Submission>, subjects: string[]) =>
  subjects.map((subject) => submissions[subject]).find(Boolean)
