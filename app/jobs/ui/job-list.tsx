import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import { CreateJobAlert } from '../alerts/ui/create-job-alert.tsx'
import type { JobContract } from '../job.contract.ts'
import { jobsQuery } from '../job.data.ts'
import { type JobListAddress, jobListHref } from '../search/job-list-address.ts'
import { jobListClasses } from './job-line.tsx'
import { JobRow, JobRowsSkeleton } from './job-row.tsx'

interface JobListProps {
  address: JobListAddress
  showsCompany?: boolean
  heading?: 'h2' | 'h3'
  /** Shown instead of an empty list. */
  empty: ReactNode
}

export function JobList({ address, showsCompany, heading, empty }: JobListProps) {
  const api = useApi<JobContract>()
  const list = useInfiniteQuery(jobsQuery(api, address))
  const pages = list.data?.pages ?? []
  const jobs = pages.flatMap((page) => page.jobs)
  const href = jobListHref({ ...address, after: pages.at(-1)?.next ?? undefined })
  return (
    <PagedList
      query={list}
      items={jobs}
      render={(job) => <JobRow job={job} showsCompany={showsCompany} heading={heading} />}
      empty={empty}
      failure={list.error && { text: errorSentence(list.error) }}
      loading={<JobRowsSkeleton />}
      more={{ label: 'More', href, className: 'mt-6 min-h-11' }}
      className={jobListClasses}
      rowClassName=""
    />
  )
}

export function CompanyJobs({ company }: { company: { id: string; name: string } }) {
  const address = { company: company.id }
  return (
    <section aria-labelledby="company-jobs" className="max-w-4xl">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h2 id="company-jobs" className="font-serif text-2xl font-medium tracking-tight">
          Open jobs
        </h2>
        <CreateJobAlert filters={address} />
      </div>
      <JobList
        address={address}
        showsCompany={false}
        heading="h3"
        empty={
          <EmptyState
            title={`No open jobs at ${company.name}`}
            text="Create an alert to hear when one is posted. No one knows you’re waiting for one."
          />
        }
      />
      <p className="mt-5">
        <a
          href={jobListHref(address)}
          className="inline-flex min-h-10 items-center text-sm text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink md:min-h-8"
        >
          Search and sort these jobs
        </a>
      </p>
    </section>
  )
}
