/** A radio button as a card, with its text beside it. */
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export function Choice({ name, value, isChosen, onChoose, title, text }: ChoiceProps) {
  return (
    <label
      className={cx(
        'flex min-h-12 items-start gap-3 rounded-lg border px-4 py-3 text-sm transition-colors',
        isChosen ? 'border-tea bg-tea-soft' : 'border-line hover:border-line-strong',
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        onChange={onChoose}
        className="mt-0.5 size-4 shrink-0 accent-tea"
      />
      <span>
        <span className="block leading-5 font-medium text-ink">{title}</span>
        {text && <span className="mt-0.5 block leading-5 text-ink-soft">{text}</span>}
      </span>
    </label>
  )
}

interface ChoiceProps {
  /** The same for all of a group. */
  name: string
  value: string
  isChosen: boolean
  onChoose: () => void
  title: ReactNode
  text?: ReactNode
}
