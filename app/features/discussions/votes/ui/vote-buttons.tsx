/** Up, the score, down. */
import { ArrowBigDown, ArrowBigUp } from 'lucide'
import { cx } from '../../../../ui/cx.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { abbreviate, grouped } from '../../../../ui/number.ts'
import type { Vote } from '../../discussion.ts'
import { pressed } from '../ballot.ts'

/** Without JavaScript, and until one's own vote is known, it is a score that one reads. */
export function VoteButtons({ of, score, vote, onVote, isOwn, isSmall }: VoteButtonsProps) {
  const arrow = (direction: 1 | -1) => (
    <button
      type="button"
      aria-label={`Vote ${direction === 1 ? 'up' : 'down'}`}
      aria-pressed={vote === direction}
      aria-disabled={vote === undefined || undefined}
      onClick={() => vote !== undefined && onVote(pressed(vote, direction))}
      className={cx(
        'inline-flex items-center justify-center rounded-full transition-colors no-js:hidden [&_svg]:size-[1.125rem]',
        isSmall ? 'size-10 md:size-8' : 'size-11 md:size-10',
        vote === direction
          ? direction === 1
            ? 'text-leaf [&_svg]:fill-current'
            : 'text-danger [&_svg]:fill-current'
          : 'text-ink-faint hover:bg-sunken hover:text-ink',
      )}
    >
      <Icon of={direction === 1 ? ArrowBigUp : ArrowBigDown} strokeWidth={1.75} />
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields in it, so no fieldset
    <div
      role="group"
      aria-label={`Votes on ${of}`}
      className={cx(
        'inline-flex items-center rounded-full no-js:px-3',
        isSmall ? '-ml-2.5' : 'border border-line bg-surface',
        isOwn && 'h-10 gap-1 px-3',
      )}
    >
      {isOwn ? (
        <Icon of={ArrowBigUp} className="size-[1.125rem] text-ink-faint" strokeWidth={1.75} />
      ) : (
        arrow(1)
      )}
      <span
        aria-live="polite"
        className={cx(
          'min-w-5 text-center font-medium tabular-nums',
          isSmall ? 'text-[0.8125rem]' : 'text-sm',
          vote === 1 ? 'text-leaf' : vote === -1 ? 'text-danger' : 'text-ink-soft',
        )}
      >
        <span aria-hidden="true" className="print:hidden">
          {abbreviate(score)}
        </span>
        <span className="sr-only print:not-sr-only">{`Score ${grouped(score)}`}</span>
      </span>
      {!isOwn && arrow(-1)}
    </div>
  )
}

interface VoteButtonsProps {
  /** Completes "Votes on". */
  of: string
  score: number
  /** Undefined while it is not known. */
  vote: Vote | undefined
  onVote: (vote: Vote) => void
  /** Nobody votes on what is their own. */
  isOwn?: boolean
  isSmall?: boolean
}
