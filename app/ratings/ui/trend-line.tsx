import { linkClasses } from '#app/kit/ui/class-names.ts'
import { dateText, grouped } from '#app/kit/ui/format.ts'
import { scoreText } from '#app/kit/ui/score.tsx'
import type { Bucket } from '../rating.contract.ts'
import { monthsName, TREND_MONTHS, type TrendPoint, trendOf } from '../rating-trend.ts'
import { CountsTable } from './score-recipe.tsx'

/** The drawing's own units. It's stretched to its box. */
const WIDTH = TREND_MONTHS - 1
const HEIGHT = 4

/** The score over 24 months, as a line and a table. @param month the current one, at the right edge */
export function TrendLine({ buckets, month }: { buckets: Bucket[]; month: string }) {
  const points = trendOf(buckets, month)
  const [first, last] = [points[0], points.at(-1)]
  if (!last)
    return (
      <p className="self-center text-sm leading-6 text-ink-faint">
        No one has rated it in the last two years, so there’s no trend.
      </p>
    )
  // The score stays as it is until the next rating.
  const line = [...points, { ...last, at: WIDTH }].map(({ at, score }) => `${at},${5 - score}`)
  return (
    <div id="trend" className="min-w-0">
      <h3 className="text-sm font-semibold">The last 24 months</h3>
      {/* The line is empty before. */}
      {first && points.length === buckets.length && (
        <p className="mt-1 text-sm text-ink-faint">{`First rated in ${dateText(first.from)}.`}</p>
      )}
      <div className="mt-3 flex gap-2">
        <div
          aria-hidden="true"
          className="-my-2 flex flex-col justify-between text-right text-xs leading-4 text-ink-faint tabular-nums"
        >
          {[5, 4, 3, 2, 1].map((stars) => (
            <span key={stars}>{stars}</span>
          ))}
        </div>
        <svg
          role="img"
          aria-label={textAlternative(points)}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-36 min-w-0 flex-1 overflow-visible"
        >
          {[0, 1, 2, 3, 4].map((y) => (
            <line
              key={y}
              x1="0"
              x2={WIDTH}
              y1={y}
              y2={y}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          <polyline
            points={line.join(' ')}
            fill="none"
            strokeWidth="2"
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-star"
          />
          {/* A line of zero length with round ends is a dot, no matter how the drawing is stretched. */}
          {points.map(({ at, score, from }) => (
            <path
              key={from}
              d={`M${at} ${5 - score}h0.0001`}
              strokeWidth="8"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
              className="stroke-star"
            />
          ))}
        </svg>
      </div>
      <div
        aria-hidden="true"
        className="mt-2 ml-4 flex justify-between text-xs leading-4 text-ink-faint"
      >
        <span>{dateText(monthsEarlier(month, WIDTH), 'short')}</span>
        <span>{dateText(monthsEarlier(month, Math.floor(WIDTH / 2)), 'short')}</span>
        <span>{dateText(month, 'short')}</span>
      </div>
      <details className="mt-3 text-sm">
        <summary className={`w-fit rounded-sm py-1 ${linkClasses}`}>Show as a table</summary>
        <CountsTable
          label="The trend as a table"
          className="mt-2"
          head={['Months', 'Ratings', 'Their average', 'Number from then on']}
          rows={points.map((point) => ({
            key: point.from,
            cells: [
              monthsName(point),
              grouped(point.ratings),
              scoreText(point.mean),
              scoreText(point.score),
            ],
          }))}
        />
      </details>
    </div>
  )
}

function textAlternative(points: TrendPoint[]) {
  const [first, last] = [points[0] as TrendPoint, points.at(-1) as TrendPoint]
  if (points.length === 1)
    return `The number has been ${scoreText(last.score)} since ${dateText(last.to)}.`
  const scores = points.map(({ score }) => score)
  return `From ${scoreText(first.score)} in ${dateText(first.to)} to ${scoreText(last.score)} now, between ${scoreText(Math.min(...scores))} and ${scoreText(Math.max(...scores))}.`
}

function monthsEarlier(month: string, months: number) {
  const date = new Date(`${month}-01`)
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.toISOString().slice(0, 7)
}
