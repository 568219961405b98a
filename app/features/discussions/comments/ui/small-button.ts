import { cx } from '../../../../ui/cx.ts'

/** The look of what stands in the row below a comment. */
export const smallButton = cx(
  'inline-flex h-10 items-center gap-1.5 rounded-md px-2 text-[0.8125rem] first:-ml-2 font-medium text-ink-faint md:h-8 md:px-2.5 md:first:-ml-2.5',
  'transition-colors hover:bg-sunken hover:text-ink',
)
