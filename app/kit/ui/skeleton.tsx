/** The grey shape of what is still loading, as large as what will replace it. */

import { cx } from './cx.ts'

/** Give it the size of the coming content by `className`, so that nothing jumps. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-shimmer rounded-md bg-line', className ?? 'h-4 w-full')}
    />
  )
}
