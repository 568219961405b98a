import { type KeyboardEvent, useId, useRef } from 'react'
import {
  REASON_HINTS,
  REASON_NAMES,
  REASONS,
  type Reason,
} from '#app/identity/accounts/suspension.ts'
import { KeyCap } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { choiceOf } from '#app/kit/ui/list-keys.ts'

/** With `hasDigits`, keys 1 to 9 choose a reason. People can turn single keys off. */
export function ReasonChoices(props: ReasonChoicesProps) {
  const { legend = 'Why', reason, onChoose, hasHints = false, hasDigits = false } = props
  const error = reason ? undefined : props.error
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const chooseByDigit = (event: KeyboardEvent) => {
    const index = hasDigits ? choiceOf(press(event), REASONS.length) : undefined
    const chosen = index === undefined ? undefined : REASONS[index]
    if (!chosen) return
    event.preventDefault()
    onChoose(chosen)
    list.current?.querySelectorAll<HTMLElement>('input')[index ?? 0]?.focus()
  }
  return (
    <div
      ref={list}
      role="radiogroup"
      aria-labelledby={`${id}-legend`}
      aria-describedby={error ? `${id}-error` : undefined}
      aria-invalid={error ? true : undefined}
      // Lets us move the focus here if nothing was chosen.
      tabIndex={error ? -1 : undefined}
      onKeyDown={chooseByDigit}
      className="grid gap-1.5 outline-none"
    >
      <p id={`${id}-legend`} className="text-sm font-medium text-ink">
        {legend}
      </p>
      <div
        className={cx(
          'divide-y divide-line overflow-hidden rounded-lg border',
          error ? 'border-danger' : 'border-line',
        )}
      >
        {REASONS.map((each, index) => (
          <label
            key={each}
            className={cx(
              'flex min-h-11 items-start gap-3 px-4 py-2.5 text-sm leading-5 transition-colors',
              'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-tea',
              each === reason ? 'bg-tea-soft' : 'hover:bg-sunken',
            )}
          >
            <input
              type="radio"
              name={id}
              value={each}
              checked={each === reason}
              onChange={() => onChoose(each)}
              className="mt-0.5 size-4 shrink-0 accent-tea outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="block font-medium text-ink">{REASON_NAMES[each]}</span>
              {hasHints && <span className="block text-ink-soft">{REASON_HINTS[each]}</span>}
            </span>
            {hasDigits && (
              <span aria-hidden="true" className="max-md:hidden">
                <KeyCap className="mt-px">{String(index + 1)}</KeyCap>
              </span>
            )}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

const press = (event: KeyboardEvent) => ({
  key: event.key,
  ctrlKey: event.ctrlKey,
  metaKey: event.metaKey,
  altKey: event.altKey,
  shiftKey: event.shiftKey,
  repeat: event.repeat,
  isComposing: event.nativeEvent.isComposing,
})

interface ReasonChoicesProps {
  legend?: string
  reason: Reason | undefined
  onChoose: (reason: Reason) => void
  hasHints?: boolean
  hasDigits?: boolean
  error?: string
}
