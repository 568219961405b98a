import { useQuery } from '@tanstack/react-query'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { useReader } from '#app/kit/session/session.data.ts'
import { buttonLook } from '#app/kit/ui/button.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { jobListLook } from '../../search/ui/job-list-look.ts'
import { JobRow, JobRowsSkeleton } from '../../ui/job-row.tsx'
import { savedJobsQuery } from '../saved-jobs.data.ts'
import { useSavedJobQueries } from './use-saved-job-queries.ts'

export function SavedJobs() {
  const { queries, isKnown } = useSavedJobQueries()
  // Without an id this browser has saved nothing, so there's no request.
  const isNobody = useReader() === null
  const { data, error, refetch } = useQuery({
    ...savedJobsQuery(queries.api, queries.who),
    enabled: isKnown && !isNobody,
  })
  const jobs = data?.jobs ?? (isKnown && isNobody ? [] : undefined)
  if (!jobs && error) return <LoadError text={refusalOf(error)} onRetry={refetch} />
  if (!jobs)
    return (
      <>
        <div className="no-js:hidden">
          <JobRowsSkeleton rows={3} />
        </div>
        <p className="text-sm text-ink-faint js:hidden">Saved jobs need JavaScript.</p>
      </>
    )
  if (jobs.length === 0)
    return (
      <EmptyState
        title="Nothing saved yet"
        text="Save a job to find it here again. No one else knows."
        action={
          <a href="/jobs" className={buttonLook('secondary')}>
            Browse jobs
          </a>
        }
      />
    )
  return (
    <ul className={jobListLook}>
      {jobs.map((job) => (
        <li key={job.id}>
          <JobRow job={job} />
        </li>
      ))}
    </ul>
  )
}
