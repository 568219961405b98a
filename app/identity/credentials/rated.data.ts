/**
 * What a person rated from this browser: what is not sent yet, and what was, so that nobody needs to be asked for it. It
 * is sent by itself, some time later, by rating-outbox.data.ts: nobody shall tell by the moment which request belongs to
 * whom. Light.
 */
import { beQuietAbout, randomTime } from '#app/kit/session/quiet-companies.data.ts'
import { storedValues, useStored } from '#app/kit/ui/stored-value.ts'
import { type Held, type Outgoing, OVER_MAX, type Rated, type RatedCompanies } from './rated.ts'

export type * from './rated.ts'

const PREFIX = 'kettle-rated:'
const storeOf = storedValues(PREFIX, ratedIn)

/** What the account told of ratings is kept under it, by `myRatingsQuery`. */
export const MY_RATINGS_PREFIX = 'kettle-my-ratings:'

export function forgetMyRatings(who: string) {
  try {
    localStorage.removeItem(MY_RATINGS_PREFIX + who)
    localStorage.removeItem(SHARED_PREFIX + who)
  } catch {
    // Nothing was kept.
  }
}

const SHARED_PREFIX = 'kettle-shared:'
/** The secret is on another device, too: there may be ratings that this browser knows nothing of. */
const sharedBy = storedValues(SHARED_PREFIX, (stored) => stored === 'true')
export const noteShared = (who: string) => sharedBy(who).change(() => true)
export const isShared = (who: string) => sharedBy(who).current()

function ratedIn(stored: string | null): RatedCompanies {
  try {
    const read = JSON.parse(stored ?? '{}')
    return Object.fromEntries(
      Object.entries(read as RatedCompanies)
        .filter(([, it]) => typeof it?.name === 'string' && Array.isArray(it.formerIds))
        .map(([id, { held, ...it }]) => [id, isHeld(held) ? { ...it, held } : it]),
    )
  } catch {
    return {}
  }
}

const isHeld = (held: Partial<Held> | undefined) =>
  typeof held?.isWaiting === 'boolean' &&
  (held.rating === null || typeof held.rating?.note === 'string')

/** @param who as `useSessionKey` tells people apart */
export const ratedBy = (who: string): RatedCompanies => storeOf(who).current()
/** Draws anew when it changes, in another tab too. */
export const useRated = (who: string): RatedCompanies => useStored(storeOf(who))
export const watchRated = (who: string, watcher: () => void) => storeOf(who).watch(watcher)

export const changeRated = (
  who: string,
  companyId: string,
  change: (rated: Rated | undefined) => Rated | undefined,
) =>
  storeOf(who).change(({ [companyId]: rated, ...others }) => {
    const changed = change(rated)
    return changed ? { ...others, [companyId]: changed } : others
  })

/** Everybody of whom this browser has something to send, or to ask about some time. */
export function whoSends(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length))
      .filter((who) => Object.values(ratedBy(who)).some((it) => isToSend(it) || isToAsk(it)))
  } catch {
    return []
  }
}

export const isToSend = ({ outgoing, replacesOld }: Rated) =>
  outgoing ? !outgoing.problem && !outgoing.isAsked : replacesOld === true

/** It has changed since it was asked about, or may have. */
export const isToAsk = ({ outgoing, held, askAt }: Rated) =>
  !outgoing && (askAt !== undefined || held === undefined)

/** Between a quarter of a minute and two: nobody waits for it. */
const PAUSE_MS = [15_000, 120_000] as const
/** What was due while the site was not open: whoever looks in for a moment sends it, too. */
export const OVERDUE_MS = [2_000, 15_000] as const

/**
 * After the credential that it waited for: so soon that it arrives on the same visit, and so late that it is one of
 * many others. What the page is closed over goes when the next one opens.
 */
const AFTER_ISSUING_MS = [5 * 60_000, 60 * 60_000] as const

/** When it is sent, in milliseconds since 1970. */
export const someTimeLater = (range: readonly [number, number] = PAUSE_MS) => randomTime(range)

/** Takes the place of whatever about this company was to be sent, and of its former companies. */
export function sendLater(
  who: string,
  company: { id: string; name: string; path: string },
  {
    rating,
    badge,
    formerIds,
    replacesOld,
    base,
  }: Pick<Rated, 'formerIds' | 'replacesOld' | 'base'> & Pick<Outgoing, 'rating' | 'badge'>,
) {
  beQuietAbout(company.id, null)
  const former = ratedOf(ratedBy(who), [company.id, ...formerIds])
  for (const id of formerIds) changeRated(who, id, () => undefined)
  changeRated(who, company.id, (before = former) => {
    const { held, base: known = base, replacesOld: wasOld } = before ?? {}
    return {
      name: company.name,
      path: company.path,
      formerIds,
      ...((replacesOld || wasOld) && { replacesOld: true as const }),
      outgoing: {
        rating,
        ...(badge && { badge }),
        over: knownOf(before),
      },
      dueAt: someTimeLater(),
      ...(held && { held }),
      ...(known && { base: known }),
    }
  })
}

/** What its person has seen of what they gave: what the site has, and what was sent over it and may have arrived. */
const knownOf = ({ held, outgoing }: Pick<Rated, 'held' | 'outgoing'> = {}) =>
  [...(outgoing?.over ?? []), outgoing?.rating, held?.rating]
    .filter((it) => it != null)
    .slice(-OVER_MAX)

/** What was refused, or waited for its person's word, is sent once more when they say so. */
export const sendAgain = (who: string, companyId: string) =>
  changeRated(who, companyId, (refused) => {
    if (!refused?.outgoing) return refused
    beQuietAbout(companyId, null)
    const { rating, badge } = refused.outgoing
    const outgoing = { rating, ...(badge && { badge }), over: knownOf(refused) }
    return { ...refused, outgoing, dueAt: someTimeLater() }
  })

/** What waited for a credential goes some time after it came, or the two would be known to be one person's. */
export function sendAwaiting(who: string) {
  for (const [companyId, { outgoing }] of Object.entries(ratedBy(who)))
    if (outgoing?.isAwaiting)
      changeRated(who, companyId, (it) => it && { ...it, dueAt: someTimeLater(AFTER_ISSUING_MS) })
}

/** Of a company and those that became part of it. */
export const ratedOf = (rated: RatedCompanies, companyIds: string[]): Rated | undefined =>
  companyIds.map((id) => rated[id]).find(Boolean)
