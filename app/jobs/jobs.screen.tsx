/** Open jobs, and the saved ones. Spec §2.1. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { X } from 'lucide'
import { type Client, useApi } from '#app/api/client.ts'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import { companyQuery } from '#app/companies/company.data.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { useReader } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { tabClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState, LoadError, NeedsScripts } from '#app/kit/ui/message.tsx'
import { CreateJobAlert } from './alerts/ui/create-job-alert.tsx'
import type { JobContract } from './job.contract.ts'
import { jobsQuery } from './job.data.ts'
import { savedJobsQuery, useSavedJobQueries } from './saved/saved-jobs.data.ts'
import { filtersOf, type SetFilter, setFilters } from './search/job-filters.ts'
import { type JobListAddress, jobListAddress, jobListHref } from './search/job-list-address.ts'
import { JobFilters, JobSearchForm, JobSortSelect } from './search/ui/job-filter-form.tsx'
import { jobListClasses } from './ui/job-line.tsx'
import { JobList } from './ui/job-list.tsx'
import { JobRow, JobRowsSkeleton } from './ui/job-row.tsx'

export default function JobsScreen() {
  const query = Object.fromEntries(new URLSearchParams(useAddress().search))
  const isSaved = Boolean(query.saved)
  return (
    <div className="mx-auto w-full max-w-6xl px-5 py-8 md:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="font-serif text-4xl font-medium tracking-tight md:text-5xl">
          {isSaved ? 'Saved jobs' : 'Jobs'}
        </h1>
        <a href="/post-job" className={buttonClasses('secondary')}>
          Post a job
        </a>
      </div>
      <nav aria-label="Lists of jobs" className="mt-5 border-b border-line">
        <ul className="-mb-px flex gap-6">
          <Tab href="/jobs" isCurrent={!isSaved}>
            All jobs
          </Tab>
          <Tab href="/jobs?saved=1" isCurrent={isSaved}>
            Saved
          </Tab>
        </ul>
      </nav>
      {isSaved ? <Saved /> : <AllJobs address={jobListAddress(query)} />}
    </div>
  )
}

const Tab = ({ href, isCurrent, children }: TabProps) => (
  <li>
    <a href={href} aria-current={isCurrent ? 'page' : undefined} className={tabClasses(isCurrent)}>
      {children}
    </a>
  </li>
)

interface TabProps {
  href: string
  isCurrent: boolean
  children: string
}

function Saved() {
  const { siteName } = useSite()
  return (
    <section aria-label="Saved jobs" className="max-w-4xl pt-8">
      <title>{`Saved jobs – ${siteName}`}</title>
      <meta name="description" content="The jobs you saved." />
      <meta name="robots" content="noindex" />
      <SavedJobs />
    </section>
  )
}

function AllJobs({ address }: { address: JobListAddress }) {
  const api = useApi<JobContract & CompanyContract>()
  const { siteName, siteUrl } = useSite()
  const list = useInfiniteQuery(jobsQuery(api, address))
  const jobs = list.data?.pages.flatMap((page) => page.jobs) ?? []
  const companyName = useCompanyName(api, address.company) ?? jobs[0]?.company.name
  const filters = setFilters(address, address.company && companyName)
  const isListed = filters.every(({ key }) => key === 'company') && !address.after
  const heading = address.company && companyName ? `Jobs at ${companyName}` : 'Jobs'
  return (
    <>
      <title>{`${heading} – ${siteName}`}</title>
      <meta
        name="description"
        content={`${heading} on ${siteName}. Every job says what it pays, next to how people rate the company.`}
      />
      {isListed ? (
        <link rel="canonical" href={siteUrl + jobListHref({ company: address.company })} />
      ) : (
        <meta name="robots" content="noindex, follow" />
      )}
      <JobSearchForm address={address} companyName={address.company && companyName} />
      <div className="mt-6 grid-cols-[15rem_minmax(0,1fr)] gap-10 lg:mt-8 lg:grid">
        <JobFilters address={address} companyName={address.company && companyName} />
        <section aria-label="Results" className="min-w-0 max-lg:mt-6">
          {/* With no results, `NoJobs` shows the filters. */}
          {!(list.isSuccess && jobs.length === 0) && <FilterChips filters={filters} />}
          <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
            <p className="mr-auto text-sm text-ink-soft max-sm:w-full" role="status">
              {list.isSuccess && jobs.length > 0 && shownText(jobs.length, list.hasNextPage)}
              {list.isSuccess && jobs.length === 0 && (
                <span className="sr-only">No matching jobs</span>
              )}
            </p>
            <CreateJobAlert filters={filtersOf(address)} />
            <JobSortSelect address={address} />
          </div>
          <JobList address={address} empty={<NoJobs filters={filters} after={address.after} />} />
        </section>
      </div>
    </>
  )
}

/**
 * The name of the company in the filter, which the route's `more` loads on the server. A deleted
 * company has none.
 */
function useCompanyName(api: Client<CompanyContract>, id: string | undefined) {
  const { flags } = useSite()
  const enabled = flags.enableCompanies && id !== undefined
  const { data } = useQuery({ ...companyQuery(api, id ?? ''), enabled })
  return id && data?.name
}

const shownText = (shown: number, hasMore: boolean) =>
  hasMore ? `The first ${plural(shown, 'job')}` : plural(shown, 'job')

function FilterChips({ filters }: { filters: SetFilter[] }) {
  if (filters.length === 0) return null
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <ul aria-label="Active filters" className="contents">
        {filters.map(({ key, text, href }) => (
          <li key={key} className="min-w-0">
            <a href={href} className={chipClasses}>
              <span className="sr-only">Remove </span>
              <span className="min-w-0 truncate">{text}</span>
              <Icon of={X} className="size-3.5 shrink-0" />
            </a>
          </li>
        ))}
      </ul>
      {filters.length > 1 && (
        <a
          href="/jobs"
          className="inline-flex min-h-9 items-center px-1 text-sm text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink"
        >
          Clear all
        </a>
      )}
    </div>
  )
}

/** Offers to remove each filter. */
function NoJobs({ filters, after }: { filters: SetFilter[]; after?: string }) {
  const { flags } = useSite()
  if (filters.length === 0)
    return (
      <EmptyState
        title={after ? 'No more jobs' : 'No open jobs yet'}
        text={
          after
            ? 'You’ve reached the end of the list.'
            : 'Jobs show up here as soon as a company posts one. Each says what it pays.'
        }
        action={
          (after || flags.enableCompanies) && (
            <a href={after ? '/jobs' : '/companies'} className={buttonClasses('secondary')}>
              {after ? 'Back to the start' : 'Browse companies'}
            </a>
          )
        }
      />
    )
  return (
    <EmptyState
      title="No matching jobs"
      text={
        filters.length === 1
          ? 'Remove this filter to see more, or create an alert for new ones.'
          : 'Remove one of these to see more, or create an alert for new ones.'
      }
      action={
        <ul className="flex flex-wrap justify-center gap-2">
          {filters.map(({ key, text, href }) => (
            <li key={key} className="min-w-0">
              <a href={href} className={cx(buttonClasses('secondary', 'sm'), 'max-w-full')}>
                <span className="sr-only">Remove </span>
                <span className="min-w-0 truncate">{text}</span>
                <Icon of={X} />
              </a>
            </li>
          ))}
        </ul>
      }
    />
  )
}

const chipClasses = cx(
  'inline-flex h-10 max-w-full items-center gap-1.5 rounded-full bg-tea-soft px-3.5 text-sm md:h-8',
  'font-medium text-tea-strong transition-colors hover:bg-tea-soft/70 md:text-[0.8125rem]',
)

function SavedJobs() {
  const { queries, isKnown } = useSavedJobQueries()
  // Without an id, this browser has saved nothing, so we send no request.
  const isNobody = useReader() === null
  const { data, error, refetch } = useQuery({
    ...savedJobsQuery(queries.api, queries.sessionKey),
    enabled: isKnown && !isNobody,
  })
  const jobs = data?.jobs ?? (isKnown && isNobody ? [] : undefined)
  if (!jobs && error) return <LoadError text={errorSentence(error)} onRetry={refetch} />
  if (!jobs)
    return (
      <>
        <div className="no-js:hidden">
          <JobRowsSkeleton rows={3} />
        </div>
        <NeedsScripts>Saved jobs need JavaScript.</NeedsScripts>
      </>
    )
  if (jobs.length === 0)
    return (
      <EmptyState
        title="Nothing saved yet"
        text="Save a job to find it here later. No one else knows."
        action={
          <a href="/jobs" className={buttonClasses('secondary')}>
            Browse jobs
          </a>
        }
      />
    )
  return (
    <ul className={jobListClasses}>
      {jobs.map((job) => (
        <li key={job.id}>
          <JobRow job={job} />
        </li>
      ))}
    </ul>
  )
}
