/** Class names that several elements share. */
import { cx } from './cx.ts'

/** Every text box, in app.css. */
export const controlClasses = 'control'

/** A dialog's buttons, the main one last. On a phone it's on top. */
export const dialogButtonsClasses =
  'flex flex-col-reverse gap-3 [reading-flow:flex-visual] md:flex-row md:justify-end'

/** A button with a long name, which wraps on narrow screens. */
export const wrappingClasses = 'max-md:h-auto max-md:min-h-11 max-md:py-1 max-md:whitespace-normal'

/** A link in running text. */
export const linkClasses =
  'text-tea underline decoration-tea/40 underline-offset-4 transition-colors hover:decoration-tea'

export const tabClasses = (isCurrent: boolean, text = 'text-[0.9375rem]') =>
  cx(
    'inline-flex h-11 items-center border-b-2 font-medium whitespace-nowrap transition-colors',
    text,
    isCurrent
      ? 'border-tea text-ink'
      : 'border-transparent text-ink-soft hover:border-line-strong hover:text-ink',
  )
