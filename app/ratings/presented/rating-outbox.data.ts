/**
 * Sends what was given from this browser, each by itself and some time later, from whatever page is open then. What
 * cannot arrive now is tried again; what is refused stays here, with the reason. And asks, hours apart and never while a
 * rating is made or on its way, what became of what was sent.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { LEAVES, WAITS } from '#app/companies/own-rating/own-rating.ts'
import { storedHolder } from '#app/identity/credentials/holder.data.ts'
import {
  CredentialAwaited,
  isIssuingProblem,
  secretProblem,
} from '#app/identity/credentials/issuing-problem.data.ts'
import { forgetOnceLeft } from '#app/identity/credentials/leaving.data.ts'
import {
  changeRated,
  type Held,
  isToAsk,
  isToSend,
  OVERDUE_MS,
  peopleWithRatings,
  type Rated,
  ratedBy,
  someTimeLater,
  watchRated,
} from '#app/identity/credentials/rated.data.ts'
import {
  beQuietAbout,
  endQuiet,
  isQuietAboutAny,
  SENT_MS,
} from '#app/kit/session/quiet-companies.data.ts'
import { toast } from '#app/kit/ui/toast.ts'
import type { RatingContract } from '../rating.contract.ts'
import type { RatingApi } from '../rating.data.ts'
import { forgetOldRating, invalidateRatings } from '../rating-actions.data.ts'
import { handOver, registerWorker } from './hand-over.data.ts'
import { askHeld, requestOf, someRoundLater, withHeld } from './held-rating.data.ts'
import {
  alone,
  forgetHandedOver,
  type HeldAnswer,
  handedOver,
  isRefusal,
  NOTHING_HELD,
  sendHeld,
  unlessGone,
} from './held-request.data.ts'

type MemberApi = Client<RatingContract>

interface OutboxSettings {
  queryClient: QueryClient
  /** Whoever is signed in; what others gave here is sent all the same. */
  member?: { api: MemberApi; who: string }
}

const HOUR = 3_600_000
/** It takes a moment to read. */
const WAITS_MS = 8_000
/** What was given under the account goes long after the one that names nobody came. */
const OLD_MS = [HOUR, 12 * HOUR] as const
/** Of several companies that are due each is asked about by itself. */
const BETWEEN_MS = [2 * 60_000, 20 * 60_000] as const

/** @returns how it ends */
export function startOutbox({ queryClient, member }: OutboxSettings) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const people = [...new Set([...peopleWithRatings(), ...(member ? [member.who] : [])])]
  for (const { companyId, rated } of ratedWhere(people, isToSend))
    if (rated.outgoing) beQuietAbout(companyId, null)
  const plan = () => {
    clearTimeout(timer)
    const due = [
      ...ratedWhere(people, isToSend)
        .filter(({ who, rated }) => mayGo(rated, who))
        .map(({ rated }) => rated.dueAt ?? 0),
      ...ratedWhere(people, isToAsk).map(({ rated }) => rated.askAt ?? 0),
    ]
    if (due.length > 0 && !isStopped)
      timer = setTimeout(
        () => alone(doDue).finally(plan),
        // A timer holds no more than 24 days.
        Math.min(HOUR, Math.max(0, Math.min(...due) - Date.now())),
      )
    if (!isStopped) handAllOver()
  }
  const unwatch = people.map((who) => watchRated(who, plan))
  // What another tab is sending keeps its time until it arrived: with another one it would go twice.
  alone(async () => {
    await hearOfHandedOver()
    postponeOverdue(people)
  }).finally(plan)
  return () => {
    isStopped = true
    clearTimeout(timer)
    for (const stop of unwatch) stop()
  }

  /** What was given under an account, only its person takes away. */
  function mayGo(rated: Rated, who: string) {
    return rated.outgoing !== undefined || member?.who === who
  }

  async function doDue() {
    await hearOfHandedOver()
    for (const { who, companyId, rated } of ratedWhere(people, isToSend))
      if ((rated.dueAt ?? 0) <= Date.now() && mayGo(rated, who))
        await sendOne(who, companyId, rated)
    const [first, ...others] = ratedWhere(people, isToAsk).filter(
      ({ rated }) => (rated.askAt ?? 0) <= Date.now(),
    )
    if (!first) return
    for (const { who, companyId } of others) askLater(who, companyId, someTimeLater(BETWEEN_MS))
    const { who, companyId, rated } = first
    if (isQuietAboutAny() && !rated.isAwaited)
      return askLater(who, companyId, someTimeLater(BETWEEN_MS))
    await askHeld(who, companyId).catch(() =>
      askLater(who, companyId, rated.isAwaited ? someTimeLater() : someRoundLater()),
    )
  }

  async function sendOne(who: string, companyId: string, sent: Rated) {
    try {
      if (sent.outgoing) {
        const request = await requestOf(who, companyId)
        await hear(who, companyId, sent, request ? await sendHeld(request) : NOTHING_HELD)
      } else if (member?.who === who) {
        const { api } = member
        await unlessGone(
          api('DELETE /api/v1/companies/{id}/my-rating', { params: { id: companyId } }),
        )
        forgetOldRating({ api: api as RatingApi, queryClient, who }, companyId)
        changeRated(who, companyId, (now) => now && withoutOld(now, sent))
      }
    } catch (error) {
      fail(who, companyId, sent, error)
    }
    await done(who, companyId)
  }

  async function hear(
    who: string,
    companyId: string,
    sent: Rated,
    { isOther, ...held }: HeldAnswer,
  ) {
    changeRated(
      who,
      companyId,
      (now) => now && (isOther ? inConflict(now, held) : arrived(now, sent, held)),
    )
    if (isOther) return
    // Who left has heard that all of it goes.
    if (!storedHolder(who)?.isLeft) toast(thanksFor(sent, held))
    // It counts already: what everybody sees is another number, and asked for as everybody does.
    if (!held.isWaiting)
      await invalidateRatings({
        queryClient,
        company: { id: companyId, name: sent.name, path: sent.path },
      })
  }

  async function done(who: string, companyId: string) {
    const { outgoing } = ratedBy(who)[companyId] ?? {}
    if (!outgoing || outgoing.problem || outgoing.isAsked)
      endQuiet(companyId, someTimeLater(SENT_MS))
    await forgetHandedOver(companyId).catch(() => {})
    forgetOnceLeft(who)
  }

  /** While no page was open. */
  async function hearOfHandedOver() {
    for (const { who, companyId, rated } of ratedWhere(people, isToSend)) {
      // A browser that can't look has nothing that was heard.
      const handed = await handedOver(companyId).catch(() => undefined)
      if (!handed?.answer || handed.dueAt !== rated.dueAt) continue
      await hear(who, companyId, rated, handed.answer)
      await done(who, companyId)
    }
  }

  /** What waits for a credential waits for longer than a worker may. What can't be made now is said when it is due. */
  async function handAllOver() {
    let isNew = false
    await alone(async () => {
      for (const { who, companyId, rated } of ratedWhere(people, isToSend)) {
        if (!rated.outgoing || rated.outgoing.isAwaiting) continue
        const request = () => requestOf(who, companyId)
        if (await handOver(companyId, rated, request).catch(() => false)) isNew = true
      }
    })
    if (isNew) await registerWorker().catch(() => {})
  }
}

/** It is on the server. */
function thanksFor({ name, held: before, replacesOld, outgoing }: Rated, held: Held) {
  const [title, waits] = outgoing?.rating
    ? [
        before?.rating || replacesOld
          ? `Your rating of ${name} is changed`
          : `Thank you for rating ${name}`,
        WAITS,
      ]
    : [`Your rating of ${name} is taken back`, LEAVES]
  return { title, ...(held.isWaiting && { description: waits, duration: WAITS_MS }) }
}

/** What is there now stays here. Unless something else is to be sent by now. */
function arrived(now: Rated, sent: Rated, held: Held): Rated | undefined {
  if (now.dueAt !== sent.dueAt) return { ...now, held }
  const { outgoing: _, dueAt, ...rated } = now
  return withHeld(rated.replacesOld ? { ...rated, dueAt: someTimeLater(OLD_MS) } : rated, held)
}

/** Another device gave something that this one has not seen: its person says which is to stand. */
const inConflict = (now: Rated, held: Held): Rated =>
  now.outgoing ? { ...now, held, outgoing: { ...now.outgoing, isAsked: true } } : now

function withoutOld(now: Rated, sent: Rated): Rated | undefined {
  if (now.dueAt !== sent.dueAt) return now
  const { replacesOld: _, dueAt, ...rated } = now
  return rated.held?.rating === null && !rated.held.isWaiting ? undefined : rated
}

/**
 * What is refused is told, and nothing follows from it by itself: a credential that is asked for, and a proof that comes
 * again, would say whose the refused one was.
 */
function fail(who: string, companyId: string, { dueAt }: Rated, error: unknown) {
  // Of somebody who left no other one comes.
  const isAwaiting = error instanceof CredentialAwaited && !storedHolder(who)?.isLeft
  const isRefused = isIssuingProblem(error) || isRefusal(error)
  changeRated(who, companyId, (now) => {
    if (!now || now.dueAt !== dueAt) return now
    const { outgoing } = now
    if (outgoing && isRefused && !isAwaiting)
      return { ...now, outgoing: { ...outgoing, problem: secretProblem(error) } }
    return {
      ...now,
      ...(outgoing && isAwaiting && { outgoing: { ...outgoing, isAwaiting } }),
      dueAt: someTimeLater(),
    }
  })
}

function postponeOverdue(people: string[]) {
  for (const { who, companyId, rated } of ratedWhere(people, isToSend)) {
    // One of the account that is due is an hour late already: again so long, and short visits never did it.
    if ((rated.dueAt ?? 0) < Date.now())
      postpone(who, companyId, rated.outgoing ? OVERDUE_MS : undefined)
  }
  for (const { who, companyId, rated } of ratedWhere(people, isToAsk))
    if ((rated.askAt ?? 0) < Date.now())
      askLater(who, companyId, rated.askAt === undefined ? someRoundLater() : someTimeLater())
}

const postpone = (who: string, companyId: string, pause?: readonly [number, number]) =>
  changeRated(who, companyId, (now) => now && { ...now, dueAt: someTimeLater(pause) })

const askLater = (who: string, companyId: string, askAt: number) =>
  changeRated(who, companyId, (now) => now && { ...now, askAt })

const ratedWhere = (people: string[], isIt: (rated: Rated) => boolean) =>
  people.flatMap((who) =>
    Object.entries(ratedBy(who))
      .filter(([, rated]) => isIt(rated))
      .map(([companyId, rated]) => ({ who, companyId, rated })),
  )
