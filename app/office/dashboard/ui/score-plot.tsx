/** Mean ratings over time, from one to five: a step per stretch of months. Also rendered on the server. */
import { cx } from '#app/kit/ui/cx.ts'
import { scoreText } from '#app/kit/ui/score.tsx'
import { type Days, monthsText, NOTHING_TOLD } from '../dashboard.ts'
import { ExampleSteps } from './example-plots.tsx'
import { NumbersTable } from './numbers-table.tsx'
import { PlotFrame, positionIn } from './plot-frame.tsx'

export interface Given extends Days {
  mean: number
  ratings: number
}

interface ScorePlotProps {
  title: string
  range: Days
  given: readonly Given[]
  /** The mean of all. */
  inAll: { mean: number } | null
  whenEmpty?: string
  /** Adds a preview below that. */
  hasExample?: boolean
  className?: string
}

/** Five stars at the top, one at the bottom. */
const heightOf = (mean: number) => 100 - (100 * (mean - 1)) / 4

export function ScorePlot(props: ScorePlotProps) {
  const { title, range, given, inAll, whenEmpty = NOTHING_TOLD, hasExample, className } = props
  const steps = given.map((it) => ({ ...positionIn(range, it), y: heightOf(it.mean) }))
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
      {given.length === 0 ? (
        <>
          <p className="mt-4 mb-2 text-sm leading-6 text-ink-soft">{whenEmpty}</p>
          {hasExample && <ExampleSteps />}
        </>
      ) : (
        <>
          <PlotFrame
            textAlternative={textAlternative(title, given)}
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
            rows={given
              .map((it) => [monthsText(it), String(it.ratings), scoreText(it.mean)])
              .toReversed()}
          />
        </>
      )}
    </section>
  )
}

function textAlternative(title: string, given: readonly Given[]) {
  const means = given.map(({ mean }) => mean)
  const [first, last] = [given[0] as Given, given.at(-1) as Given]
  if (given.length === 1) return `${title}, ${monthsText(first)}: ${scoreText(first.mean)}.`
  return `${title}: from ${scoreText(first.mean)} (${monthsText(first)}) to ${scoreText(last.mean)} (${monthsText(last)}), between ${scoreText(Math.min(...means))} and ${scoreText(Math.max(...means))}.`
}
