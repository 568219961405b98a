import { cx } from '#app/kit/ui/cx.ts'
import { initialsOf } from '../account.ts'

/** Initials. Hidden from screen readers, because the name is next to it. Set its size with `className`. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-full select-none',
        'bg-tea-soft font-semibold text-tea-strong',
        className ?? 'size-8 text-xs',
      )}
    >
      {initialsOf(name)}
    </span>
  )
}
