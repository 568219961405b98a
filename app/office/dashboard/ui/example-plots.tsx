import type { ReactNode } from 'react'
import { Badge } from '#app/kit/ui/badge.tsx'
import { EXAMPLE, EXAMPLE_TEXT } from '../dashboard.ts'

/**
 * Previews with made-up numbers, marked as such.
 * @param children a plot
 */
function ExamplePlot({ children }: { children: ReactNode }) {
  return (
    <figure className="mt-4 rounded-lg border border-dashed border-line-strong p-4">
      <figcaption className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] leading-5 text-ink-soft">
        <Badge tone="tea">{EXAMPLE}</Badge>
        {EXAMPLE_TEXT}
      </figcaption>
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

export function ExampleBars() {
  const lefts = BARS.map((_, i) => BARS.slice(0, i).reduce((sum, [width]) => sum + width, 0))
  return (
    <ExamplePlot>
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

export const ExampleSteps = () => (
  <ExamplePlot>
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
