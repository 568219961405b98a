import { forgetQuiet } from '#app/kit/session/quiet-companies.data.ts'
import { forgetHolder, storedHolder, storeHolder } from './holder.data.ts'
import {
  changeSubmission,
  forgetMyRatings,
  isGiven,
  isToSend,
  OVERDUE_MS,
  randomTimeLater,
  submissionsBy,
} from './rated.data.ts'
import type { Submission } from './rated.ts'

/**
 * Ratings and other submissions that can still be removed from here. Only the secret finds them, so it stays in the
 * browser until they're sent, even after the account is deleted.
 * @param sessionKey as from `useSessionKey`
 */
export function ratingsHere(sessionKey: string): number {
  const holder = storedHolder(sessionKey)
  if (!holder || holder.isRefused) return 0
  return Object.values(submissionsBy(sessionKey)).filter(isGiven).length
}

/** Prepares what we send last: unsent ratings, or the removal of all of them. */
export function leaveRatings(sessionKey: string, posts: 'keep' | 'remove') {
  const canRemove = ratingsHere(sessionKey) > 0
  const lastOf = ({ replacesOld: _, ...rated }: Submission): Submission | undefined => {
    if (posts === 'remove')
      return canRemove && !rated.mayExistElsewhere
        ? { ...rated, outgoing: { rating: null }, dueAt: randomTimeLater(OVERDUE_MS) }
        : undefined
    return isToSend(rated) ? rated : undefined
  }
  forgetMyRatings(sessionKey)
  for (const companyId of Object.keys(submissionsBy(sessionKey)))
    changeSubmission(sessionKey, companyId, (rated) => rated && lastOf(rated))
  const holder = storedHolder(sessionKey)
  if (holder) storeHolder(sessionKey, { ...holder, isLeft: true })
  forgetAfterLeaving(sessionKey)
}

/** Once everything is sent, removes everything about the person who left from this browser. */
export function forgetAfterLeaving(sessionKey: string) {
  const rated = submissionsBy(sessionKey)
  if (!storedHolder(sessionKey)?.isLeft || Object.values(rated).some(isToSend)) return
  for (const companyId of Object.keys(rated))
    changeSubmission(sessionKey, companyId, () => undefined)
  forgetQuiet()
  forgetHolder(sessionKey)
}
