/** Quartiles, as bars and as a table. */
import { VerifiedMark } from '#app/companies/badges/ui/badge-mark.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { amountText } from '#app/kit/writing/currencies.ts'
import { CountsTable } from '../../ui/score-recipe.tsx'
import type { PayNumbersView } from '../pay.contract.ts'
import { MEASURE_NAMES, MEASURES } from '../pay.ts'

/** @param of such as "Nurses at Acme" */
export function PayBars({ numbers, of }: { numbers: PayNumbersView; of: string }) {
  const { quartiles, currency, entries, verified, year } = numbers
  const measures = MEASURES.filter((measure) => quartiles[measure][2] > 0)
  const most = Math.max(...measures.map((measure) => quartiles[measure][2]))
  const percent = (amount: number) => `${(100 * amount) / most}%`
  const text = (amount: number) => amountText(amount, currency)
  return (
    <div>
      <ul className="grid gap-4">
        {measures.map((measure) => {
          const [low, middle, high] = quartiles[measure]
          return (
            <li key={measure}>
              <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
                <span className="text-ink-soft">{MEASURE_NAMES[measure]}</span>
                <span className="font-semibold text-ink tabular-nums">{text(middle)}</span>
              </p>
              <svg
                role="img"
                aria-label={`${MEASURE_NAMES[measure]}: half earn between ${text(low)} and ${text(high)}, and the median is ${text(middle)}`}
                className="mt-1.5 block h-3 w-full overflow-hidden rounded-full"
              >
                <rect width="100%" height="100%" className="fill-line" />
                <rect
                  x={percent(low)}
                  width={percent(high - low)}
                  height="100%"
                  className="fill-star"
                />
                <rect
                  x={percent(middle)}
                  width="3"
                  height="100%"
                  className="-translate-x-px fill-ink"
                />
              </svg>
              <p aria-hidden="true" className="mt-1 text-right text-xs text-ink-faint tabular-nums">
                {`Half earn between ${text(low)} and ${text(high)}`}
              </p>
            </li>
          )
        })}
      </ul>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm leading-6 text-ink-soft">
        {`At least ${grouped(entries)} people gave their pay for ${year}. The line is the median.`}
        {verified > 0 && (
          <span className="inline-flex items-center gap-2">
            <VerifiedMark />
            {SHARES[verified]}
          </span>
        )}
      </p>
      <details className="mt-2 text-sm">
        <summary className={`w-fit rounded-sm py-1 ${linkClasses}`}>Show as a table</summary>
        <CountsTable
          label={`${of}, as a table`}
          className="mt-2"
          head={['In a year', 'A quarter earn less than', 'Half', 'Three quarters']}
          rows={measures.map((measure) => ({
            key: measure,
            cells: [MEASURE_NAMES[measure], ...quartiles[measure].map(text)],
          }))}
        />
      </details>
    </div>
  )
}

const SHARES = [
  '',
  'About a quarter of them',
  'About half of them',
  'About three quarters of them',
  'Nearly all of them',
]
