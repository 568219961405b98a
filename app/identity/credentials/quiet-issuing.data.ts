import { RECENT_LOGIN_S } from '#app/api/auth/actor.ts'
import { renewalMonthOf } from '#app/api/credential/quarter.ts'
import { momentIn } from '#app/kit/session/quiet-companies.data.ts'
import { byThisClock } from '#app/kit/session/this-clock.ts'
import { fromBase64url } from './credential.ts'
import { type Holder, storedHolder, storeHolder, watchHolder } from './holder.data.ts'
import type { CredentialApi } from './issuing.data.ts'
import { SecretElsewhere } from './issuing-problem.data.ts'
import { checkElsewhere, markElsewhere } from './own-credential.data.ts'
import { randomTimeLater } from './rated.data.ts'

/**
 * Issues and renews this browser's credential by itself, at random times that don't depend on any company, form or
 * rating, so they don't reveal that the person rates. Light, because the curve's code loads when due. These delays
 * follow a login, a confirmed address, or a page load with an overdue renewal.
 */
const SOON_MS = [20_000, 5 * 60_000] as const
/** Waits after a failed renewal. */
const AGAIN_MS = [10 * 60_000, 60 * 60_000] as const
/** We don't start this close to the end of the recent proof. */
const SPARE_MS = 15_000
/** The longest delay that timers support. */
const LONGEST_MS = 2 ** 31 - 1

interface IssuingSettings {
  api: CredentialApi
  sessionKey: string
  token: () => Promise<string | undefined>
}

/**
 * Gets credentials for members with a confirmed address: the first while the session counts as recent, later ones
 * when due. If it fails, we silently retry on a later visit.
 * @returns a function that stops it
 */
export function startIssuing({ api, sessionKey, token }: IssuingSettings) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  /** When to try. Undefined after the attempt, and if the session is too old. */
  let firstAt: number | undefined
  let renewalFrom = randomTimeLater(SOON_MS)

  const plan = () => {
    clearTimeout(timer)
    const moment = momentFor(storedHolder(sessionKey))
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
    renewalFrom = randomTimeLater(AGAIN_MS)
    try {
      await (await import('./issuing.data.ts')).issueWhenDue(api, sessionKey)
    } catch (error) {
      // We retry on another visit.
      if (error instanceof SecretElsewhere) markElsewhere(sessionKey)
    }
    plan()
  }

  drawRenewal(sessionKey)
  const unwatch = watchHolder(sessionKey, plan)
  plan()
  if (!storedHolder(sessionKey)?.credential)
    token().then(
      (text) => {
        const authenticatedAt = authenticatedAtIn(text)
        firstAt = firstMoment(authenticatedAt)
        if (firstAt !== undefined) checkElsewhere(api, sessionKey, authenticatedAt).catch(() => {})
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

/** Gives older credentials a renewal time. */
function drawRenewal(sessionKey: string) {
  const holder = storedHolder(sessionKey)
  const { credential } = holder ?? {}
  if (!holder || !credential || credential.renewAt !== undefined) return
  const renewAt = momentIn(renewalMonthOf(credential.quarter))
  storeHolder(sessionKey, { ...holder, credential: { ...credential, renewAt } })
}

/** @param authenticatedAt in ms since 1970 */
function firstMoment(authenticatedAt: number) {
  const [from, until] = SOON_MS.map((ms) => Date.now() + ms) as [number, number]
  const end = Math.min(until, byThisClock(authenticatedAt) + RECENT_LOGIN_S * 1_000 - SPARE_MS)
  return from < end ? momentIn([from, end]) : undefined
}

/** When the person last authenticated, in ms since 1970. */
function authenticatedAtIn(token = ''): number {
  try {
    const claims = new TextDecoder().decode(fromBase64url(token.split('.')[1] ?? ''))
    const { amr = [] } = JSON.parse(claims) as { amr?: { timestamp: number }[] }
    return Math.max(0, ...amr.map(({ timestamp }) => timestamp * 1_000))
  } catch {
    return 0
  }
}
