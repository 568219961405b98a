/** Clicks per day, of the chosen company or the most clicked ones. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { CsvButton } from '#app/kit/session/download.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { clicksQuery, saveCsv } from '../analytics.data.ts'
import type { ClickedCompany } from '../click-table.ts'
import { daysUpTo, PLOTTED_MAX } from '../day-count.ts'
import type { TrackingContract } from '../tracking.contract.ts'
import { CountPlot } from './count-plot.tsx'

/** @param companies most clicked first; six at most are drawn */
export function ClicksPlot({ companies }: { companies: ClickedCompany[] }) {
  const drawn = companies.slice(0, PLOTTED_MAX)
  const { data, error } = useQuery(
    clicksQuery(
      useApi<TrackingContract>(),
      drawn.map(({ id }) => id),
    ),
  )
  if (drawn.length === 0) return null
  const isOne = drawn.length === 1
  const days = data && daysUpTo(data.today)
  const plots = drawn.map((company) => {
    const counts = data?.companies.find(({ id }) => id === company.id)?.counts ?? []
    const byDay = new Map(counts.map(({ day, n }) => [day, n]))
    return { ...company, counts: days?.map((day) => ({ from: day, n: byDay.get(day) ?? 0 })) ?? [] }
  })
  return (
    <section aria-labelledby="clicks-per-day" className="mt-12">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="max-w-prose">
          <h2 id="clicks-per-day" className="font-serif text-2xl font-medium text-ink">
            Clicks per company and day
          </h2>
          <p className="mt-2 text-sm leading-6 text-ink-soft">
            The last 90 days, counted every hour, with days starting at midnight UTC.
            {!isOne && ' These companies have the most of the clicks above.'}
          </p>
        </div>
        {data && <CsvButton onSave={() => saveCsv('clicks')} />}
      </div>
      {error && !data && (
        <p role="alert" className="mt-6 text-sm text-ink-soft">
          Couldn’t load the numbers. {refusalOf(error)}
        </p>
      )}
      {!error && !data && (
        <Loading label="Loading clicks per day..." className="mt-6">
          <SkeletonCard className="h-56" />
        </Loading>
      )}
      {data && (
        <div className={isOne ? 'mt-6' : 'mt-6 grid gap-4 md:grid-cols-2 md:gap-6'}>
          {plots.map(({ id, name, counts }) => (
            <CountPlot
              key={id}
              title={name}
              per="day"
              counts={counts}
              isUnderWay
              className="rounded-xl border border-line bg-surface p-5"
            />
          ))}
        </div>
      )}
    </section>
  )
}
