/** How the score is computed, with the company's own counts, so anyone can recompute it. */

import { Download } from 'lucide'
import { SURGE_DAYS } from '#app/companies/own-rating/rating-buckets.ts'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { scoreText } from '#app/kit/ui/score.tsx'
import type { Bucket, RatingsView } from '../rating.contract.ts'
import { SURGE_FACTOR, SURGE_MIN } from '../rating.ts'
import { monthsName } from '../rating-trend.ts'

/** With more terms, we only write out the sums, because the terms wouldn't fit on a line. */
const TERMS_MAX = 4

export function ScoreRecipe({ companyId, view }: { companyId: string; view: RatingsView }) {
  const { buckets, score } = view
  return (
    <details className="rounded-xl border border-line bg-surface px-5 py-3 open:pb-6">
      <summary className="rounded-sm py-1.5 text-[0.9375rem] font-semibold">
        How this number is made
      </summary>
      <div className="mt-3 grid max-w-3xl gap-5 text-[0.9375rem] leading-7 text-ink-soft">
        <p>
          Each rating has an average: the mean of the categories in it, to one decimal. The overall
          number is the mean of these averages, one per person, with old and new ratings counting
          the same. Each category’s number is the mean of its stars. No one can pay to count for
          more.
        </p>
        <p>
          {`There’s one exception, a surge. That’s when at least ${SURGE_MIN} people rate in a month, and that’s ${SURGE_FACTOR} times as many as usual in the year before. On the first day of a surge, each of that month’s ratings counts for 1/${SURGE_DAYS} of a usual one. On the second day it’s 2/${SURGE_DAYS}, and so on. After ${SURGE_DAYS} days they count in full. So a real wave is heard, but a one-evening campaign can’t sway the number.`}
        </p>
        <Formula />
        <p>
          {'With this company’s counts: '}
          <span className="font-serif text-ink tabular-nums">{exampleOf(buckets, score)}</span>
        </p>
        <CountsTable
          label="The counts"
          caption="Months with few ratings are grouped, so no row is just one person."
          head={['Months', 'Ratings', 'Sum of averages', 'Weight']}
          rows={buckets.map((bucket) => ({
            key: `${bucket.from} ${bucket.weight}`,
            cells: [
              monthsName(bucket),
              grouped(bucket.ratings),
              sumOf(bucket),
              `${bucket.weight}/${SURGE_DAYS}`,
            ],
          }))}
        />
        <p>
          <a
            href={`/api/v1/companies/${companyId}/ratings.csv`}
            download
            className={`inline-flex min-h-8 items-center gap-2 ${linkClasses}`}
          >
            <Icon of={Download} className="size-4" />
            Download these counts with all stars (CSV)
          </a>
        </p>
      </div>
    </details>
  )
}

/** Drawn as a fraction, and read out as a sentence. */
function Formula() {
  return (
    <p className="rounded-lg bg-sunken px-4 py-3">
      <span className="sr-only">
        For each row of the table below, multiply the sum of averages by the weight, and add up the
        results. Then divide by the total of each row’s ratings times its weight.
      </span>
      <span
        aria-hidden="true"
        className="flex flex-wrap items-center gap-x-3 gap-y-2 font-serif text-ink"
      >
        number =
        <span className="inline-grid text-center leading-8">
          <span className="border-b border-line-strong px-2">
            weight × sum of averages, added up
          </span>
          <span className="px-2">weight × ratings, added up</span>
        </span>
      </span>
    </p>
  )
}

const sumOf = ({ tenths }: Bucket) => (tenths / 10).toFixed(1)

/** We leave out weights that are all equal. */
function exampleOf(buckets: readonly Bucket[], score: number | null) {
  const [first] = buckets
  const isEven = buckets.every(({ weight }) => weight === first?.weight)
  const times = ({ weight }: Bucket) => (isEven ? '' : `${weight} × `)
  const total = (value: (bucket: Bucket) => number) =>
    buckets.reduce((sum, bucket) => sum + (isEven ? 1 : bucket.weight) * value(bucket), 0)
  const whole = [
    total(({ tenths }) => tenths / 10).toFixed(1),
    grouped(total(({ ratings }) => ratings)),
  ].join(' ÷ ')
  const isShort = buckets.length > 1 && buckets.length <= TERMS_MAX
  const terms = isShort
    ? `(${buckets.map((bucket) => times(bucket) + sumOf(bucket)).join(' + ')}) ÷ (${buckets
        .map((bucket) => times(bucket) + bucket.ratings)
        .join(' + ')}) = `
    : ''
  return `${terms}${whole} = ${score?.toFixed(3) ?? '--'}, shown as ${scoreText(score)}.`
}

export const tableClasses = 'w-full border-collapse text-sm tabular-nums'
export const cellClasses =
  'border-b border-line py-1.5 pl-4 text-right text-ink-soft first:pl-0 first:text-left [th]:font-medium'

interface CountsTableProps {
  label: string
  caption?: string
  head: readonly string[]
  rows: readonly { key: string; cells: readonly string[] }[]
  className?: string
}

export function CountsTable({ label, caption, head, rows, className }: CountsTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, so keys must reach it
    <section aria-label={label} tabIndex={0} className={cx('overflow-x-auto', className)}>
      <table className={tableClasses}>
        {caption && (
          <caption className="pb-2 text-left text-sm leading-6 text-ink-faint">{caption}</caption>
        )}
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className={cellClasses}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...counts] }) => (
            <tr key={key}>
              <th scope="row" className={`${cellClasses} font-normal`}>
                {name}
              </th>
              {counts.map((count, i) => (
                <td key={head[i + 1]} className={cellClasses}>
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
