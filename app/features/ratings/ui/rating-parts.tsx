/** Parts of a company's ratings that come when they are wanted. */
import { pagePart } from '../../../ui/page-part.tsx'
import { stillPart } from '../../../ui/still-part.tsx'
import { RatingFormSkeleton, RatingsSkeleton } from './rating-skeletons.tsx'

export const Numbers = stillPart(
  () => import('./numbers.tsx').then((it) => it.Numbers),
  <RatingsSkeleton />,
)
export const RatingForm = pagePart(
  () => import('./rating-form.tsx').then((it) => it.RatingForm),
  <RatingFormSkeleton />,
)
/** Most readers have not rated. */
export const OwnRating = pagePart(() => import('./own-rating.tsx').then((it) => it.OwnRating), null)
