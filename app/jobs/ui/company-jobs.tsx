import { EmptyState } from '#app/kit/ui/message.tsx'
import { CreateJobAlert } from '../alerts/ui/create-job-alert.tsx'
import { jobListHref } from '../search/job-list-address.ts'
import { JobList } from '../search/ui/job-list.tsx'

interface CompanyJobsProps {
  company: { id: string; name: string }
}

export function CompanyJobs({ company }: CompanyJobsProps) {
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
            text="Create an alert to hear when one is posted. No one learns you’re waiting for it."
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
