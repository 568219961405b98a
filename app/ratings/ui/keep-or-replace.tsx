/** One person's two devices rated a company differently, so the person chooses before anything is overwritten. */
import type { ComponentProps } from 'react'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { plural } from '#app/kit/ui/format.ts'
import { KeepOrReplace, ShownText } from '#app/kit/writing/draft-notice.tsx'
import type { RatingQueries } from '../rating.data.ts'
import type { RatingInput } from '../rating-input.ts'

/** Lazy, along with the rest of the sending code. */
export const keepStoredRating = ({
  sessionKey,
  company,
}: Pick<RatingQueries, 'sessionKey' | 'company'>) =>
  import('../presented/presented-rating.data.ts').then(({ keepServerRating }) =>
    keepServerRating(sessionKey, company.id),
  )

/** @param shown the one of the two ratings that isn't visible nearby */
export function KeepOrReplaceRating({ shown, ...props }: KeepOrReplaceRatingProps) {
  return (
    <KeepOrReplace {...props}>
      <p>
        {RATING_CATEGORIES.filter(({ key }) => shown[key] !== null)
          .map(({ key, name }) => `${name}: ${plural(shown[key] ?? 0, 'star')}`)
          .join(', ')}
      </p>
      {shown.note && <ShownText>{shown.note}</ShownText>}
    </KeepOrReplace>
  )
}

type KeepOrReplaceRatingProps = Omit<ComponentProps<typeof KeepOrReplace>, 'children'> & {
  shown: RatingInput
}
