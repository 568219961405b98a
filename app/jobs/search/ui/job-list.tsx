import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import type { JobContract } from '../../job.contract.ts'
import { jobsQuery } from '../../job.data.ts'
import { JobRow, JobRowsSkeleton } from '../../ui/job-row.tsx'
import { type JobListAddress, jobListHref } from '../job-list-address.ts'
import { jobListLook } from './job-list-look.ts'

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
      failure={list.error && { text: refusalOf(list.error) }}
      loading={<JobRowsSkeleton />}
      more={{ label: 'More', href, className: 'mt-6 min-h-11' }}
      className={jobListLook}
      rowClassName=""
    />
  )
}
