import type { ReactNode } from 'react'
import { daysText as officeDaysText, statedDays } from '#app/companies/edits/company-policy.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { grouped, plural } from '#app/kit/ui/format.ts'
import { scoreText } from '#app/kit/ui/score.tsx'
import type { DashboardView } from '../dashboard.contract.ts'
import { changeText, dayText, FEWER } from '../dashboard.ts'

interface NumberCardsProps {
  view: DashboardView
  whenNothing?: string
}

export function NumberCards({ view, whenNothing }: NumberCardsProps) {
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
        whenFew={ratings.inAll ? 'Fewer than five said so, or skipped it' : whenNothing}
      >
        {stated === null
          ? 'The company’s policy isn’t added yet'
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
