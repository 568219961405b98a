/** A rating from 0 to 5. Spec §5. */

import { Star } from 'lucide'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'

export const TOP_SCORE = 5

/** "--" if missing, not a number, or 0 or less. Otherwise one decimal. Spec §5. */
export function scoreText(rating: number | null | undefined): string {
  return isRated(rating) ? rating.toFixed(1) : '--'
}

export function Score({ rating, size = 'sm', className }: ScoreProps) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 tabular-nums',
        size === 'sm' && 'text-sm font-medium [&_svg]:size-4',
        size === 'lg' && 'gap-2 font-serif text-3xl [&_svg]:size-6',
        className,
      )}
    >
      <Icon
        of={Star}
        className={cx('fill-current', isRated(rating) ? 'text-star' : 'fill-none text-ink-faint')}
        strokeWidth={1.5}
      />
      <span aria-hidden="true" className={cx(!isRated(rating) && 'text-ink-faint')}>
        {scoreText(rating)}
      </span>
      <span className="sr-only">{spoken(rating)}</span>
    </span>
  )
}

/** A named bar from 0 to 5. */
export function ScoreBar({ label, rating, className }: ScoreBarProps) {
  const share = isRated(rating) ? Math.min(rating / TOP_SCORE, 1) * 100 : 0
  return (
    <div className={className}>
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span className="text-ink-soft">{label}</span>
        <span aria-hidden="true" className="font-medium tabular-nums">
          {scoreText(rating)}
        </span>
        <span className="sr-only">{spoken(rating)}</span>
      </div>
      <svg aria-hidden="true" className="mt-1.5 block h-1 w-full overflow-hidden rounded-full">
        <rect width="100%" height="100%" className="fill-line" />
        <rect width={`${share}%`} height="100%" rx="2" className="fill-star" />
      </svg>
    </div>
  )
}

const isRated = (rating: number | null | undefined): rating is number =>
  typeof rating === 'number' && rating > 0

const spoken = (rating: number | null | undefined) =>
  isRated(rating) ? `Rated ${scoreText(rating)} out of ${TOP_SCORE}` : 'Not rated yet'

type ScoreProps = {
  rating: number | null | undefined
  size?: 'sm' | 'lg'
  className?: string
}

type ScoreBarProps = { label: string; rating: number | null | undefined; className?: string }
