/** One's own rating where ratings name nobody: this browser finds it by a key, gives it and takes it back. */
import { ApiError, apartTransport, type Client, createClient } from '../../../api/client.ts'
import type { RatingBadge } from '../../badges/badge.contract.ts'
import { holderKeys } from '../../credentials/holder-keys.data.ts'
import type { CredentialApi } from '../../credentials/issuing.data.ts'
import { changeRated, type Outgoing, ratedBy, sendLater } from '../../credentials/rated.data.ts'
import type { MyRatings, RatedCompany } from '../my-rating.data.ts'
import type { MyRating, RatingContract } from '../rating.contract.ts'
import { draftOf, type RatingInput } from '../rating-input.ts'
import type { PresentedContract } from './presented.contract.ts'

const apart = createClient<PresentedContract>(apartTransport)

type Whose = { company: RatedCompany; who: string }

/** What the server tells under the account, with what only this browser can find. */
export async function withHeldRating(told: MyRatings, whose: Whose): Promise<MyRatings> {
  const { outgoing } = ratedBy(whose.who)[whose.company.id] ?? {}
  if (outgoing) return { ...told, rating: goingOut(outgoing) }
  const held = await askHeldRating(told.formerIds, whose)
  return held ? { ...told, rating: held } : { ...told, isOfAccount: told.rating !== null }
}

async function askHeldRating(formerIds: string[], { company, who }: Whose) {
  const keys = holderKeys(who, [company.id, ...formerIds])
  if (!keys) return
  const { rating } = await apart('POST /api/v1/companies/{id}/held-rating', {
    params: { id: company.id },
    body: { keys },
  })
  const { name, path } = company
  // Also of one that another device gave: from now on this one knows of it.
  if (rating && !ratedBy(who)[company.id])
    changeRated(who, company.id, () => ({ name, path, formerIds }))
  return rating
}

/** What this browser knows its person gave, sent or not. Asked for one company at a time. @throws ApiError */
export async function heldRatings(who: string): Promise<object[]> {
  const ratings: object[] = []
  const rated = Object.entries(ratedBy(who)).sort(([, a], [, b]) => a.name.localeCompare(b.name))
  for (const [id, { name, path, formerIds, outgoing }] of rated) {
    const rating = outgoing
      ? goingOut(outgoing)
      : await askHeldRating(formerIds, { company: { id, name, path }, who })
    if (rating) ratings.push({ company: name, companyId: id, ...rating, isSent: !outgoing })
  }
  return ratings
}

/** Null where it is taken back. */
const goingOut = ({ rating, badge }: Outgoing) => rating && unsent(draftOf(rating), badge)

/** As it will stand there. */
const unsent = (rating: RatingInput, badge: Outgoing['badge']): MyRating => ({
  ...rating,
  // Whether it shows, is known once it is there.
  badge: badge ? { ...badge, isShown: false } : null,
  id: '',
  month: new Date().toISOString().slice(0, 7),
  noteState: 'shown',
})

/**
 * The credential is there at once, so that whoever cannot have one hears of it; the rating follows by itself.
 * @throws SecretElsewhere, ForeignIssuer, KeepsNothing, ApiError
 */
export async function giveRating(
  { api, company, who }: Whose & { api: Client<RatingContract> },
  before: MyRatings | undefined,
  { rating, badge }: { rating: RatingInput; badge?: RatingBadge | undefined },
): Promise<Pick<MyRatings, 'rating' | 'isOfAccount'>> {
  const { credentialOf } = await import('../../credentials/issuing.data.ts')
  await credentialOf(api as unknown as CredentialApi, who)
  sendLater(who, company, {
    rating,
    ...(badge && { badge }),
    formerIds: before?.formerIds ?? [],
    ...(before?.isOfAccount && { replacesOld: true }),
  })
  return { rating: unsent(rating, badge), isOfAccount: false }
}

export const takeBackRating = ({ company, who }: Whose, before: MyRatings | undefined) =>
  sendLater(who, company, { rating: null, formerIds: before?.formerIds ?? [] })

/** What this browser has to send about one company. Heavy with the curve. @throws ApiError */
export async function sendHeld(who: string, company: RatedCompany) {
  const { outgoing, formerIds } = ratedBy(who)[company.id] ?? {}
  if (!outgoing || !formerIds) return
  if (outgoing.rating) {
    const { presentedBody } = await import('./presenting.data.ts')
    const body = presentedBody(who, company.id, {
      rating: draftOf(outgoing.rating),
      badge: outgoing.badge,
      formerIds,
    })
    await apart('PUT /api/v1/companies/{id}/presented-rating', { params: { id: company.id }, body })
    return
  }
  const keys = holderKeys(who, [company.id, ...formerIds])
  if (!keys) return
  await unlessGone(
    apart('POST /api/v1/companies/{id}/held-rating/remove', {
      params: { id: company.id },
      body: { keys },
    }),
  )
}

/** What never arrived, or is gone, needs no taking back. */
export async function unlessGone(removal: Promise<unknown> | undefined) {
  try {
    await removal
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}
