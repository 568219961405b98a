/** A bar chart with a table. Rendered on the server too. */
import type { ReactNode } from 'react'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import {
  type Count,
  countText,
  type Period,
  periodName,
  plotText,
  shortName,
  sumOf,
} from '../day-count.ts'

interface CountPlotProps {
  title: string
  /** A sentence about what is counted. */
  text?: ReactNode
  per: Period
  /** Oldest first. */
  counts: readonly Count[]
  /** The last period isn't over yet. */
  isUnderWay?: boolean
  /** Before the first number, this says when it will appear, instead of zeros. */
  begins?: string | undefined
  className?: string
}

/** A bar's share of its width. */
const WIDTH = 0.72

export function CountPlot(props: CountPlotProps) {
  const { title, text, per, counts, isUnderWay = false, begins, className } = props
  const top = Math.max(1, ...counts.map(({ n }) => n ?? 0))
  const [first, last] = [counts[0], counts.at(-1)]
  if (!first || !last) return null
  if (begins)
    return (
      <section className={cx('flex min-w-0 flex-col', className)}>
        <h3 className="truncate font-semibold text-ink">{title}</h3>
        {text && <p className="mt-1 text-[0.8125rem] leading-5 text-ink-faint">{text}</p>}
        <p className="mt-3 grid min-h-24 flex-1 place-items-center rounded-lg bg-sunken text-sm text-ink-soft">
          {begins}
        </p>
      </section>
    )
  return (
    <section className={cx('min-w-0', className)}>
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="min-w-0 truncate font-semibold text-ink">{title}</h3>
        <p className="shrink-0 font-serif text-xl text-ink tabular-nums">
          {countText(sumOf(counts))}
        </p>
      </div>
      {text && <p className="mt-1 text-[0.8125rem] leading-5 text-ink-faint">{text}</p>}
      <div className="mt-3 flex gap-2">
        <svg
          role="img"
          aria-label={plotText(title, per, counts)}
          viewBox={`0 0 ${counts.length} 100`}
          preserveAspectRatio="none"
          className="h-24 min-w-0 flex-1 overflow-visible"
        >
          {[0, 50, 100].map((y) => (
            <line
              key={y}
              x1="0"
              x2={counts.length}
              y1={y}
              y2={y}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {counts.map(({ from, n }, i) => {
            const height = (100 * (n ?? 0)) / top
            return (
              <g key={from}>
                <title>{`${periodName(from, per)}: ${countText(n)}`}</title>
                {/* Full height, so small bars also have a tooltip. */}
                <rect x={i} y="0" width="1" height="100" className="fill-transparent" />
                <rect
                  x={i + (1 - WIDTH) / 2}
                  y={100 - height}
                  width={WIDTH}
                  height={height}
                  className={isUnderWay && i === counts.length - 1 ? 'fill-tea/50' : 'fill-tea'}
                />
              </g>
            )
          })}
        </svg>
        <div
          aria-hidden="true"
          className="-my-2 flex min-w-10 flex-col justify-between text-xs leading-4 text-ink-faint tabular-nums"
        >
          <span>{countText(top)}</span>
          <span>0</span>
        </div>
      </div>
      <div
        aria-hidden="true"
        className="mt-2 mr-12 flex justify-between text-xs leading-4 text-ink-faint"
      >
        <span>{shortName(first.from, per)}</span>
        <span>{isUnderWay ? 'Today' : shortName(last.from, per)}</span>
      </div>
      <details className="mt-2 text-sm">
        <summary className={`w-fit rounded-sm py-1 ${linkClasses}`}>
          Show as a table<span className="sr-only">: {title}</span>
        </summary>
        <CountTable {...props} />
      </details>
    </section>
  )
}

const NAMES: Record<Period, string> = { day: 'Day', week: 'Week', month: 'Month' }

/** Newest first, because people look those up. */
function CountTable({ title, per, counts, isUnderWay }: CountPlotProps) {
  return (
    <section
      aria-label={`${title} per ${per}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
      tabIndex={0}
      className="mt-2 max-h-64 overflow-y-auto rounded-md border border-line bg-surface px-3"
    >
      <table className="w-full border-collapse tabular-nums">
        <thead>
          <tr>
            <th scope="col" className={headClasses}>
              {NAMES[per]}
            </th>
            <th scope="col" className={cx(headClasses, 'text-right')}>
              Number
            </th>
          </tr>
        </thead>
        <tbody>
          {counts.toReversed().map(({ from, n }, i) => (
            <tr key={from} className="border-b border-line last:border-b-0">
              <th scope="row" className="py-1.5 text-left font-normal text-ink-soft">
                {periodName(from, per)}
                {isUnderWay && i === 0 && ' (so far)'}
              </th>
              <td className="py-1.5 pl-4 text-right text-ink">{countText(n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const headClasses =
  'sticky top-0 bg-surface py-1.5 text-left font-medium text-ink-faint shadow-[inset_0_-1px_var(--color-line)]'
