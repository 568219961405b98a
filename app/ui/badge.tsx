/** A small mark beside a name: "Trending", "OP", "unread". */

import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const TONES = {
  quiet: 'border-line bg-sunken text-ink-soft',
  tea: 'border-transparent bg-tea-soft text-tea-strong',
  leaf: 'border-transparent bg-leaf-soft text-leaf',
  danger: 'border-transparent bg-danger-soft text-danger',
} as const

export type BadgeTone = keyof typeof TONES

/** Says its meaning in words; the tone only repeats it for the eye. */
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

type BadgeProps = {
  tone?: BadgeTone
  icon?: ReactNode
  children: ReactNode
  className?: string
}
