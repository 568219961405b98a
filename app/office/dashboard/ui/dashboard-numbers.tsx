/** All of a company's numbers, as cards and plots. Also rendered on the server. */
import type { ReactNode } from 'react'
import type { RatingCategory } from '#app/companies/company.ts'
import { daysText as officeDaysText, statedDays } from '#app/companies/edits/company-policy.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { grouped, plural } from '#app/kit/ui/format.ts'
import { scoreText } from '#app/kit/ui/score.tsx'
import type { DashboardView } from '../dashboard.contract.ts'
import {
  CATEGORY_KEYS,
  CATEGORY_NAMES,
  CATEGORY_WITHHELD,
  COMING,
  COUNTED_SOON,
  changeText,
  type Days,
  dayText,
  FEWER,
} from '../dashboard.ts'
import { ScorePlot, SpanPlot } from './plots.tsx'

interface DashboardNumbersProps {
  /** Includes all days of the plots, counted or not. */
  view: DashboardView & { from: string; until: string }
  isCounted?: boolean
  /** Shows only this plot. */
  category?: RatingCategory
}

export function DashboardNumbers({ view, isCounted = true, category }: DashboardNumbersProps) {
  const whenNothing = isCounted ? undefined : COUNTED_SOON
  const range: Days = { from: view.from, to: view.until }
  const { flags } = useSite()
  const { ratings, threads, comments, jobs, coming } = view
  // Views are counted up to the counting day, which is after the last week.
  const [, lastClasses = range.to] = [range.to, jobs?.spans.at(-1)?.to ?? range.to].sort()
  const jobsRange: Days = { ...range, to: lastClasses }
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
            whenEmpty={ratings.spans.length > 0 ? CATEGORY_WITHHELD : whenNothing}
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

interface NumberCardsProps {
  view: DashboardView
  whenNothing?: string
}

function NumberCards({ view, whenNothing }: NumberCardsProps) {
  const { ratings, threads, comments, followers, office, jobs } = view
  const { flags } = useSite()
  const stated = office.policy && statedDays(office.policy)
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-4">
      <Card
        name="Score"
        whenFew={whenNothing}
        number={ratings.inAll && scoreText(ratings.inAll.mean)}
      >
        {ratings.change !== null && `${changeText(ratings.change)} from the previous months`}
      </Card>
      <Card
        name="Raters"
        whenFew={whenNothing}
        number={ratings.inAll && grouped(ratings.inAll.ratings)}
      >
        Ratings given or changed
      </Card>
      {flags.enableDiscussions && (
        <>
          <Card
            name="Threads"
            whenFew={whenNothing}
            number={threads.n === null ? null : grouped(threads.n)}
          />
          <Card
            name="Comments"
            whenFew={whenNothing}
            number={comments.n === null ? null : grouped(comments.n)}
          />
        </>
      )}
      <Card
        name="Followers"
        whenFew={whenNothing}
        number={followers.n === null ? null : `${grouped(followers.n)}+`}
      >
        {followers.n !== null &&
          followers.since !== null &&
          `In fives, since ${dayText(followers.since)}`}
      </Card>
      <Card
        name="Days in the office"
        number={office.actual && officeDaysText(office.actual.mean)}
        isWide={!jobs}
        whenFew={
          ratings.inAll ? 'Fewer than five answered, or fewer than five skipped it' : whenNothing
        }
      >
        {stated === null
          ? 'The company’s policy hasn’t been added yet'
          : `The company says ${officeDaysText(stated)} a week`}
        {office.actual && ` · according to ${plural(office.actual.ratings, 'rater')}`}
      </Card>
      {jobs && (
        <>
          <Card
            name="Job views"
            number={jobs.views === null ? null : grouped(jobs.views)}
            whenFew={whenNothing ?? FEW_LOOKS}
          >
            Once per person and day
          </Card>
          <Card
            name="Applies"
            number={jobs.applies === null ? null : grouped(jobs.applies)}
            whenFew={whenNothing ?? FEW_LOOKS}
          >
            People who clicked Apply
          </Card>
        </>
      )}
    </dl>
  )
}

const FEW_LOOKS = 'Fewer than five viewed, applied, or only viewed'

interface CardProps {
  name: string
  /** Null for fewer than five people. */
  number: string | null
  isWide?: boolean
  whenFew?: string
  children?: ReactNode
}

function Card({ name, number, isWide = false, whenFew = FEWER, children }: CardProps) {
  return (
    <div
      className={`flex min-w-0 flex-col rounded-xl border border-line bg-surface p-4 md:p-5 ${isWide ? 'lg:col-span-3' : ''}`}
    >
      <dt className="text-sm leading-5 text-ink-soft">{name}</dt>
      <dd className="mt-3 flex flex-1 flex-col justify-between gap-2">
        {number === null ? (
          <span className="text-sm leading-6 text-ink-faint">{whenFew}</span>
        ) : (
          <span className="font-serif text-3xl leading-none font-medium tracking-tight text-ink tabular-nums">
            {number}
          </span>
        )}
        {children && <span className="text-xs leading-5 text-ink-faint">{children}</span>}
      </dd>
    </div>
  )
}
