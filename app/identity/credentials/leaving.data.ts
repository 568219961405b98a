/**
 * What becomes of a person's secret and ratings in this browser once the account is gone: only the secret finds the
 * ratings, so it stays until they are away. Light: nothing is sent here.
 */
import { forgetQuiet } from '#app/kit/session/quiet-companies.data.ts'
import { forgetHolder, keepHolder, keptHolder } from './holder.data.ts'
import {
  changeRated,
  forgetMyRatings,
  isToSend,
  OVERDUE_MS,
  type Rated,
  ratedBy,
  someTimeLater,
} from './rated.data.ts'

/** Ratings that can be taken away from here. @param who as `useSessionKey` tells people apart */
export function ratingsHere(who: string): number {
  const holder = keptHolder(who)
  if (!holder || holder.isRefused) return 0
  return Object.values(ratedBy(who)).filter(isGiven).length
}

const isGiven = ({ outgoing, held, isSought }: Rated) =>
  outgoing ? outgoing.rating !== null : held?.rating !== null && !isSought

/** What goes at the very end: what was given and not sent yet, or the removal of all of it. */
export function leaveRatings(who: string, posts: 'keep' | 'remove') {
  const canRemove = ratingsHere(who) > 0
  const lastOf = ({ replacesOld: _, ...rated }: Rated): Rated | undefined => {
    if (posts === 'remove')
      return canRemove && !rated.isSought
        ? { ...rated, outgoing: { rating: null }, dueAt: someTimeLater(OVERDUE_MS) }
        : undefined
    return isToSend(rated) ? rated : undefined
  }
  forgetMyRatings(who)
  for (const companyId of Object.keys(ratedBy(who)))
    changeRated(who, companyId, (rated) => rated && lastOf(rated))
  const holder = keptHolder(who)
  if (holder) keepHolder(who, { ...holder, isLeft: true })
  forgetOnceLeft(who)
}

/** Nothing of somebody who left stays in this browser once all of it was sent. */
export function forgetOnceLeft(who: string) {
  const rated = ratedBy(who)
  if (!keptHolder(who)?.isLeft || Object.values(rated).some(isToSend)) return
  for (const companyId of Object.keys(rated)) changeRated(who, companyId, () => undefined)
  forgetQuiet()
  forgetHolder(who)
}
