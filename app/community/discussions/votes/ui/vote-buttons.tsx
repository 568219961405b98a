import { ArrowBigDown, ArrowBigUp } from 'lucide'
import { cx } from '#app/kit/ui/cx.ts'
import { abbreviate, grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { pressed, type Vote } from '../vote.ts'

/** Shows only the score without JavaScript, and until the person's vote has loaded. */
export function VoteButtons({ of, score, vote, onVote, isOwn, isSmall }: VoteButtonsProps) {
  const arrow = (direction: 1 | -1) => (
    <button
      type="button"
      aria-label={`${direction === 1 ? 'Upvote' : 'Downvote'} ${of}`}
      aria-pressed={vote === direction}
      aria-disabled={vote === undefined || undefined}
      onClick={() => vote !== undefined && onVote(pressed(vote, direction))}
      className="vote"
    >
      <Icon of={direction === 1 ? ArrowBigUp : ArrowBigDown} />
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields in it, so no fieldset
    <div
      role="group"
      aria-label={`Votes on ${of}`}
      className={cx('votes', !isSmall && 'votes-large', isOwn && 'h-10 gap-1 px-3')}
    >
      {isOwn ? <Icon of={ArrowBigUp} className="text-ink-faint" /> : arrow(1)}
      <span
        aria-live="polite"
        className={vote === 1 ? 'text-leaf' : vote === -1 ? 'text-danger' : undefined}
      >
        <span aria-hidden="true">{abbreviate(score)}</span>
        <span>{`Score ${grouped(score)}`}</span>
      </span>
      {!isOwn && arrow(-1)}
    </div>
  )
}

interface VoteButtonsProps {
  /** Completes "Votes on" and "Upvote". */
  of: string
  score: number
  vote: Vote | undefined
  onVote: (vote: Vote) => void
  isOwn?: boolean
  isSmall?: boolean
}
