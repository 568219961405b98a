/** All of a company's numbers that we may show, as cards and plots. Also rendered on the server. */
import type { ReactNode } from 'react'
import type { RatingCategory } from '#app/companies/company.ts'
import { daysText as officeDaysText, statedDays } from '#app/companies/edits/company-policy.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { grouped, plural } from '#app/kit/ui/format.ts'
import { scoreText } from '#app/kit/ui/score.tsx'
import type { DashboardView } from '../dashboard.contract.ts'
import {
  CATEGORY_KEYS,
  CATEGORY_NAMES,
  changeText,
  type Days,
  dayText,
  EXAMPLE,
  EXAMPLE_TEXT,
  EXAMPLE_TITLE,
  withheldSentences,
} from '../dashboard.ts'
import { ExampleBars, ExampleSteps } from './plot-frame.tsx'
import { ScorePlot, SpanPlot } from './plots.tsx'

interface DashboardNumbersProps {
  /** Includes all days of the plots, counted or not. */
  view: DashboardView & { from: string; until: string }
  isCounted?: boolean
  /** Shows only this plot. */
  category?: RatingCategory
}

export function DashboardNumbers({ view, isCounted = true, category }: DashboardNumbersProps) {
  const range: Days = { from: view.from, to: view.until }
  const { enableDiscussions } = useSite().flags
  const { ratings, threads, comments, jobs, coming } = view
  // Views are counted up to the counting day, which is after the last week.
  const [, lastClasses = range.to] = [range.to, jobs?.spans.at(-1)?.to ?? range.to].sort()
  const jobsRange: Days = { ...range, to: lastClasses }
  const keys = category ? [category] : CATEGORY_KEYS
  const parts = keys.map((key) => ({
    key,
    spans: ratings.spans.flatMap(({ from, to, parts }) =>
      parts.filter((part) => part.key === key).map((part) => ({ from, to, ...part })),
    ),
  }))
  const withheldParts = parts.flatMap(({ key, spans }) => (spans.length > 0 ? [] : [key]))
  const withheld = isCounted ? withheldNames(view, { enableDiscussions, withheldParts }) : []
  const posts = enableDiscussions ? [threads, comments].flatMap(({ spans }) => spans) : []
  return (
    <>
      <NumberCards view={view} />
      {withheld.length > 0 && (
        <p className="mt-5 max-w-prose text-sm leading-6 text-ink-soft">
          {withheldSentences(withheld, coming)}
        </p>
      )}
      {(category ? withheldParts.length === 0 : ratings.spans.length > 0) && (
        <Group id="dashboard-ratings" title="Ratings over time">
          {!category && (
            <ScorePlot
              title="All categories"
              className="md:col-span-2"
              range={range}
              inAll={ratings.inAll}
              spans={ratings.spans.map(({ score, ...span }) => ({ ...span, mean: score }))}
            />
          )}
          {parts.map(
            ({ key, spans }) =>
              spans.length > 0 && (
                <ScorePlot
                  key={key}
                  className={category && 'md:col-span-2'}
                  title={CATEGORY_NAMES[key]}
                  range={range}
                  inAll={ratings.parts.find((part) => part.key === key) ?? null}
                  spans={spans}
                />
              ),
          )}
        </Group>
      )}
      {posts.length > 0 && (
        <Group id="dashboard-discussions" title="Discussions">
          {threads.spans.length > 0 && (
            <SpanPlot
              title="Threads per week"
              text="A wide bar covers several weeks with few posts."
              range={range}
              spans={threads.spans}
            />
          )}
          {comments.spans.length > 0 && (
            <SpanPlot
              title="Comments per week"
              text="In all threads about the company."
              range={range}
              spans={comments.spans}
            />
          )}
        </Group>
      )}
      {jobs && jobs.spans.length > 0 && (
        <Group id="dashboard-jobs" title="Jobs">
          <SpanPlot
            title="Job views per week"
            text="Each person counts once per day and job."
            range={jobsRange}
            spans={jobs.spans.map(({ views, ...days }) => ({ ...days, n: views }))}
          />
          <SpanPlot
            title="Applies per week"
            text="People who clicked Apply."
            range={jobsRange}
            spans={jobs.spans.map(({ applies, ...days }) => ({ ...days, n: applies }))}
          />
        </Group>
      )}
      <Examples
        hasRatings={ratings.spans.length === 0}
        hasPosts={enableDiscussions && posts.length === 0}
      />
    </>
  )
}

interface Withheld {
  enableDiscussions: boolean
  withheldParts: RatingCategory[]
}

/** What a count didn't show. Without any ratings, there's nothing more to say about their parts. */
function withheldNames(view: DashboardView, { enableDiscussions, withheldParts }: Withheld) {
  const { ratings, threads, comments, followers, office, jobs } = view
  return [
    ...(ratings.inAll === null
      ? ['ratings']
      : [
          ...withheldParts.map((key) => `“${CATEGORY_NAMES[key]}”`),
          office.actual === null && 'days in the office according to raters',
        ]),
    enableDiscussions && threads.n === null && 'threads',
    enableDiscussions && comments.n === null && 'comments',
    followers.n === null && 'followers',
    jobs?.views === null && 'job views and applies',
  ].filter((name) => name !== false)
}

interface ExamplesProps {
  hasRatings: boolean
  hasPosts: boolean
}

function Examples({ hasRatings, hasPosts }: ExamplesProps) {
  if (!hasRatings && !hasPosts) return null
  return (
    <section aria-labelledby="dashboard-examples" className="mt-12">
      <h2 id="dashboard-examples" className="font-serif text-2xl font-medium text-ink">
        {EXAMPLE_TITLE}
      </h2>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm leading-6 text-ink-soft">
        <Badge tone="tea">{EXAMPLE}</Badge>
        {EXAMPLE_TEXT}
      </p>
      <div className="mt-5 grid gap-4 md:auto-cols-fr md:grid-flow-col md:gap-6">
        {hasRatings && <ExampleSteps title="Ratings over time" />}
        {hasPosts && <ExampleBars title="Threads and comments per week" />}
      </div>
    </section>
  )
}

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="font-serif text-2xl font-medium text-ink">
        {title}
      </h2>
      <div className="mt-5 grid gap-4 md:grid-cols-2 md:gap-6 md:*:only:col-span-2">{children}</div>
    </section>
  )
}

function NumberCards({ view }: { view: DashboardView }) {
  const { ratings, threads, comments, followers, office, jobs } = view
  const { enableDiscussions } = useSite().flags
  const stated = office.policy && statedDays(office.policy)
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3 empty:hidden lg:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] lg:gap-4">
      <Card name="Score" number={ratings.inAll && scoreText(ratings.inAll.mean)}>
        {ratings.change !== null && `${changeText(ratings.change)} from the previous months`}
      </Card>
      <Card name="Raters" number={ratings.inAll && grouped(ratings.inAll.ratings)}>
        Ratings given or changed
      </Card>
      {enableDiscussions && (
        <>
          <Card name="Threads" number={threads.n === null ? null : grouped(threads.n)} />
          <Card name="Comments" number={comments.n === null ? null : grouped(comments.n)} />
        </>
      )}
      <Card name="Followers" number={followers.n === null ? null : `${grouped(followers.n)}+`}>
        {followers.since !== null && `In fives, since ${dayText(followers.since)}`}
      </Card>
      {office.actual ? (
        <Card name="Days in the office" number={officeDaysText(office.actual.mean)}>
          {`According to ${plural(office.actual.ratings, 'rater')}. `}
          {stated === null
            ? 'The company’s policy hasn’t been added yet'
            : `The company says ${officeDaysText(stated)} a week`}
        </Card>
      ) : (
        <Card name="Days in the office" number={stated === null ? null : officeDaysText(stated)}>
          A week, as the company says
        </Card>
      )}
      {jobs && (
        <>
          <Card name="Job views" number={jobs.views === null ? null : grouped(jobs.views)}>
            Once per person and day
          </Card>
          <Card name="Applies" number={jobs.applies === null ? null : grouped(jobs.applies)}>
            People who clicked Apply
          </Card>
        </>
      )}
    </dl>
  )
}

interface CardProps {
  name: string
  /** Null for one that we can't show. */
  number: string | null
  children?: ReactNode
}

function Card({ name, number, children }: CardProps) {
  if (number === null) return null
  return (
    <div className="flex min-w-0 flex-col rounded-xl border border-line bg-surface p-4 md:p-5">
      <dt className="text-sm leading-5 text-ink-soft">{name}</dt>
      <dd className="mt-3 flex flex-1 flex-col justify-between gap-2">
        <span className="font-serif text-3xl leading-none font-medium tracking-tight text-ink tabular-nums">
          {number}
        </span>
        {children && <span className="text-xs leading-5 text-ink-faint">{children}</span>}
      </dd>
    </div>
  )
}
