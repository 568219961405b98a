/**
 * Has this browser's credential issued and renewed by itself, at times of chance that no company, form or rating decides:
 * so that neither says that its person rates. Light: the curve's code comes when it is time.
 */
import { RECENT_PROOF_S } from '#app/api/auth/actor.ts'
import { renewalMonthOf } from '#app/api/credential/quarter.ts'
import { momentIn } from '#app/kit/session/quiet-companies.data.ts'
import { byThisClock } from '#app/kit/session/this-clock.ts'
import { fromBase64url } from './base64url.ts'
import { type Holder, keepHolder, keptHolder, watchHolder } from './holder.data.ts'
import type { CredentialApi } from './issuing.data.ts'
import { someTimeLater } from './rated.data.ts'

/** After somebody signed in or confirmed the address; and after the page opens, where a renewal is overdue. */
const SOON_MS = [20_000, 5 * 60_000] as const
/** After a renewal that did not come off. */
const AGAIN_MS = [10 * 60_000, 60 * 60_000] as const
/** So long before the proof of who it is grows too old, nothing is begun. */
const SPARE_MS = 15_000
/** Timers know no longer time. */
const LONGEST_MS = 2 ** 31 - 1

interface IssuingSettings {
  /** Never asks its person for anything: what wants more than a recent session is left to the next time. */
  api: CredentialApi
  who: string
  token: () => Promise<string | undefined>
}

/**
 * For a member whose address is confirmed. The first credential is asked for while the server takes the session for a
 * recent one, the next one at its own time; what fails is tried on another visit, and nobody hears of it.
 * @returns how it ends
 */
export function startIssuing({ api, who, token }: IssuingSettings) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  /** Undefined once it was tried, and where the session is too old. */
  let firstAt: number | undefined
  let renewalFrom = someTimeLater(SOON_MS)

  const plan = () => {
    clearTimeout(timer)
    const moment = momentFor(keptHolder(who))
    if (moment === undefined || isOver) return
    const wait = Math.max(0, moment - Date.now())
    timer = wait > LONGEST_MS ? setTimeout(plan, LONGEST_MS) : setTimeout(issue, wait)
  }
  function momentFor(holder: Holder | null) {
    if (holder?.isRefused || holder?.isLeft) return
    const { renewAt } = holder?.credential ?? {}
    return renewAt === undefined ? firstAt : Math.max(renewAt, renewalFrom)
  }
  async function issue() {
    firstAt = undefined
    renewalFrom = someTimeLater(AGAIN_MS)
    try {
      await (await import('./issuing.data.ts')).issueWhenDue(api, who)
    } catch {
      // Another visit will do.
    }
    plan()
  }

  drawRenewal(who)
  const unwatch = watchHolder(who, plan)
  plan()
  if (!keptHolder(who)?.credential)
    token().then(
      (text) => {
        firstAt = firstMoment(provedAtIn(text))
        plan()
      },
      () => {},
    )
  return () => {
    isOver = true
    clearTimeout(timer)
    unwatch()
  }
}

/** Credentials from before renewals had a time of their own get one. */
function drawRenewal(who: string) {
  const holder = keptHolder(who)
  const { credential } = holder ?? {}
  if (!holder || !credential || credential.renewAt !== undefined) return
  const renewAt = momentIn(renewalMonthOf(credential.quarter))
  keepHolder(who, { ...holder, credential: { ...credential, renewAt } })
}

/** @param provedAt in milliseconds since 1970 */
function firstMoment(provedAt: number) {
  const [from, until] = SOON_MS.map((ms) => Date.now() + ms) as [number, number]
  const end = Math.min(until, byThisClock(provedAt) + RECENT_PROOF_S * 1_000 - SPARE_MS)
  return from < end ? momentIn([from, end]) : undefined
}

/** When its person last proved who they are, as the server reads it. In milliseconds since 1970. */
function provedAtIn(token = ''): number {
  try {
    const claims = new TextDecoder().decode(fromBase64url(token.split('.')[1] ?? ''))
    const { amr = [] } = JSON.parse(claims) as { amr?: { timestamp: number }[] }
    return Math.max(0, ...amr.map(({ timestamp }) => timestamp * 1_000))
  } catch {
    return 0
  }
}
