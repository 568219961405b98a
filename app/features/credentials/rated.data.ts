/**
 * Which companies a person rated from this browser, and what of it is not sent yet. It is sent by itself, some time
 * later, by rating-outbox.data.ts: nobody shall tell by the moment which request belongs to whom. Light.
 */
import { storedValues, useStored } from '../../ui/stored-value.ts'

export interface Stars {
  rto: number | null
  dei: number | null
  workLife: number | null
  culture: number | null
}

/** What is to be sent; later words about the same company take its place. */
export interface Outgoing {
  /** Null where a rating is taken back. */
  rating: (Stars & Record<string, unknown>) | null
  /** It is sent with this badge. */
  badge?: { domain: string }
  /** It waits, or has waited, for another credential: see quiet-issuing.data.ts. */
  isAwaiting?: true
  /** Why it is not sent any more, in a sentence. */
  problem?: string
}

export interface Rated {
  name: string
  path: string
  /** Companies that became part of it. */
  formerIds: string[]
  outgoing?: Outgoing
  /** What was given under the account goes when the one that names nobody is there. */
  replacesOld?: true
  /** When the next of these is sent, in milliseconds since 1970. */
  dueAt?: number
}

/** By company. */
export type RatedCompanies = Record<string, Rated>

const PREFIX = 'kettle-rated:'
const storeOf = storedValues(PREFIX, ratedIn)

function ratedIn(stored: string | null): RatedCompanies {
  try {
    const read = JSON.parse(stored ?? '{}')
    return Object.fromEntries(
      Object.entries(read as RatedCompanies).filter(
        ([, it]) => typeof it?.name === 'string' && Array.isArray(it.formerIds),
      ),
    )
  } catch {
    return {}
  }
}

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

/** Everybody of whom this browser has something to send. */
export function whoSends(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length))
      .filter((who) => Object.values(ratedBy(who)).some(isToSend))
  } catch {
    return []
  }
}

export const isToSend = ({ outgoing, replacesOld }: Rated) =>
  outgoing ? !outgoing.problem : replacesOld === true

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
export function someTimeLater([least, most]: readonly [number, number] = PAUSE_MS) {
  const now = Date.now()
  return momentIn([now + least, now + most])
}

/** By chance that nobody foresees. Milliseconds since 1970. */
export function momentIn([from, until]: readonly [number, number]) {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return from + Math.floor((drawn / 2 ** 32) * (until - from))
}

/** Takes the place of whatever about this company was to be sent. */
export const sendLater = (
  who: string,
  company: { id: string; name: string; path: string },
  {
    rating,
    badge,
    formerIds,
    replacesOld,
  }: Pick<Rated, 'formerIds' | 'replacesOld'> & Pick<Outgoing, 'rating' | 'badge'>,
) =>
  changeRated(who, company.id, (before) => ({
    name: company.name,
    path: company.path,
    formerIds,
    ...((replacesOld || before?.replacesOld) && { replacesOld: true }),
    outgoing: { rating, ...(badge && { badge }) },
    dueAt: someTimeLater(),
  }))

/** What was refused is sent once more, when its person says so. */
export const sendAgain = (who: string, companyId: string) =>
  changeRated(who, companyId, (refused) => {
    if (!refused?.outgoing) return refused
    const { problem: _, ...outgoing } = refused.outgoing
    return { ...refused, outgoing, dueAt: someTimeLater() }
  })

/** What waited for a credential goes some time after it came, or the two would be known to be one person's. */
export function sendAwaiting(who: string) {
  for (const [companyId, { outgoing }] of Object.entries(ratedBy(who)))
    if (outgoing?.isAwaiting)
      changeRated(who, companyId, (it) => it && { ...it, dueAt: someTimeLater(AFTER_ISSUING_MS) })
}
