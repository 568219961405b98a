/** Issue 7; S12. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide'
import type { ReactNode } from 'react'
import { hasCode, useApi } from '#app/api/client.ts'
import { representAddress } from '#app/companies/claims/claim.ts'
import { daysBefore } from '#app/companies/tracking/day-count.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { CsvButton } from '#app/kit/session/download.tsx'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { PageHead, SiteLink, useSite } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Select } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, ErrorState, LoadError } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import type { DashboardContract, DashboardView } from './dashboard.contract.ts'
import { dashboardQuery, myDashboardsQuery, saveDashboard } from './dashboard.data.ts'
import {
  ASK_IN,
  CATEGORY_KEYS,
  CATEGORY_NAMES,
  DASHBOARD,
  dashboardAddress,
  dashboardChoice,
  dayText,
  NO_COMPANY,
  NOT_COUNTED,
  PROTECTION,
  RANGE_NAMES,
  RANGES,
} from './dashboard.ts'
import { DashboardNumbers } from './ui/dashboard-numbers.tsx'

export default function DashboardScreen() {
  return (
    <>
      <PageHead title={DASHBOARD.title} text={DASHBOARD.text} />
      <MembersOnly title={DASHBOARD.title} text={ASK_IN}>
        {() => <Companies />}
      </MembersOnly>
    </>
  )
}

/** The company in the URL, or the first one the person acts for. */
function Companies() {
  const { company } = dashboardChoice(useAddress().search)
  const { data, error, refetch } = useQuery(myDashboardsQuery(useApi<DashboardContract>()))
  const id = company ?? data?.companies[0]?.id
  if (error && !data)
    return (
      <Page>
        <Failure error={error} onRetry={refetch} />
      </Page>
    )
  if (!data)
    return (
      <Page>
        <NumbersSkeleton />
      </Page>
    )
  if (id === undefined)
    return (
      <Page>
        <EmptyState title={NO_COMPANY.title} text={NO_COMPANY.text} action={<RepresentLink />} />
      </Page>
    )
  return <CompanyDashboard id={id} companies={data.companies} />
}

const JobFeeds = lazyComponent(
  () => import('#app/jobs/feeds/ui/job-feeds.tsx').then((it) => it.JobFeeds),
  <SkeletonCard className="h-44" />,
)

interface CompanyDashboardProps {
  id: string
  companies: { id: string; name: string }[]
}

function CompanyDashboard({ id, companies }: CompanyDashboardProps) {
  const choice = dashboardChoice(useAddress().search)
  const query = { weeks: choice.weeks, category: choice.category }
  const { data, error, isFetching, refetch } = useQuery({
    ...dashboardQuery(useApi<DashboardContract>(), id, query),
    placeholderData: keepPreviousData,
  })
  // Another company's numbers mustn't show meanwhile.
  const view = data?.company.id === id ? data : undefined
  const go = (change: { company?: string; weeks?: string; category?: string }) =>
    navigate(dashboardAddress({ ...choice, company: id, ...change }), { replace: true })
  const isOwn = companies.some((company) => company.id === id)
  const { enableJobs } = useSite().flags
  return (
    <Page
      company={view?.company}
      action={view?.until ? <CsvButton onSave={() => saveDashboard(id, query)} /> : undefined}
    >
      {view && (
        <div className="mt-8 grid gap-4 sm:grid-cols-2 lg:flex lg:flex-wrap lg:*:w-64">
          {companies.length > 1 && isOwn && (
            <Select
              label="Company"
              value={id}
              onChange={({ target }) => go({ company: target.value })}
            >
              {companies.map((company) => (
                <option key={company.id} value={company.id}>
                  {company.name}
                </option>
              ))}
            </Select>
          )}
          <Select
            label="Range"
            value={choice.weeks}
            onChange={({ target }) => go({ weeks: target.value })}
          >
            {RANGES.map((range) => (
              <option key={range} value={range}>
                {RANGE_NAMES[range]}
              </option>
            ))}
          </Select>
          <Select
            label="Category"
            value={choice.category ?? ''}
            onChange={({ target }) => go({ category: target.value })}
          >
            <option value="">All categories</option>
            {CATEGORY_KEYS.map((key) => (
              <option key={key} value={key}>
                {CATEGORY_NAMES[key]}
              </option>
            ))}
          </Select>
        </div>
      )}
      <div aria-busy={isFetching}>
        {view && <Numbers view={view} category={choice.category} />}
        {!view && error && <Failure error={error} onRetry={refetch} />}
        {!view && !error && <NumbersSkeleton />}
      </div>
      {view && <ProtectionNote />}
      {view && isOwn && enableJobs && (
        <section aria-labelledby="job-feeds" className="mt-12">
          <h2 id="job-feeds" className="mb-4 font-serif text-2xl font-medium text-ink">
            Job feeds
          </h2>
          <JobFeeds key={id} company={id} />
        </section>
      )}
    </Page>
  )
}

function Numbers({
  view,
  category,
}: {
  view: DashboardView
  category: Parameters<typeof DashboardNumbers>[0]['category']
}) {
  // Before the first count, the plots are empty and say when numbers will come.
  const until = view.until ?? daysBefore(view.coming.week.from, 1)
  const from = view.from ?? daysBefore(until, 7 * Number(view.weeks) - 1)
  return (
    <>
      <p role="status" className="mt-5 mb-6 text-sm leading-6 text-ink-faint">
        {view.until === null
          ? NOT_COUNTED
          : `${dayText(from)} to ${dayText(until)}. Updated weekly. Today’s score is on the company’s page.`}
      </p>
      <DashboardNumbers
        view={{ ...view, from, until }}
        isCounted={view.until !== null}
        category={category}
      />
    </>
  )
}

function Page({ company, action, children }: PageProps) {
  return (
    <div className="mx-auto w-full max-w-5xl px-5 py-8 md:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <header className="min-w-0">
          <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-balance text-ink md:text-5xl">
            {DASHBOARD.title}
          </h1>
          <p className="mt-2 max-w-prose text-ink-soft">
            {company ? (
              <>
                <SiteLink href={company.path} className={`break-words ${linkClasses}`}>
                  {company.name}
                </SiteLink>
                : what people say, in numbers based on at least five people each.
              </>
            ) : (
              DASHBOARD.text
            )}
          </p>
        </header>
        {action}
      </div>
      {children}
    </div>
  )
}

interface PageProps {
  company?: { name: string; path: string }
  action?: ReactNode
  children: ReactNode
}

/** A refusal says why, and how to get access. People can retry anything else. */
function Failure({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  if (hasCode(error, 'forbidden'))
    return (
      <ErrorState
        title="You don’t have access to this dashboard"
        text={errorSentence(error)}
        action={<RepresentLink />}
      />
    )
  return (
    <LoadError title="Couldn’t load the numbers" text={errorSentence(error)} onRetry={onRetry} />
  )
}

const RepresentLink = () => (
  <a href={representAddress(settingsPath(useSite().flags))} className={buttonClasses('primary')}>
    I represent a company
  </a>
)

const NumbersSkeleton = () => (
  <Loading label="Loading the numbers..." className="mt-8">
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-4">
      <SkeletonCard className="h-28" />
      <SkeletonCard className="h-28" />
      <SkeletonCard className="h-28" />
      <SkeletonCard className="h-28" />
    </div>
    <SkeletonCard className="mt-8 h-56" />
  </Loading>
)

/** Why some numbers are missing, for readers and for the people behind them. */
function ProtectionNote() {
  return (
    <section
      aria-labelledby="dashboard-protection"
      className="mt-12 rounded-xl bg-sunken p-5 md:p-7"
    >
      <h2
        id="dashboard-protection"
        className="flex items-center gap-2.5 font-serif text-xl font-medium text-ink"
      >
        <Icon of={ShieldCheck} className="size-5 shrink-0 text-leaf" />
        How these numbers protect people
      </h2>
      <ul className="mt-4 grid max-w-prose list-disc gap-2 pl-5 text-sm leading-6 text-ink-soft">
        {PROTECTION.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}
