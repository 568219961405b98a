import { Star } from 'lucide'
import { useId, useRef, useState } from 'react'
import type { RatingCategory } from '#app/companies/company.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { STARS, type Stars } from '../rating.ts'

/** Radio buttons that look like stars. Arrow keys choose, as in any radio group. Pointing only explains. */
export function StarChoice({
  label,
  question,
  hints,
  value,
  onChange,
  isInvalid,
}: StarChoiceProps) {
  const id = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const [pointed, setPointed] = useState<Stars>()
  const [focused, setFocused] = useState<Stars>()
  const filled = pointed ?? value ?? 0
  const explained = pointed ?? value ?? focused

  const clear = () => {
    onChange(null)
    // The button disappears, so the focus must move.
    group.current?.querySelector('input')?.focus()
  }

  return (
    <fieldset
      ref={group}
      className="min-w-0 border-t border-line pt-5"
      aria-describedby={`${id}-q`}
    >
      <legend className="float-left w-full text-[0.9375rem] font-semibold text-ink">{label}</legend>
      <p id={`${id}-q`} className="clear-both mt-0.5 text-sm leading-6 text-ink-soft">
        {question}
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3">
        <div className="-ml-2 flex" onPointerLeave={() => setPointed(undefined)}>
          {STARS.map((stars) => (
            <label
              key={stars}
              onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPointed(stars)}
              className={cx(
                'relative inline-flex size-11 cursor-pointer items-center justify-center rounded-md',
                'has-focus-visible:outline-2 has-focus-visible:outline-tea',
              )}
            >
              <input
                type="radio"
                name={id}
                value={stars}
                checked={value === stars}
                onChange={() => {
                  // The mouse may rest on another star while people choose with keys.
                  setPointed(undefined)
                  onChange(stars)
                }}
                onFocus={() => setFocused(stars)}
                onBlur={() => setFocused(undefined)}
                aria-invalid={isInvalid || undefined}
                className="absolute inset-0 cursor-pointer appearance-none rounded-md outline-none"
              />
              <Icon
                of={Star}
                strokeWidth={1.5}
                className={cx(
                  'pointer-events-none size-8 transition-colors',
                  stars <= filled ? 'fill-current text-star' : 'text-line-strong',
                )}
              />
              <span className="sr-only">{`${stars} ${stars === 1 ? 'star' : 'stars'}: ${hints[stars]}`}</span>
            </label>
          ))}
        </div>
        {value !== null && (
          <Button
            variant="link"
            size="sm"
            onClick={clear}
            aria-label={`Clear the stars for ${label}`}
          >
            Clear
          </Button>
        )}
      </div>
      {/* Only for people who can see it, because the radio buttons say the same. Both texts share one cell, so nothing jumps. */}
      <div
        aria-hidden="true"
        className="mt-0.5 grid text-sm leading-5 text-pretty *:col-start-1 *:row-start-1"
      >
        <p className={cx('text-ink-faint', explained && 'invisible')}>
          {`From 1: ${hints[1]}`}
          <br />
          {`To 5: ${hints[5]}`}
        </p>
        {explained && (
          <p className={value === explained ? 'text-ink' : 'text-ink-soft'}>
            {`${explained}: ${hints[explained]}`}
          </p>
        )}
      </div>
    </fieldset>
  )
}

interface StarChoiceProps {
  label: string
  question: string
  hints: Record<Stars, string>
  value: Stars | null
  onChange: (value: Stars | null) => void
  isInvalid?: boolean
}

/** Hints, so three stars mean about the same to everyone. */
export const RATING_HINTS: Record<
  RatingCategory,
  { question: string; stars: Record<Stars, string> }
> = {
  rto: {
    question: 'Are the rules about where you work clear, fair and followed?',
    stars: {
      1: 'Everyone must come in, whatever their job or life is like, and attendance is checked.',
      2: 'The rule is strict or keeps changing, and exceptions depend on who you know.',
      3: 'There’s a rule you can live with. Some teams bend it, some don’t.',
      4: 'The rule is clear and fair, and there’s leeway when you need it.',
      5: 'You and your team choose where you work, and no one holds it against you.',
    },
  },
  dei: {
    question: 'Who gets hired, heard and promoted, and who has to fit in?',
    stars: {
      1: 'People are treated worse for who they are, and speaking up changes nothing.',
      2: 'One kind of person gets ahead. Everyone else is there for the photos.',
      3: 'Mostly fair day to day, but the higher up, the more alike people are.',
      4: 'All kinds of people get hired, heard and promoted, and gaps are talked about.',
      5: 'Pay, chances and respect don’t depend on who you are, and it shows at the top.',
    },
  },
  workLife: {
    question: 'Does the workday end, and does anyone mind when it does?',
    stars: {
      1: 'Evenings and weekends belong to work, and saying no has consequences.',
      2: 'Long weeks are the norm, and time off gets interrupted or has to be defended.',
      3: 'Busy times come and go. Most weeks end roughly when they should.',
      4: 'Hours are reasonable, holidays are real, and extra work is made up for.',
      5: 'The work fits the hours, and people are trusted to arrange them.',
    },
  },
  culture: {
    question: 'How do people treat each other when no one’s watching?',
    stars: {
      1: 'Fear, blame or bullying is a normal part of the week.',
      2: 'People look out for themselves. Bad news gets hidden and credit gets taken.',
      3: 'Decent colleagues, but a lot depends on which team you land in.',
      4: 'People help each other, and you can disagree and be heard.',
      5: 'Honest and kind, even under pressure. You’d bring a friend here.',
    },
  },
}
