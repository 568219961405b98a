/** Shared by all plots of the dashboard. Time runs from left to right. */
import type { ReactNode } from 'react'
import { cx } from '#app/kit/ui/cx.ts'
import { type Days, daysIn, dayText } from '../dashboard.ts'

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

/** A stretch's place in the range, in percent, cut off at the edges. */
export function positionIn(range: Days, { from, to }: Days) {
  const whole = daysIn(range)
  const at = (days: number) => Math.min(100, Math.max(0, (100 * days) / whole))
  return {
    left: at(daysIn({ from: range.from, to: from }) - 1),
    right: at(daysIn({ from: range.from, to })),
  }
}
