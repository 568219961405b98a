/** Shared by all plots of the dashboard. Time runs from left to right. */
import type { ReactNode } from 'react'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { type Days, daysIn, dayText, EXAMPLE } from '../dashboard.ts'

interface PlotFrameProps {
  textAlternative: string
  range: Days
  /** Labels of the upper and lower edge. */
  edges: readonly [string, string]
  className?: string
  /** Drawn in a 100 by 100 box. */
  children: ReactNode
}

export function PlotFrame({ textAlternative, range, edges, className, children }: PlotFrameProps) {
  return (
    <>
      <div className="mt-3 flex gap-2">
        <svg
          role="img"
          aria-label={textAlternative}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className={cx('h-28 min-w-0 flex-1', className)}
        >
          {[0, 50, 100].map((y) => (
            <line
              key={y}
              x1="0"
              x2="100"
              y1={y}
              y2={y}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {children}
        </svg>
        <div
          aria-hidden="true"
          className="-my-2 flex min-w-8 flex-col justify-between text-xs leading-4 text-ink-faint tabular-nums"
        >
          {edges.map((edge) => (
            <span key={edge}>{edge}</span>
          ))}
        </div>
      </div>
      <div
        aria-hidden="true"
        className="mt-2 mr-10 flex justify-between gap-3 text-xs leading-4 text-ink-faint"
      >
        <span>{dayText(range.from)}</span>
        <span className="text-right">{dayText(range.to)}</span>
      </div>
    </>
  )
}

/** A span's position in the range, in percent, cut off at the edges. */
export function positionIn(range: Days, { from, to }: Days) {
  const whole = daysIn(range)
  const at = (days: number) => Math.min(100, Math.max(0, (100 * days) / whole))
  return {
    left: at(daysIn({ from: range.from, to: from }) - 1),
    right: at(daysIn({ from: range.from, to })),
  }
}

interface NumbersTableProps {
  /** The plot's title. */
  title: string
  head: readonly string[]
  /** Newest first. Each row starts with its days. */
  rows: readonly (readonly string[])[]
}

export function NumbersTable({ title, head, rows }: NumbersTableProps) {
  return (
    <details className="mt-2 text-sm">
      <summary className={cx('w-fit rounded-sm py-1', linkClasses)}>
        Show as a table<span className="sr-only">: {title}</span>
      </summary>
      <section
        aria-label={`${title} as a table`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
        tabIndex={0}
        className="mt-2 max-h-64 overflow-auto rounded-md border border-line bg-surface px-3"
      >
        <table className="w-full border-collapse tabular-nums">
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col" className={headClasses}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([days, ...numbers]) => (
              <tr key={days} className="border-b border-line last:border-b-0">
                <th scope="row" className="py-1.5 text-left font-normal text-ink-soft">
                  {days}
                </th>
                {numbers.map((number, i) => (
                  <td key={head[i + 1]} className="py-1.5 pl-4 text-right text-ink">
                    {number}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

const headClasses =
  'sticky top-0 bg-surface py-1.5 pl-4 text-right font-medium text-ink-faint shadow-[inset_0_-1px_var(--color-line)] first:pl-0 first:text-left'

interface ExampleProps {
  title: string
}

/**
 * Previews with made-up numbers, marked as such.
 * @param children a plot
 */
function ExamplePlot({ title, children }: ExampleProps & { children: ReactNode }) {
  return (
    <figure className="min-w-0 rounded-xl border border-dashed border-line-strong p-5">
      <figcaption className="font-semibold text-ink">{title}</figcaption>
      <svg
        role="img"
        aria-label={`${EXAMPLE}: a plot of made-up numbers`}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        className="mt-3 h-20 w-full overflow-visible opacity-70"
      >
        <line
          x1="0"
          x2="100"
          y1="100"
          y2="100"
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
        {children}
      </svg>
    </figure>
  )
}

const BARS = [
  [20, 30],
  [10, 55],
  [10, 45],
  [20, 35],
  [10, 80],
  [10, 60],
  [10, 100],
  [10, 70],
] as const

export function ExampleBars({ title }: ExampleProps) {
  const lefts = BARS.map((_, i) => BARS.slice(0, i).reduce((sum, [width]) => sum + width, 0))
  return (
    <ExamplePlot title={title}>
      {BARS.map(([width, height], i) => (
        <rect
          key={lefts[i]}
          x={(lefts[i] ?? 0) + 0.4}
          y={100 - height}
          width={width - 0.8}
          height={height}
          className="fill-tea"
        />
      ))}
    </ExamplePlot>
  )
}

export const ExampleSteps = ({ title }: ExampleProps) => (
  <ExamplePlot title={title}>
    <polyline
      points="0,60 25,60 25,48 50,48 50,52 75,52 75,30 100,30"
      fill="none"
      strokeWidth="2.5"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
      className="stroke-star"
    />
  </ExamplePlot>
)
