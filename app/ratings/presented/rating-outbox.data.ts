/**
 * Sends this browser's ratings, each on its own and some time later, from whatever page is open then. Retries failed
 * ones. Refused ones stay, with the reason. Also checks on sent ratings, hours apart, and never while someone writes
 * or sends a rating.
 */
import type { QueryClient } from '@tanstack/react-query'
import { RATING_PENDING, RATING_REMOVAL_PENDING } from '#app/companies/own-rating/own-rating.ts'
import { forgetAfterLeaving } from '#app/identity/credentials/account-departure.data.ts'
import { storedHolder } from '#app/identity/credentials/holder.data.ts'
import {
  CredentialExpired,
  isIssuingProblem,
  secretProblem,
} from '#app/identity/credentials/issuing-problem.data.ts'
import {
  changeSubmission,
  isToCheck,
  isToSend,
  OVERDUE_MS,
  peopleWithRatings,
  randomTimeLater,
  submissionsBy,
  versionAfter,
  watchSubmissions,
} from '#app/identity/credentials/rated.data.ts'
import {
  companyOf,
  isRating,
  kindOf,
  type ServerRating,
  type Submission,
} from '#app/identity/credentials/rated.ts'
import {
  beQuietAbout,
  endQuiet,
  isQuietAboutAny,
  SENT_MS,
} from '#app/kit/session/quiet-companies.data.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { trustedScriptUrl } from '#app/kit/ui/trusted.ts'
import { BENEFITS_PENDING } from '../benefits/benefits.ts'
import { INTERVIEW_PENDING } from '../interviews/interview.ts'
import { PAY_PENDING } from '../pay/pay.ts'
import type { RatingApi } from '../rating.data.ts'
import { forgetOldRating, invalidateRatings } from '../rating-actions.data.ts'
import workerUrl from './handed-over.worker.ts?worker&url'
import {
  fetchServerRating,
  loadPresenting,
  requestOf,
  someRoundLater,
  withServerRating,
} from './presented-rating.data.ts'
import {
  canHandOver,
  forgetHandedOver,
  handedOver,
  inOutboxTab,
  isFinal,
  keepHandedOver,
  NOT_ON_SERVER,
  type SubmissionRequest,
  type SubmissionResponse,
  sendRatingRequest,
  unlessGone,
} from './rating-request.data.ts'

interface OutboxSettings {
  queryClient: QueryClient
  /** The signed-in member. We also send ratings that others gave in this browser. */
  member?: { api: RatingApi; sessionKey: string }
}

const HOUR = 3_600_000
/** The toast stays long enough to read. */
const WAITS_MS = 8_000
/** We send the removal of a rating under the account long after the anonymous rating. */
const OLD_MS = [HOUR, 12 * HOUR] as const
/** If several companies are due, we ask about each one separately. */
const BETWEEN_MS = [2 * 60_000, 20 * 60_000] as const

/** @returns stops it */
export function startOutbox({ queryClient, member }: OutboxSettings) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const people = [...new Set([...peopleWithRatings(), ...(member ? [member.sessionKey] : [])])]
  for (const { subject, rated } of submissionsWhere(people, isToSend))
    if (rated.outgoing) beQuietAbout(companyOf(subject), null)
  const plan = () => {
    clearTimeout(timer)
    const due = [
      ...submissionsWhere(people, isToSend)
        .filter(({ sessionKey, rated }) => mayGo(rated, sessionKey))
        .map(({ rated }) => rated.dueAt ?? 0),
      ...submissionsWhere(people, isToCheck).map(({ rated }) => rated.checkAt ?? 0),
    ]
    if (due.length > 0 && !isStopped)
      timer = setTimeout(
        () => inOutboxTab(doDue).finally(plan),
        // Timers overflow after 24 days.
        Math.min(HOUR, Math.max(0, Math.min(...due) - Date.now())),
      )
    if (!isStopped) handAllOver()
  }
  const unwatch = people.map((sessionKey) => watchSubmissions(sessionKey, plan))
  // If another tab is sending a rating, it keeps its due time until it has arrived. Otherwise, we'd send it twice.
  inOutboxTab(async () => {
    await hearOfHandedOver()
    postponeOverdue(people)
  }).finally(plan)
  return () => {
    isStopped = true
    clearTimeout(timer)
    for (const stop of unwatch) stop()
  }

  /** To remove a rating under an account, its person must be signed in. */
  function mayGo(rated: Submission, sessionKey: string) {
    return rated.outgoing !== undefined || member?.sessionKey === sessionKey
  }

  async function doDue() {
    await hearOfHandedOver()
    for (const { sessionKey, subject, rated } of submissionsWhere(people, isToSend))
      if ((rated.dueAt ?? 0) <= Date.now() && mayGo(rated, sessionKey))
        await sendOne(sessionKey, subject, rated)
    const [first, ...others] = submissionsWhere(people, isToCheck).filter(
      ({ rated }) => (rated.checkAt ?? 0) <= Date.now(),
    )
    if (!first) return
    for (const { sessionKey, subject } of others)
      checkLater(sessionKey, subject, randomTimeLater(BETWEEN_MS))
    const { sessionKey, subject, rated } = first
    if (isQuietAboutAny() && !rated.isRestoring)
      return checkLater(sessionKey, subject, randomTimeLater(BETWEEN_MS))
    await fetchServerRating(sessionKey, subject).catch(() =>
      checkLater(sessionKey, subject, rated.isRestoring ? randomTimeLater() : someRoundLater()),
    )
  }

  async function sendOne(sessionKey: string, subject: string, sent: Submission) {
    try {
      if (sent.outgoing) {
        const request = await requestOf(sessionKey, subject)
        await applyResponse(
          sessionKey,
          subject,
          sent,
          request ? await sendRatingRequest(request) : NOT_ON_SERVER,
        )
      } else if (member?.sessionKey === sessionKey) {
        const { api } = member
        await unlessGone(
          api('DELETE /api/v1/companies/{id}/my-rating', { params: { id: subject } }),
        )
        forgetOldRating({ api, queryClient, sessionKey }, subject)
        changeSubmission(sessionKey, subject, (now) => now && withoutOld(now, sent))
      }
    } catch (error) {
      fail(sessionKey, subject, sent, error)
    }
    await done(sessionKey, subject)
  }

  async function applyResponse(
    sessionKey: string,
    subject: string,
    sent: Submission,
    { isOther, ...onServer }: SubmissionResponse,
  ) {
    changeSubmission(
      sessionKey,
      subject,
      (now) => now && (isOther ? inConflict(now, onServer) : arrived(now, sent, onServer)),
    )
    if (isOther) return
    // People who left already know that we remove everything.
    const thanks = isRating(subject) ? thanksFor(sent, onServer) : entryThanksFor(subject, sent)
    if (thanks && !storedHolder(sessionKey)?.isLeft) toast(thanks)
    // If the rating counts already, the public numbers changed.
    if (isRating(subject) && !onServer.isUnpublished)
      await invalidateRatings({
        queryClient,
        company: { id: subject, name: sent.name, path: sent.path },
      })
  }

  async function done(sessionKey: string, subject: string) {
    const company = companyOf(subject)
    const isOver = Object.entries(submissionsBy(sessionKey)).every(
      ([other, { outgoing }]) =>
        companyOf(other) !== company || !outgoing || outgoing.problem || outgoing.hasConflict,
    )
    if (isOver) endQuiet(company, randomTimeLater(SENT_MS))
    await forgetHandedOver(subject).catch(() => {})
    forgetAfterLeaving(sessionKey)
  }

  /** Ratings that the worker sent while no page was open. */
  async function hearOfHandedOver() {
    for (const { sessionKey, subject, rated } of submissionsWhere(people, isToSend)) {
      // Without access to the cache, there's nothing to read.
      const handed = await handedOver(subject).catch(() => undefined)
      if (!handed?.answer || handed.dueAt !== rated.dueAt) continue
      await applyResponse(sessionKey, subject, rated, handed.answer)
      await done(sessionKey, subject)
    }
  }

  /** Waiting for a credential takes longer than a worker may wait. Errors show when it's due. */
  async function handAllOver() {
    let isNew = false
    await inOutboxTab(async () => {
      for (const { sessionKey, subject, rated } of submissionsWhere(people, isToSend)) {
        if (!rated.outgoing) continue
        if (rated.outgoing.needsCredential || !canHandOver()) {
          if (rated.outgoing.rating) await loadPresenting().catch(() => {})
          continue
        }
        const request = () => requestOf(sessionKey, subject)
        if (await handOver(subject, rated, request).catch(() => false)) isNew = true
      }
    })
    if (isNew) await registerWorker().catch(() => {})
  }
}

function thanksFor(
  { name, onServer: before, replacesOld, outgoing }: Submission,
  onServer: ServerRating<object>,
) {
  const [title, waits] = outgoing?.rating
    ? [
        before?.rating || replacesOld
          ? `Your rating of ${name} has changed`
          : `Thank you for rating ${name}`,
        RATING_PENDING,
      ]
    : [`Your rating of ${name} was removed`, RATING_REMOVAL_PENDING]
  return { title, ...(onServer.isUnpublished && { description: waits, duration: WAITS_MS }) }
}

/** How each kind is called, and when it counts. */
const ENTRIES: Record<string, [noun: string, pending: string]> = {
  pay: ['pay', PAY_PENDING],
  interview: ['interview', INTERVIEW_PENDING],
  benefits: ['list of benefits', BENEFITS_PENDING],
}

/** Undefined if only another device may have given it. */
function entryThanksFor(subject: string, { name, onServer: before, outgoing }: Submission) {
  if (!outgoing?.rating && !before?.rating) return undefined
  const [noun, description] = ENTRIES[kindOf(subject) ?? ''] ?? []
  const what = `${noun} at ${name}`
  const title = !outgoing?.rating
    ? `Your ${what} was removed`
    : before?.rating
      ? `Your ${what} has changed`
      : `Thank you for giving your ${what}`
  return { title, description, duration: WAITS_MS }
}

/** Unless there's something newer to send. */
function arrived(
  now: Submission,
  sent: Submission,
  onServer: ServerRating<object>,
): Submission | undefined {
  if (now.dueAt !== sent.dueAt) return { ...now, onServer }
  const { outgoing: _, dueAt, ...rated } = now
  return withServerRating(
    rated.replacesOld ? { ...rated, dueAt: randomTimeLater(OLD_MS) } : rated,
    onServer,
  )
}

/**
 * Another device gave a rating that this one hasn't seen, so the person must choose. If the other device removed its
 * rating, we send this one again. We also resend a removal, with the key for the number it now knows.
 */
function inConflict(now: Submission, onServer: ServerRating<object>): Submission {
  const { outgoing } = now
  if (!outgoing) return now
  return onServer.rating && outgoing.rating
    ? { ...now, onServer, outgoing: { ...outgoing, hasConflict: true } }
    : {
        ...now,
        // Another device's removal is no reason to forget the rating that's sent again.
        ...((onServer.rating || !outgoing.rating) && { onServer }),
        outgoing: { ...outgoing, version: versionAfter({ onServer, outgoing }) },
        dueAt: randomTimeLater(),
      }
}

function withoutOld(now: Submission, sent: Submission): Submission | undefined {
  if (now.dueAt !== sent.dueAt) return now
  const { replacesOld: _, dueAt, ...rated } = now
  return rated.onServer?.rating === null && !rated.onServer.isUnpublished ? undefined : rated
}

/**
 * We show a refusal, and do nothing automatically, because requesting a credential and proving again would reveal
 * whose the refused rating was.
 */
function fail(sessionKey: string, subject: string, { dueAt }: Submission, error: unknown) {
  // People who left don't get a new credential.
  const needsCredential = error instanceof CredentialExpired && !storedHolder(sessionKey)?.isLeft
  const isRefused = isIssuingProblem(error) || isFinal(error)
  changeSubmission(sessionKey, subject, (now) => {
    if (!now || now.dueAt !== dueAt) return now
    const { outgoing } = now
    if (outgoing && isRefused && !needsCredential)
      return { ...now, outgoing: { ...outgoing, problem: secretProblem(error) } }
    return {
      ...now,
      ...(outgoing && needsCredential && { outgoing: { ...outgoing, needsCredential } }),
      dueAt: randomTimeLater(),
    }
  })
}

function postponeOverdue(people: string[]) {
  for (const { sessionKey, subject, rated } of submissionsWhere(people, isToSend)) {
    // The removal of an account's rating gets a full new pause, because short visits would never send it.
    if ((rated.dueAt ?? 0) < Date.now())
      postpone(sessionKey, subject, rated.outgoing ? OVERDUE_MS : undefined)
  }
  for (const { sessionKey, subject, rated } of submissionsWhere(people, isToCheck))
    if ((rated.checkAt ?? 0) < Date.now())
      checkLater(
        sessionKey,
        subject,
        rated.checkAt === undefined ? someRoundLater() : randomTimeLater(),
      )
}

const postpone = (sessionKey: string, subject: string, pause?: readonly [number, number]) =>
  changeSubmission(sessionKey, subject, (now) => now && { ...now, dueAt: randomTimeLater(pause) })

const checkLater = (sessionKey: string, subject: string, checkAt: number) =>
  changeSubmission(sessionKey, subject, (now) => now && { ...now, checkAt })

const submissionsWhere = (people: string[], isIt: (rated: Submission) => boolean) =>
  people.flatMap((sessionKey) =>
    Object.entries(submissionsBy(sessionKey))
      .filter(([, rated]) => isIt(rated))
      .map(([subject, rated]) => ({ sessionKey, subject, rated })),
  )

/** Hands a request to the service worker, in case the page is closed too soon. @returns whether it waits there now */
async function handOver(
  subject: string,
  { dueAt }: Pick<Submission, 'dueAt'>,
  request: () => Promise<SubmissionRequest | undefined>,
) {
  if (!dueAt || (await handedOver(subject))?.dueAt === dueAt) return false
  const made = await request()
  if (made) await keepHandedOver({ subject, request: made, dueAt })
  return made !== undefined
}

/** Don't call this inside a lock, because the browser decides how long it takes. */
async function registerWorker() {
  const registration = await navigator.serviceWorker.register(trustedScriptUrl(workerUrl), {
    type: 'module',
  })
  const coming = registration.installing ?? registration.waiting
  if (!registration.active && coming)
    await new Promise<void>((resolve) =>
      coming.addEventListener('statechange', () => registration.active && resolve()),
    )
  await (registration as WithSync).sync.register('rating')
}

/** Background sync. Not every browser has it, and TypeScript's DOM types don't. */
interface WithSync extends ServiceWorkerRegistration {
  sync: { register(tag: string): Promise<void> }
}
