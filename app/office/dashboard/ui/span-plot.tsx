/** Weekly numbers: a bar per stretch of weeks. Also rendered on the server. */
import { grouped } from '#app/kit/ui/format.ts'
import type { Span } from '../dashboard.contract.ts'
import { type Days, daysText, NOTHING_TOLD, perWeek } from '../dashboard.ts'
import { ExampleBars } from './example-plots.tsx'
import { NumbersTable } from './numbers-table.tsx'
import { PlotFrame, positionIn } from './plot-frame.tsx'

interface SpanPlotProps {
  title: string
  text: string
  range: Days
  spans: readonly Span[]
  whenEmpty?: string
  /** Adds a preview below that. */
  hasExample?: boolean
}

/** The gap between two bars, in percent. */
const GAP = 0.4

export function SpanPlot(props: SpanPlotProps) {
  const { title, text, range, spans, whenEmpty = NOTHING_TOLD, hasExample } = props
  const top = Math.max(1, ...spans.map(perWeek))
  return (
    <section className="min-w-0 rounded-xl border border-line bg-surface p-5">
      <h3 className="font-semibold text-ink">{title}</h3>
      <p className="mt-1 text-[0.8125rem] leading-5 text-ink-faint">{text}</p>
      {spans.length === 0 ? (
        <>
          <p className="mt-6 mb-4 text-sm leading-6 text-ink-soft">{whenEmpty}</p>
          {hasExample && <ExampleBars />}
        </>
      ) : (
        <>
          <PlotFrame
            textAlternative={textAlternative(title, spans)}
            range={range}
            edges={[grouped(top), '0']}
          >
            {spans.map((span) => {
              const { left, right } = positionIn(range, span)
              const height = (100 * perWeek(span)) / top
              return (
                <g key={span.from}>
                  <title>{`${daysText(span)}: ${grouped(perWeek(span))} a week`}</title>
                  {/* Full height, so a pointer finds small bars too. */}
                  <rect
                    x={left}
                    y="0"
                    width={right - left}
                    height="100"
                    className="fill-transparent"
                  />
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
        </>
      )}
    </section>
  )
}

function textAlternative(title: string, spans: readonly Span[]) {
  const [first, last] = [spans[0] as Span, spans.at(-1) as Span]
  const top = spans.reduce((top, span) => (perWeek(span) > perWeek(top) ? span : top))
  const sum = spans.reduce((sum, { n }) => sum + n, 0)
  const days = daysText({ from: first.from, to: last.to })
  return `${title}, ${days}: ${grouped(sum)} in all, at most ${grouped(perWeek(top))} a week (${daysText(top)}).`
}
