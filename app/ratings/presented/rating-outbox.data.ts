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
  changeRated,
  isToCheck,
  isToSend,
  OVERDUE_MS,
  peopleWithRatings,
  randomTimeLater,
  ratedBy,
  versionAfter,
  watchRated,
} from '#app/identity/credentials/rated.data.ts'
import type { Rated, ServerRating } from '#app/identity/credentials/rated.ts'
import {
  beQuietAbout,
  endQuiet,
  isQuietAboutAny,
  SENT_MS,
} from '#app/kit/session/quiet-companies.data.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { trustedScriptUrl } from '#app/kit/ui/trusted.ts'
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
  type RatingRequest,
  type RatingResponse,
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
  for (const { companyId, rated } of ratedWhere(people, isToSend))
    if (rated.outgoing) beQuietAbout(companyId, null)
  const plan = () => {
    clearTimeout(timer)
    const due = [
      ...ratedWhere(people, isToSend)
        .filter(({ sessionKey, rated }) => mayGo(rated, sessionKey))
        .map(({ rated }) => rated.dueAt ?? 0),
      ...ratedWhere(people, isToCheck).map(({ rated }) => rated.checkAt ?? 0),
    ]
    if (due.length > 0 && !isStopped)
      timer = setTimeout(
        () => inOutboxTab(doDue).finally(plan),
        // Timers overflow after 24 days.
        Math.min(HOUR, Math.max(0, Math.min(...due) - Date.now())),
      )
    if (!isStopped) handAllOver()
  }
  const unwatch = people.map((sessionKey) => watchRated(sessionKey, plan))
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
  function mayGo(rated: Rated, sessionKey: string) {
    return rated.outgoing !== undefined || member?.sessionKey === sessionKey
  }

  async function doDue() {
    await hearOfHandedOver()
    for (const { sessionKey, companyId, rated } of ratedWhere(people, isToSend))
      if ((rated.dueAt ?? 0) <= Date.now() && mayGo(rated, sessionKey))
        await sendOne(sessionKey, companyId, rated)
    const [first, ...others] = ratedWhere(people, isToCheck).filter(
      ({ rated }) => (rated.checkAt ?? 0) <= Date.now(),
    )
    if (!first) return
    for (const { sessionKey, companyId } of others)
      checkLater(sessionKey, companyId, randomTimeLater(BETWEEN_MS))
    const { sessionKey, companyId, rated } = first
    if (isQuietAboutAny() && !rated.isRestoring)
      return checkLater(sessionKey, companyId, randomTimeLater(BETWEEN_MS))
    await fetchServerRating(sessionKey, companyId).catch(() =>
      checkLater(sessionKey, companyId, rated.isRestoring ? randomTimeLater() : someRoundLater()),
    )
  }

  async function sendOne(sessionKey: string, companyId: string, sent: Rated) {
    try {
      if (sent.outgoing) {
        const request = await requestOf(sessionKey, companyId)
        await applyResponse(
          sessionKey,
          companyId,
          sent,
          request ? await sendRatingRequest(request) : NOT_ON_SERVER,
        )
      } else if (member?.sessionKey === sessionKey) {
        const { api } = member
        await unlessGone(
          api('DELETE /api/v1/companies/{id}/my-rating', { params: { id: companyId } }),
        )
        forgetOldRating({ api, queryClient, sessionKey }, companyId)
        changeRated(sessionKey, companyId, (now) => now && withoutOld(now, sent))
      }
    } catch (error) {
      fail(sessionKey, companyId, sent, error)
    }
    await done(sessionKey, companyId)
  }

  async function applyResponse(
    sessionKey: string,
    companyId: string,
    sent: Rated,
    { isOther, ...onServer }: RatingResponse,
  ) {
    changeRated(
      sessionKey,
      companyId,
      (now) => now && (isOther ? inConflict(now, onServer) : arrived(now, sent, onServer)),
    )
    if (isOther) return
    // People who left already know that we remove everything.
    if (!storedHolder(sessionKey)?.isLeft) toast(thanksFor(sent, onServer))
    // If the rating counts already, the public numbers changed.
    if (!onServer.isUnpublished)
      await invalidateRatings({
        queryClient,
        company: { id: companyId, name: sent.name, path: sent.path },
      })
  }

  async function done(sessionKey: string, companyId: string) {
    const { outgoing } = ratedBy(sessionKey)[companyId] ?? {}
    if (!outgoing || outgoing.problem || outgoing.hasConflict)
      endQuiet(companyId, randomTimeLater(SENT_MS))
    await forgetHandedOver(companyId).catch(() => {})
    forgetAfterLeaving(sessionKey)
  }

  /** Ratings that the worker sent while no page was open. */
  async function hearOfHandedOver() {
    for (const { sessionKey, companyId, rated } of ratedWhere(people, isToSend)) {
      // Without access to the cache, there's nothing to read.
      const handed = await handedOver(companyId).catch(() => undefined)
      if (!handed?.answer || handed.dueAt !== rated.dueAt) continue
      await applyResponse(sessionKey, companyId, rated, handed.answer)
      await done(sessionKey, companyId)
    }
  }

  /** Waiting for a credential takes longer than a worker may wait. Errors show when it's due. */
  async function handAllOver() {
    let isNew = false
    await inOutboxTab(async () => {
      for (const { sessionKey, companyId, rated } of ratedWhere(people, isToSend)) {
        if (!rated.outgoing) continue
        if (rated.outgoing.needsCredential || !canHandOver()) {
          if (rated.outgoing.rating) await loadPresenting().catch(() => {})
          continue
        }
        const request = () => requestOf(sessionKey, companyId)
        if (await handOver(companyId, rated, request).catch(() => false)) isNew = true
      }
    })
    if (isNew) await registerWorker().catch(() => {})
  }
}

function thanksFor(
  { name, onServer: before, replacesOld, outgoing }: Rated,
  onServer: ServerRating,
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

/** Unless there's something newer to send. */
function arrived(now: Rated, sent: Rated, onServer: ServerRating): Rated | undefined {
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
function inConflict(now: Rated, onServer: ServerRating): Rated {
  const { outgoing } = now
  if (!outgoing) return now
  return onServer.rating && outgoing.rating
    ? { ...now, onServer, outgoing: { ...outgoing, hasConflict: true } }
    : {
        ...now,
        ...(onServer.rating && { onServer }),
        outgoing: { ...outgoing, version: versionAfter({ onServer, outgoing }) },
        dueAt: randomTimeLater(),
      }
}

function withoutOld(now: Rated, sent: Rated): Rated | undefined {
  if (now.dueAt !== sent.dueAt) return now
  const { replacesOld: _, dueAt, ...rated } = now
  return rated.onServer?.rating === null && !rated.onServer.isUnpublished ? undefined : rated
}

/**
 * We show a refusal, and do nothing automatically, because requesting a credential and proving again would reveal
 * whose the refused rating was.
 */
function fail(sessionKey: string, companyId: string, { dueAt }: Rated, error: unknown) {
  // People who left don't get a new credential.
  const needsCredential = error instanceof CredentialExpired && !storedHolder(sessionKey)?.isLeft
  const isRefused = isIssuingProblem(error) || isFinal(error)
  changeRated(sessionKey, companyId, (now) => {
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
  for (const { sessionKey, companyId, rated } of ratedWhere(people, isToSend)) {
    // The removal of an account's rating gets a full new pause, because short visits would never send it.
    if ((rated.dueAt ?? 0) < Date.now())
      postpone(sessionKey, companyId, rated.outgoing ? OVERDUE_MS : undefined)
  }
  for (const { sessionKey, companyId, rated } of ratedWhere(people, isToCheck))
    if ((rated.checkAt ?? 0) < Date.now())
      checkLater(
        sessionKey,
        companyId,
        rated.checkAt === undefined ? someRoundLater() : randomTimeLater(),
      )
}

const postpone = (sessionKey: string, companyId: string, pause?: readonly [number, number]) =>
  changeRated(sessionKey, companyId, (now) => now && { ...now, dueAt: randomTimeLater(pause) })

const checkLater = (sessionKey: string, companyId: string, checkAt: number) =>
  changeRated(sessionKey, companyId, (now) => now && { ...now, checkAt })

const ratedWhere = (people: string[], isIt: (rated: Rated) => boolean) =>
  people.flatMap((sessionKey) =>
    Object.entries(ratedBy(sessionKey))
      .filter(([, rated]) => isIt(rated))
      .map(([companyId, rated]) => ({ sessionKey, companyId, rated })),
  )

/** Hands a request to the service worker, in case the page is closed too soon. @returns whether it waits there now */
async function handOver(
  companyId: string,
  { dueAt }: Pick<Rated, 'dueAt'>,
  request: () => Promise<RatingRequest | undefined>,
) {
  if (!dueAt || (await handedOver(companyId))?.dueAt === dueAt) return false
  const made = await request()
  if (made) await keepHandedOver({ request: made, dueAt })
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
