/** Two devices of one person gave two ratings of a company: nothing is overwritten before they say which is to stand. */
import type { Ref } from 'react'
import { Button } from '../../../ui/button.tsx'
import { plural } from '../../../ui/number.ts'
import { RATING_CATEGORIES } from '../../companies/company.ts'
import type { RatingQueries } from '../rating.data.ts'
import type { RatingInput } from '../rating-input.ts'

export const KEEP_OR_REPLACE = 'Keep it, or replace it?'

/** Its code comes with what else is sent and asked. */
export const keepWhatIsThere = ({ who, company }: Pick<RatingQueries, 'who' | 'company'>) =>
  import('../presented/held-rating.data.ts').then(({ keepHeld }) => keepHeld(who, company.id))

/** @param shown what of the two isn't to be seen around it */
export function KeepOrReplace({
  ref,
  title,
  shown,
  replace,
  onKeep,
  onReplace,
}: KeepOrReplaceProps) {
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="grid w-full scroll-mt-24 gap-3 rounded-lg bg-sunken p-4 text-sm leading-6 text-ink-soft outline-none"
    >
      <p className="font-semibold text-ink">{title}</p>
      <p>
        {RATING_CATEGORIES.filter(({ key }) => shown[key] !== null)
          .map(({ key, name }) => `${name}: ${plural(shown[key] ?? 0, 'star')}`)
          .join(', ')}
      </p>
      {shown.note && (
        <blockquote className="max-h-40 overflow-y-auto border-l-2 border-line-strong pl-3 break-words whitespace-pre-wrap">
          <bdi>{shown.note}</bdi>
        </blockquote>
      )}
      <p>{KEEP_OR_REPLACE}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={onKeep}>
          Keep it
        </Button>
        <Button variant="secondary" size="sm" onClick={onReplace}>
          {replace}
        </Button>
      </div>
    </div>
  )
}

interface KeepOrReplaceProps {
  ref?: Ref<HTMLDivElement>
  title: string
  shown: RatingInput
  /** What the button that replaces says. */
  replace: string
  onKeep: () => void
  onReplace: () => void
}
