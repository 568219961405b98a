/**
 * Sends what was given from this browser, each by itself and some time later, from whatever page is open then. What
 * cannot arrive now is tried again; what is refused stays here, with the reason.
 */
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, type Client } from '../../../api/client.ts'
import type { MY_KEY } from '../../../session/live-session.data.ts'
import { keptHolder } from '../../credentials/holder.data.ts'
import {
  CredentialAwaited,
  isIssuingProblem,
  secretProblem,
} from '../../credentials/issuing-problem.data.ts'
import { forgetOnceLeft } from '../../credentials/leaving.data.ts'
import {
  changeRated,
  isToSend,
  OVERDUE_MS,
  type Rated,
  ratedBy,
  someTimeLater,
  watchRated,
  whoSends,
} from '../../credentials/rated.data.ts'
import type { RatingContract } from '../rating.contract.ts'
import { askAgain } from '../rating-actions.data.ts'
import { sendHeld, unlessGone } from './held-rating.data.ts'

type MemberApi = Client<RatingContract>

interface OutboxSettings {
  queryClient: QueryClient
  /** Whoever is signed in; what others gave here is sent all the same. */
  member?: { api: MemberApi; who: string }
}

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'

/** @returns how it ends */
export function startOutbox({ queryClient, member }: OutboxSettings) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const people = [...new Set([...whoSends(), ...(member ? [member.who] : [])])]
  for (const { who, companyId, rated } of toSend(people))
    if ((rated.dueAt ?? 0) < Date.now()) postpone(who, companyId, OVERDUE_MS)
  const plan = () => {
    clearTimeout(timer)
    const due = toSend(people)
      .filter(({ who, rated }) => mayGo(rated, who))
      .map(({ rated }) => rated.dueAt ?? 0)
    if (due.length > 0 && !isStopped)
      timer = setTimeout(
        () => alone(sendDue).finally(plan),
        Math.max(0, Math.min(...due) - Date.now()),
      )
  }
  const unwatch = people.map((who) => watchRated(who, plan))
  plan()
  return () => {
    isStopped = true
    clearTimeout(timer)
    for (const stop of unwatch) stop()
  }

  /** What was given under an account, only its person takes away. */
  function mayGo(rated: Rated, who: string) {
    return rated.outgoing !== undefined || member?.who === who
  }

  async function sendDue() {
    for (const { who, companyId, rated } of toSend(people))
      if ((rated.dueAt ?? 0) <= Date.now() && mayGo(rated, who))
        await sendOne(who, companyId, rated)
  }

  async function sendOne(who: string, companyId: string, sent: Rated) {
    const api = member?.who === who ? member.api : undefined
    const company = { id: companyId, name: sent.name, path: sent.path }
    try {
      if (sent.outgoing) await sendHeld(who, company)
      else
        await unlessGone(
          api?.('DELETE /api/v1/companies/{id}/my-rating', { params: { id: companyId } }),
        )
      changeRated(who, companyId, (now) => {
        if (!now || now.dueAt !== sent.dueAt) return now
        const { outgoing, dueAt, replacesOld, ...rated } = now
        if (outgoing && replacesOld) return { ...rated, replacesOld, dueAt: someTimeLater() }
        return outgoing?.rating === null ? undefined : rated
      })
      await askAgain({ queryClient, company })
      await queryClient.invalidateQueries({ queryKey: [MINE] })
    } catch (error) {
      fail(who, companyId, sent, error)
    }
    forgetOnceLeft(who)
  }
}

/**
 * What is refused is told, and nothing follows from it by itself: a credential that is asked for, and a proof that comes
 * again, would say whose the refused one was.
 */
function fail(who: string, companyId: string, { dueAt }: Rated, error: unknown) {
  // Of somebody who left no other one comes.
  const isAwaiting = error instanceof CredentialAwaited && !keptHolder(who)?.isLeft
  const isRefused =
    isIssuingProblem(error) ||
    (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)
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

const postpone = (who: string, companyId: string, pause: readonly [number, number]) =>
  changeRated(who, companyId, (now) => now && { ...now, dueAt: someTimeLater(pause) })

const toSend = (people: string[]) =>
  people.flatMap((who) =>
    Object.entries(ratedBy(who))
      .filter(([, rated]) => isToSend(rated))
      .map(([companyId, rated]) => ({ who, companyId, rated })),
  )

/** One tab sends; the next one finds nothing left. */
const alone = (work: () => Promise<void>): Promise<void> =>
  globalThis.navigator?.locks ? navigator.locks.request('kettle-rating-outbox', work) : work()
