/** The dashboard's plots. Also rendered on the server. */
import { cx } from '#app/kit/ui/cx.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { scoreText } from '#app/kit/ui/score.tsx'
import type { Span } from '../dashboard.contract.ts'
import { type Days, daysText, monthsText, perWeek } from '../dashboard.ts'
import { NumbersTable, PlotFrame, positionIn } from './plot-frame.tsx'

interface MeanSpan extends Days {
  mean: number
  ratings: number
}

interface ScorePlotProps {
  title: string
  range: Days
  /** At least one. */
  spans: readonly MeanSpan[]
  /** The mean of all ratings. */
  inAll: { mean: number } | null
  className?: string
}

/** Five stars at the top, one at the bottom. */
const heightOf = (mean: number) => 100 - (100 * (mean - 1)) / 4

/** Mean ratings over time, from one to five: a step per span of months. */
export function ScorePlot({ title, range, spans, inAll, className }: ScorePlotProps) {
  const steps = spans.map((it) => ({ ...positionIn(range, it), y: heightOf(it.mean) }))
  const line = steps.flatMap(({ left, right, y }) => [`${left},${y}`, `${right},${y}`])
  return (
    <section className={cx('min-w-0 rounded-xl border border-line bg-surface p-5', className)}>
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="min-w-0 font-semibold text-ink">{title}</h3>
        {inAll && (
          <p className="shrink-0 font-serif text-xl text-ink tabular-nums">
            {scoreText(inAll.mean)}
          </p>
        )}
      </div>
      <PlotFrame
        textAlternative={textAlternative(title, spans)}
        range={range}
        edges={['5', '1']}
        className="overflow-visible"
      >
        <polyline
          points={line.join(' ')}
          fill="none"
          strokeWidth="2.5"
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className="stroke-star"
        />
      </PlotFrame>
      <NumbersTable
        title={title}
        head={['Months', 'Ratings', 'Mean']}
        rows={spans
          .map((it) => [monthsText(it), String(it.ratings), scoreText(it.mean)])
          .toReversed()}
      />
    </section>
  )
}

function textAlternative(title: string, spans: readonly MeanSpan[]) {
  const means = spans.map(({ mean }) => mean)
  const [first, last] = [spans[0] as MeanSpan, spans.at(-1) as MeanSpan]
  if (spans.length === 1) return `${title}, ${monthsText(first)}: ${scoreText(first.mean)}.`
  return `${title}: from ${scoreText(first.mean)} (${monthsText(first)}) to ${scoreText(last.mean)} (${monthsText(last)}), between ${scoreText(Math.min(...means))} and ${scoreText(Math.max(...means))}.`
}

interface SpanPlotProps {
  title: string
  text: string
  range: Days
  /** At least one. */
  spans: readonly Span[]
}

/** The gap between two bars, in percent. */
const GAP = 0.4

/** Weekly numbers: a bar per span of weeks. */
export function SpanPlot({ title, text, range, spans }: SpanPlotProps) {
  const top = Math.max(1, ...spans.map(perWeek))
  return (
    <section className="min-w-0 rounded-xl border border-line bg-surface p-5">
      <h3 className="font-semibold text-ink">{title}</h3>
      <p className="mt-1 text-[0.8125rem] leading-5 text-ink-faint">{text}</p>
      <PlotFrame
        textAlternative={spanAlternative(title, spans)}
        range={range}
        edges={[grouped(top), '0']}
      >
        {spans.map((span) => {
          const { left, right } = positionIn(range, span)
          const height = (100 * perWeek(span)) / top
          return (
            <g key={span.from}>
              <title>{`${daysText(span)}: ${grouped(perWeek(span))} a week`}</title>
              {/* Full height, so a pointer also finds small bars. */}
              <rect x={left} y="0" width={right - left} height="100" className="fill-transparent" />
              <rect
                x={left + GAP}
                y={100 - height}
                width={Math.max(GAP, right - left - 2 * GAP)}
                height={height}
                className="fill-tea"
              />
            </g>
          )
        })}
      </PlotFrame>
      <NumbersTable
        title={title}
        head={['Weeks', 'Number', 'Per week']}
        rows={spans
          .map((span) => [daysText(span), grouped(span.n), grouped(perWeek(span))])
          .toReversed()}
      />
    </section>
  )
}

function spanAlternative(title: string, spans: readonly Span[]) {
  const [first, last] = [spans[0] as Span, spans.at(-1) as Span]
  const top = spans.reduce((top, span) => (perWeek(span) > perWeek(top) ? span : top))
  const sum = spans.reduce((sum, { n }) => sum + n, 0)
  const days = daysText({ from: first.from, to: last.to })
  return `${title}, ${days}: ${grouped(sum)} in all, at most ${grouped(perWeek(top))} a week (${daysText(top)}).`
}
