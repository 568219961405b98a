/** A small mark next to a name ("Trending", "OP"), a count on an icon or next to a word, and a key. */
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const TONES = {
  quiet: 'border-line bg-sunken text-ink-soft',
  tea: 'border-transparent bg-tea-soft text-tea-strong',
  leaf: 'border-transparent bg-leaf-soft text-leaf',
  danger: 'border-transparent bg-danger-soft text-danger',
} as const

export type BadgeTone = keyof typeof TONES

/** The words carry the meaning. The color only repeats it. */
export function Badge({ tone = 'quiet', icon, children, className }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-full border px-2 py-0.5',
        'text-xs leading-4 font-medium [&_svg]:size-3',
        TONES[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}

/**
 * How many are unread or pending. It never wraps or shrinks, or only the first digit would show.
 * @param what completes the number for screen readers. Without it, screen readers skip the number
 */
export const CountBadge = ({ what, className, children }: CountBadgeProps) => (
  <span
    aria-hidden={what === undefined}
    className={cx(countClasses, 'bg-tea-soft px-2 text-xs leading-5 text-tea-strong', className)}
  >
    {children}
    {what && <span className="sr-only"> {what}</span>}
  </span>
)

/** A count at the corner of an icon, which is `relative` and has the number in its name. */
export const IconCount = ({ children }: Pick<CountBadgeProps, 'children'>) => (
  <span aria-hidden="true" className="absolute top-0.5 -right-1 left-1/2 ml-0.5 flex justify-end">
    <span
      className={cx(
        countClasses,
        'mr-auto h-4 min-w-4 bg-tea px-1 text-center text-[0.6875rem] leading-4 text-on-tea ring-2 ring-paper',
      )}
    >
      {children}
    </span>
  </span>
)

const countClasses = 'shrink-0 rounded-full font-semibold whitespace-nowrap tabular-nums'

interface CountBadgeProps {
  what?: string
  className?: string
  children: string
}

type BadgeProps = {
  tone?: BadgeTone
  icon?: ReactNode
  children: ReactNode
  className?: string
}

/** A key, as it looks on the keyboard. */
export function KeyCap({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      className={cx(
        'inline-flex min-w-5 items-center justify-center rounded border border-line-strong/60 bg-surface',
        'px-1 font-sans text-xs leading-4.5 font-medium text-ink-soft',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
