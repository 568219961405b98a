/** A key, as it looks on the keyboard. */
import { cx } from './cx.ts'

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
