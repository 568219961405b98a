/** Classes that several elements look by. */
import { cx } from './cx.ts'

/** The look of every box that takes text, in app.css. */
export const controlLook = 'control'

/** Running text's link look: quiet underline, tea ink. */
export const linkLook =
  'text-tea underline decoration-tea/40 underline-offset-4 transition-colors hover:decoration-tea'

/** @param text the size of its words */
export const tabLook = (isCurrent: boolean, text = 'text-[0.9375rem]') =>
  cx(
    'inline-flex h-11 items-center border-b-2 font-medium whitespace-nowrap transition-colors',
    text,
    isCurrent
      ? 'border-tea text-ink'
      : 'border-transparent text-ink-soft hover:border-line-strong hover:text-ink',
  )
