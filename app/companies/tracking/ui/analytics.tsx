/** Charts that only administrators' pages use. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { CsvButton } from '#app/kit/session/download.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { LoadError } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { analyticsQuery, saveCsv } from '../analytics.data.ts'
import { beginsText, type Count, DAILY, DAILY_SERIES, RATINGS, SIGN_UPS } from '../day-count.ts'
import type { Analytics as Counts, TrackingContract } from '../tracking.contract.ts'
import { CountPlot } from './count-plot.tsx'

export function Analytics() {
  const api = useApi<TrackingContract>()
  const { data, error, refetch } = useQuery(analyticsQuery(api))
  return (
    <section aria-labelledby="analytics">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="max-w-prose">
          <h2 id="analytics" className="font-serif text-2xl font-medium text-ink">
            The last 90 days
          </h2>
          <p className="mt-2 text-sm leading-6 text-ink-soft">
            Counted every hour, with days starting at midnight UTC. The numbers don’t say who it
            was, and for weeks and months we don’t show fewer than five.
          </p>
        </div>
        {data && <CsvButton onSave={() => saveCsv('analytics')} />}
      </div>
      {data && <Plots counts={data} />}
      {!data && error && (
        <LoadError
          title="Couldn’t load the numbers"
          text={errorSentence(error)}
          onRetry={refetch}
        />
      )}
      {!data && !error && (
        <Loading label="Loading analytics..." times={4} className="mt-8 grid gap-6 md:grid-cols-2">
          <SkeletonCard className="h-56" />
        </Loading>
      )}
    </section>
  )
}

export function Plots({ counts: { since, days, signUps, ratings } }: { counts: Counts }) {
  const today = days.at(-1)?.day ?? ''
  const series = (it: typeof SIGN_UPS, counts: Count[]) => ({
    ...it,
    counts,
    begins: beginsText({ per: it.per, counts }, { since, today }),
  })
  return (
    <div className="mt-8 grid gap-4 md:grid-cols-2 md:gap-6">
      {DAILY.map((name) => (
        <CountPlot
          key={name}
          {...series(
            DAILY_SERIES[name],
            days.map((day) => ({ from: day.day, n: day[name] })),
          )}
          isUnderWay
          className={cx(cardClasses, name === 'visitors' && 'md:col-span-2')}
        />
      ))}
      <CountPlot {...series(SIGN_UPS, signUps)} className={cardClasses} />
      <CountPlot {...series(RATINGS, ratings)} className={cardClasses} />
    </div>
  )
}

const cardClasses = 'rounded-xl border border-line bg-surface p-5'
