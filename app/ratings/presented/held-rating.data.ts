/** One's own rating where ratings name nobody: this browser gives it, takes it back, and asks by a key what became of it. */
import type { Client } from '#app/api/client.ts'
import { askHeldNote } from '#app/community/reports/report.data.ts'
import type { RatingBadge } from '#app/companies/badges/badge.contract.ts'
import { holderKeys } from '#app/identity/credentials/holder-keys.data.ts'
import type { CredentialApi } from '#app/identity/credentials/issuing.data.ts'
import {
  changeRated,
  type Held,
  type PublicNumbers,
  type Rated,
  ratedBy,
  sendLater,
  someTimeLater,
} from '#app/identity/credentials/rated.data.ts'
import { type MyRatings, type RatedCompany, unsent } from '../my-rating.data.ts'
import type { RatingContract } from '../rating.contract.ts'
import { draftOf, type RatingInput } from '../rating-input.ts'
import { apart, GIVING, type HeldRequest, NOTHING_HELD, REMOVAL } from './held-request.data.ts'

type Whose = { company: RatedCompany; who: string }

/** What this browser knows its person gave, sent or not: nobody is asked, for that would tie them together. */
export function heldRatings(who: string): object[] {
  return Object.entries(ratedBy(who))
    .sort(([, a], [, b]) => a.name.localeCompare(b.name))
    .flatMap(([companyId, { name, outgoing, held, isSought }]) => {
      const rating = outgoing ? unsent(outgoing, held) : held?.rating
      const isGiven = outgoing ? outgoing.rating !== null : held?.rating !== null && !isSought
      return isGiven ? [{ company: name, companyId, ...rating, isSent: !outgoing }] : []
    })
}

/**
 * The credential is there at once, so that whoever cannot have one hears of it; the rating follows by itself.
 * @param base what is public of the company, while one's own waits
 * @throws SecretElsewhere, ForeignIssuer, KeepsNothing, ApiError
 */
export async function giveRating(
  { api, company, who }: Whose & { api: Client<RatingContract> },
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
  await credentialOf(api as unknown as CredentialApi, who)
  sendLater(who, company, {
    rating,
    ...(badge && { badge }),
    formerIds,
    ...(before?.isOfAccount && { replacesOld: true }),
    ...(base && { base }),
  })
}

export const takeBackRating = ({ company, who }: Whose, { formerIds }: { formerIds: string[] }) =>
  sendLater(who, company, { rating: null, formerIds })

/** What this browser has to send about one company; undefined where nothing is. Heavy with the curve. @throws what `presentedBody` throws */
export async function requestOf(who: string, companyId: string): Promise<HeldRequest | undefined> {
  const { outgoing, formerIds } = ratedBy(who)[companyId] ?? {}
  if (!outgoing || !formerIds) return undefined
  if (outgoing.rating) {
    const { presentedBody } = await import('./presenting.data.ts')
    const body = presentedBody(who, companyId, {
      rating: draftOf(outgoing.rating),
      badge: outgoing.badge,
      over: (outgoing.over ?? []).map(draftOf),
      formerIds,
    })
    return { endpoint: GIVING, params: { id: companyId }, body }
  }
  const keys = holderKeys(who, [companyId, ...formerIds])
  return keys && { endpoint: REMOVAL, params: { id: companyId }, body: { keys } }
}

/** What another device gave stays; what was typed here goes. */
export const keepHeld = (who: string, companyId: string) =>
  changeRated(who, companyId, (now) => {
    if (!now?.outgoing || !now.held) return now
    const { outgoing: _, dueAt, ...rated } = now
    return withHeld(rated, now.held)
  })

/** So often what waits, or has a note, is asked about: hours apart, at random. */
const ROUND_MS = [8 * 3_600_000, 30 * 3_600_000] as const
export const someRoundLater = () => someTimeLater(ROUND_MS)

/** What stays in this browser of what the site said; undefined where nothing is there any more. */
export function withHeld({ askAt: _, isSought, isAwaited, base, ...rated }: Rated, held: Held) {
  const { rating, isWaiting } = held
  if (!rating && !isWaiting && !rated.replacesOld) return undefined
  const badge = rating?.badge as { isShown: boolean } | null | undefined
  const mayChange = isWaiting || rating?.note || badge?.isShown === false
  return {
    ...rated,
    held,
    ...(isWaiting && base && { base }),
    ...(mayChange && { askAt: someRoundLater() }),
  } satisfies Rated
}

/**
 * Asks what became of one company's: whether it is public, what moderators did to its note, what another device gave.
 * What is asked by a key follows from nothing that anybody does; see `startOutbox`. @throws ApiError
 */
export async function askHeld(who: string, companyId: string) {
  const { formerIds = [] } = ratedBy(who)[companyId] ?? {}
  const keys = holderKeys(who, [companyId, ...formerIds])
  if (!keys) return changeRated(who, companyId, (now) => now && withHeld(now, NOTHING_HELD))
  const held: Held = await apart('POST /api/v1/companies/{id}/held-rating', {
    params: { id: companyId },
    body: { keys },
  })
  const { rating } = held
  const post =
    rating && rating.noteState !== 'shown' ? await askHeldNote(rating.id as string, keys) : null
  changeRated(who, companyId, (now) => {
    if (!now || now.outgoing) return now
    // Numbers may have moved without it: what is public then is taken from the page that shows it next.
    const { base: _, ...rated } = now
    return withHeld(rated, post ? { ...held, post } : held)
  })
}

/**
 * A Ratings tab was looked at: another device may have rated this company.
 * @param isAwaited its form is open and waits: the secret was brought here from it
 */
export function seekRating({ company, who }: Whose, formerIds: string[], isAwaited = false) {
  const { name, path } = company
  if (!holderKeys(who, [company.id])) return
  changeRated(who, company.id, (now) => {
    const isKnown = now && !now.isSought
    if (isKnown || (now && !isAwaited)) return now
    const askAt = someTimeLater()
    return { name, path, formerIds, isSought: true, ...(isAwaited && { isAwaited }), askAt }
  })
}
