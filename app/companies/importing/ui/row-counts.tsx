import { cx } from '#app/kit/ui/cx.ts'
import { grouped } from '#app/kit/ui/format.ts'

interface RowCountsProps {
  counts: Record<string, number>
  /** Sets the columns. */
  className: string
}

export const RowCounts = ({ counts, className }: RowCountsProps) => (
  <dl
    className={cx(
      'grid gap-px overflow-hidden rounded-lg border border-line bg-line text-center',
      className,
    )}
  >
    {Object.entries(counts).map(([name, count]) => (
      <div key={name} className="grid bg-surface px-2 py-3">
        <dt className="order-2 text-xs text-ink-soft">{name}</dt>
        <dd className="font-serif text-2xl leading-tight tabular-nums">{grouped(count)}</dd>
      </div>
    ))}
  </dl>
)
