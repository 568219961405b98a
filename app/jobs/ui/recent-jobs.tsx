/** Recent jobs on the home page. Spec §9. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import type { JobContract } from '../job.contract.ts'
import { recentJobsQuery } from '../job.data.ts'
import { jobListClasses } from './job-line.tsx'
import { JobRow } from './job-row.tsx'

/** Empty if there are none, or if they don't load. */
export function RecentJobs() {
  const api = useApi<JobContract>()
  const jobs = useQuery(recentJobsQuery(api)).data?.jobs ?? []
  if (jobs.length === 0) return null
  return (
    <section aria-labelledby="recent-jobs" className="border-t border-line">
      <div className="mx-auto max-w-6xl px-5 py-12 md:py-16">
        <h2 id="recent-jobs" className="font-serif text-3xl font-medium tracking-tight">
          Recent jobs
        </h2>
        <ul className={`${jobListClasses} mt-6`}>
          {jobs.map((job) => (
            <li key={job.id}>
              <JobRow job={job} heading="h3" />
            </li>
          ))}
        </ul>
        <p className="mt-8 text-center text-sm">
          <a
            href="/jobs"
            className="inline-flex min-h-10 items-center rounded-md px-2 font-medium text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
          >
            See all jobs
          </a>
        </p>
      </div>
    </section>
  )
}
