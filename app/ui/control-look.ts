import { cx } from './cx.ts'

/** The look of every box that takes text; 16 px on phones, so that iOS does not zoom. */
export const controlLook = cx(
  'w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink md:text-sm',
  'placeholder:text-ink-faint transition-colors hover:border-ink-soft',
  'focus-visible:border-tea focus-visible:outline-2 focus-visible:outline-offset-0',
  'focus-visible:outline-tea/40',
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:opacity-60',
)
