import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/more-button.tsx'
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
  if (list.isPending) return <JobRowsSkeleton />
  if (list.isError && jobs.length === 0)
    return <LoadError text={refusalOf(list.error)} onRetry={list.refetch} />
  if (jobs.length === 0) return empty
  return (
    <>
      <ul className={jobListLook}>
        {jobs.map((job) => (
          <li key={job.id}>
            <JobRow job={job} showsCompany={showsCompany} heading={heading} />
          </li>
        ))}
      </ul>
      <MoreButton
        list={list}
        label="More"
        href={jobListHref({ ...address, after: pages.at(-1)?.next ?? undefined })}
        className="mt-6 min-h-11"
      />
    </>
  )
}
