/** For people who act for a company: its jobs, and the form. Spec §2.1. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Plus } from 'lucide'
import type { ReactNode } from 'react'
import { statusOf, useApi } from '#app/api/client.ts'
import { representAddress } from '#app/companies/claims/claim.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { pageFailure } from '#app/kit/session/page-failure.tsx'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import type { JobContract } from './job.contract.ts'
import { myJobQuery, myJobsQuery } from './postings/own-jobs.data.ts'
import { OwnJobs } from './postings/ui/own-jobs.tsx'

const JobComposer = lazyComponent(
  () => import('./postings/ui/job-composer.tsx').then((it) => it.JobComposer),
  <SkeletonCard className="mt-8 h-96" />,
)

export default function PostJobScreen() {
  return (
    <>
      <PageHead title="Post a job" text="The jobs at the company you act for." />
      <MembersOnly
        title="Post a job"
        text="Jobs are posted by people who act for a company. Log in to post one, or to manage the ones you have."
      >
        {() => <Posting />}
      </MembersOnly>
    </>
  )
}

type Company = { id: string; name: string; path: string }

/** Runs only in the browser, so it can read the address immediately. */
function Posting() {
  const api = useApi<JobContract>()
  const query = new URLSearchParams(useAddress().search)
  const { flags } = useSite()
  const myJobs = useQuery(myJobsQuery(api))
  const { data } = myJobs
  const failure = pageFailure(myJobs)
  if (failure) return failure
  if (!data) return <PostingSkeleton />
  const { companies } = data
  const [first] = companies
  if (!first)
    return (
      <EmptyState
        isHeading
        className="mt-[8svh]"
        title="You don’t act for a company yet"
        text="Jobs are posted by people who act for a company. Tell us which one, and show that you work there, with an email address at its website or a record in its DNS. An administrator reviews it. Until then, nothing changes for you."
        action={
          <a href={representAddress(settingsPath(flags))} className={buttonClasses()}>
            I represent a company
          </a>
        }
      />
    )
  const job = query.get('job')
  const company = companies.find(({ id }) => id === query.get('company'))
  if (job) return <EditJob key={job} id={job} companies={companies} />
  if (query.has('new')) return <NewJob companies={companies} company={company ?? first} />
  return <Jobs companies={companies} company={company} />
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-6xl px-5 py-8 md:py-12">
      <a
        href="/post-job"
        className="-ml-1 inline-flex min-h-10 items-center gap-1.5 rounded-md px-1 text-sm text-ink-soft hover:text-ink"
      >
        <Icon of={ArrowLeft} className="size-4" />
        Your jobs
      </a>
      <h1 className="mt-2 font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        {title}
      </h1>
      {children}
    </div>
  )
}

function NewJob({ companies, company }: { companies: Company[]; company: Company }) {
  return (
    <Frame title="New job">
      {companies.length === 1 ? (
        <p className="mt-3 text-ink-soft">{`At ${company.name}.`}</p>
      ) : (
        <div className="mt-6 max-w-md">
          <CompanySelect
            label="Company"
            companies={companies}
            value={company.id}
            onChange={(id) => navigate(newJobHref(id), { replace: true })}
          />
        </div>
      )}
      <JobComposer key={company.id} company={company} />
    </Frame>
  )
}

function EditJob({ id, companies }: { id: string; companies: Company[] }) {
  const api = useApi<JobContract>()
  const { data, error, refetch } = useQuery({ ...myJobQuery(api, id), refetchOnMount: 'always' })
  const company = companies.find((each) => each.id === data?.companyId)
  if (data && company)
    return (
      <Frame title="Edit job">
        <JobComposer key={id} company={company} existing={{ job: data, refetch }} />
      </Frame>
    )
  if (!data && !error) return <PostingSkeleton />
  if (data || statusOf(error) === 404)
    return (
      <EmptyState
        isHeading
        className="mt-[8svh]"
        title="There’s nothing here you can change"
        text="The job no longer exists, or it belongs to a company you don’t act for."
        action={
          <a href="/post-job" className={buttonClasses('secondary')}>
            Your jobs
          </a>
        }
      />
    )
  return <LoadError isPage text={errorSentence(error)} onRetry={refetch} />
}

function Jobs({ companies, company }: { companies: Company[]; company?: Company }) {
  const hasSeveral = companies.length > 1
  const newHref = newJobHref((company ?? companies[0])?.id ?? '')
  return (
    <div className="mx-auto w-full max-w-4xl px-5 py-8 md:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="min-w-0 font-serif text-4xl leading-tight font-medium tracking-tight text-balance text-ink md:text-5xl">
          {hasSeveral ? 'Your jobs' : `Jobs at ${companies[0]?.name}`}
        </h1>
        <a href={newHref} className={buttonClasses()}>
          <Icon of={Plus} />
          New job
        </a>
      </div>
      {hasSeveral && (
        <div className="mt-6 max-w-xs">
          <CompanySelect
            label="Company"
            companies={companies}
            value={company?.id ?? ''}
            all="All companies"
            onChange={(id) =>
              navigate(id ? `/post-job?company=${id}` : '/post-job', { replace: true })
            }
          />
        </div>
      )}
      <div className="mt-8">
        <OwnJobs
          company={company?.id}
          newHref={newHref}
          hasSeveral={hasSeveral && company === undefined}
        />
      </div>
    </div>
  )
}

interface CompanySelectProps {
  label: string
  companies: Company[]
  value: string
  /** The label of the option for all companies. */
  all?: string
  onChange: (id: string) => void
}

const CompanySelect = ({ label, companies, value, all, onChange }: CompanySelectProps) => (
  <Select label={label} value={value} onChange={(event) => onChange(event.target.value)}>
    {all && <option value="">{all}</option>}
    {companies.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </Select>
)

const newJobHref = (company: string) => `/post-job?company=${company}&new=1`

const PostingSkeleton = () => (
  <Loading className="mx-auto w-full max-w-4xl px-5 py-8 md:py-12">
    <Skeleton className="h-12 w-72 max-w-full" />
    <SkeletonCard className="mt-8 h-40" />
    <SkeletonCard className="mt-4 h-40" />
  </Loading>
)
