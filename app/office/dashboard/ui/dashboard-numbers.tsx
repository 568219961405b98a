/** All of a company's numbers, as cards and plots. Also rendered on the server. */

import type { ReactNode } from 'react'
import type { RatingCategory } from '#app/companies/company.ts'
import { useSite } from '#app/kit/session/site.tsx'
import type { DashboardView } from '../dashboard.contract.ts'
import {
  CATEGORY_KEYS,
  CATEGORY_NAMES,
  COMING,
  COUNTED_SOON,
  type Days,
  NOT_APART,
} from '../dashboard.ts'
import { NumberCards } from './number-cards.tsx'
import { ScorePlot } from './score-plot.tsx'
import { SpanPlot } from './span-plot.tsx'

interface DashboardNumbersProps {
  /** With the days of the plots, counted or not. */
  view: DashboardView & { from: string; until: string }
  isCounted?: boolean
  /** Shows only this one. */
  category?: RatingCategory
}

export function DashboardNumbers({ view, isCounted = true, category }: DashboardNumbersProps) {
  const whenNothing = isCounted ? undefined : COUNTED_SOON
  const range: Days = { from: view.from, to: view.until }
  const { flags } = useSite()
  const { ratings, threads, comments, jobs, coming } = view
  // Views are counted up to the counting day, which is after the last week.
  const [, lastLook = range.to] = [range.to, jobs?.spans.at(-1)?.to ?? range.to].sort()
  const jobsRange: Days = { ...range, to: lastLook }
  return (
    <>
      <NumberCards view={view} whenNothing={whenNothing} />
      <Group id="dashboard-ratings" title="Ratings over time">
        {!category && (
          <ScorePlot
            title="All categories"
            className="md:col-span-2"
            whenEmpty={whenNothing ?? COMING.ratings(coming)}
            hasExample
            range={range}
            inAll={ratings.inAll}
            given={ratings.spans.map(({ score, ...span }) => ({ ...span, mean: score }))}
          />
        )}
        {(category ? [category] : CATEGORY_KEYS).map((key) => (
          <ScorePlot
            key={key}
            className={category && 'md:col-span-2'}
            title={CATEGORY_NAMES[key]}
            range={range}
            whenEmpty={ratings.spans.length > 0 ? NOT_APART : whenNothing}
            hasExample={category !== undefined && ratings.spans.length === 0}
            inAll={ratings.parts.find((part) => part.key === key) ?? null}
            given={ratings.spans.flatMap(({ from, to, parts }) =>
              parts.filter((part) => part.key === key).map((part) => ({ from, to, ...part })),
            )}
          />
        ))}
      </Group>
      {flags.enableDiscussions && (
        <Group id="dashboard-discussions" title="Discussions">
          <SpanPlot
            title="Threads per week"
            text="A wide bar covers several weeks with few posts."
            range={range}
            whenEmpty={whenNothing ?? COMING.posts(coming)}
            hasExample
            spans={threads.spans}
          />
          <SpanPlot
            title="Comments per week"
            text="In all threads about the company."
            range={range}
            whenEmpty={whenNothing ?? COMING.posts(coming)}
            hasExample
            spans={comments.spans}
          />
        </Group>
      )}
      {jobs && (
        <Group id="dashboard-jobs" title="Jobs">
          <SpanPlot
            title="Job views per week"
            text="Each person counts once per day and job."
            range={jobsRange}
            whenEmpty={whenNothing ?? COMING.jobs(coming)}
            spans={jobs.spans.map(({ views, ...days }) => ({ ...days, n: views }))}
          />
          <SpanPlot
            title="Applies per week"
            text="People who clicked Apply."
            range={jobsRange}
            whenEmpty={whenNothing ?? COMING.jobs(coming)}
            spans={jobs.spans.map(({ applies, ...days }) => ({ ...days, n: applies }))}
          />
        </Group>
      )}
    </>
  )
}

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="font-serif text-2xl font-medium text-ink">
        {title}
      </h2>
      <div className="mt-5 grid gap-4 md:grid-cols-2 md:gap-6">{children}</div>
    </section>
  )
}
