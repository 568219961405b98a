import { useEffect, useState } from 'react'
import { type DraftKey, useDraft } from '#app/kit/writing/draft.data.ts'
import type { MyRatings, RatedCompany } from '../rating.data.ts'
import { isSameRating, type RatingInput, ratingDraftOf } from '../rating-input.ts'

/**
 * What a person writes, stored in this browser. The saved rating may change meanwhile, on another device or in another
 * tab. An untouched form shows the change. Otherwise, the person chooses (`isContested`).
 */
export function useRatingDraft(company: RatedCompany, { rating: stored, undecided }: MyRatings) {
  const [rating, setRating] = useState(() => ratingDraftOf(undecided ?? stored))
  /** The saved rating, as far as this person has seen it. */
  const [seen, setSeen] = useState(() => ratingDraftOf(undecided ? null : stored))
  const isBlank = isSameRating(rating, ratingDraftOf(stored))
  const draft = useDraft<KeptRating>({
    draftKey: draftKeyOf(company),
    content: keptOf(company, rating, seen),
    isBlank,
    onRestore: (found) => {
      setRating(ratingDraftOf(found.rating))
      setSeen(ratingDraftOf(found.seen))
    },
    onSentElsewhere: (isKept) => {
      if (isKept) return keptOf(company, rating, seen)
      setSeen(rating)
      return keptOf(company, rating, rating)
    },
  })
  const saved = stored && ratingDraftOf(stored)
  const isUnseen = saved !== null && !isSameRating(saved, seen) && !isSameRating(saved, rating)
  const isUntouched = isSameRating(rating, seen)
  useEffect(() => {
    if (!saved || !isUnseen || !isUntouched) return
    setRating(saved)
    setSeen(saved)
  }, [saved, isUnseen, isUntouched])
  return {
    rating,
    change: (part: Partial<RatingInput>) => setRating((now) => ({ ...now, ...part })),
    saved,
    isBlank,
    isContested: isUnseen && !isUntouched,
    /** The person knows that this replaces the saved rating. */
    replaceSaved: () => setSeen(ratingDraftOf(saved)),
    startOver() {
      const next = ratingDraftOf(stored)
      draft.clear(keptOf(company, next, next))
      setRating(next)
      setSeen(next)
    },
    draft,
    sent: () => draft.sent(keptOf(company, rating, rating), `${company.path}?tab=ratings`),
  }
}

/** Title and body are for the list of drafts. */
interface KeptRating {
  title: string
  body: string
  rating: RatingInput
  /** The saved rating from when the draft was started. Older drafts don't have it. */
  seen?: RatingInput
}

const keptOf = (
  { name }: { name: string },
  rating: RatingInput,
  seen: RatingInput,
): KeptRating => ({ title: `Your rating of ${name}`, body: rating.note, rating, seen })

const draftKeyOf = ({ id, path }: { id: string; path: string }): DraftKey => ({
  kind: 'rating',
  key: id,
  path: `${path}?tab=ratings&rate=yes`,
})
