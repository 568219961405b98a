/** The look of a link in a row of tabs, which stands on the line below it. */
import { cx } from './cx.ts'

/** @param text the size of its words */
export const tabLook = (isCurrent: boolean, text = 'text-[0.9375rem]') =>
  cx(
    'inline-flex h-11 items-center border-b-2 font-medium whitespace-nowrap transition-colors',
    text,
    isCurrent
      ? 'border-tea text-ink'
      : 'border-transparent text-ink-soft hover:border-line-strong hover:text-ink',
  )
