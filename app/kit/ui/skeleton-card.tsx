/** The shape of a card that is still loading: its frame, and the first words in it. */
import { cx } from './cx.ts'
import { Skeleton } from './skeleton.tsx'

/** Give it the height of the coming card by `className`. */
export function SkeletonCard({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'block overflow-hidden rounded-xl border border-line bg-surface p-4 md:p-5',
        className,
      )}
    >
      <Skeleton className="h-5 w-2/5" />
      <Skeleton className="mt-3 h-4 w-11/12" />
      <Skeleton className="mt-2 h-4 w-2/3" />
    </span>
  )
}
