import { Bookmark } from 'lucide'
import type { ReactNode } from 'react'
import { CompanyLogo } from '#app/companies/logos/ui/company-logo.tsx'
import { CompanyScore } from '#app/companies/ui/company-score.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { JobRow as Row } from '../job.contract.ts'
import { JOB_STATUS_NAMES, postedAgo } from '../job.ts'
import { saveJob, useSavedJobs } from '../saved/saved-jobs.data.ts'
import { JobLine, jobListClasses } from './job-line.tsx'

interface JobRowProps {
  job: Row
  /** Off if all rows have the same company. */
  showsCompany?: boolean
  /** Level of the title, after the headings above. */
  heading?: 'h2' | 'h3'
}

export function JobRow({ job, showsCompany = true, heading: Title = 'h2' }: JobRowProps) {
  const { title, company, tags, status, postedDaysAgo } = job
  return (
    <article className="group relative px-4 pt-5 pb-3 transition-colors hover:bg-sunken/60 md:px-5">
      <div className="flex gap-4">
        {showsCompany && (
          <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-11" />
        )}
        <div className="min-w-0 flex-1">
          <Title
            dir="auto"
            className="text-[1.0625rem] leading-snug font-semibold text-pretty text-ink [overflow-wrap:anywhere]"
          >
            {/* The whole row is clickable, but the link's text is just the title. */}
            <a
              href={job.path}
              className="outline-none after:absolute after:inset-0 group-hover:text-tea-strong focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-tea"
            >
              {title}
            </a>
          </Title>
          {showsCompany && (
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm">
              <SiteLink
                href={company.path}
                className="relative z-1 font-medium text-ink-soft hover:text-ink hover:underline hover:underline-offset-4"
              >
                {company.name}
              </SiteLink>
              <CompanyScore company={company} />
              {job.demo && <Badge>Demo</Badge>}
            </p>
          )}
        </div>
      </div>
      <JobLine job={job} className="mt-3" />
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        {status !== 'open' && <Badge tone="danger">{JOB_STATUS_NAMES[status]}</Badge>}
        {tags.length > 0 && (
          <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1.5">
            {tags.map((tag) => (
              <li key={tag} className="min-w-0">
                <Badge className="max-w-full [overflow-wrap:anywhere] whitespace-normal">
                  {tag}
                </Badge>
              </li>
            ))}
          </ul>
        )}
        <Foot posted={postedDaysAgo !== null && `Posted ${postedAgo(postedDaysAgo)}`}>
          <SaveJobButton job={job} />
        </Foot>
      </div>
    </article>
  )
}

const Foot = ({ posted, children }: { posted: string | false; children: ReactNode }) => (
  <div className="ml-auto flex items-center gap-2 text-[0.8125rem] text-ink-faint">
    {posted && <span>{posted}</span>}
    <span className="relative z-1 -mr-3 flex min-h-9">{children}</span>
  </div>
)

/** Fills a screen with rows as high as most jobs. */
export const JobRowsSkeleton = ({ rows = 5 }: { rows?: number }) => (
  <Loading label="Loading jobs..." times={rows} className={jobListClasses}>
    <div className="h-52 px-4 pt-5 pb-3 md:h-40 md:px-5">
      <div className="flex gap-4">
        <Skeleton className="size-11 rounded-[22%]" />
        <div className="flex-1">
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="mt-2 h-4 w-36" />
        </div>
      </div>
      <Skeleton className="mt-4 h-4 w-11/12" />
      <Skeleton className="mt-2 h-4 w-2/3 md:hidden" />
      <Skeleton className="mt-4 h-6 w-44" />
    </div>
  </Loading>
)

/** Keeps its space until we know the session. */
export function SaveJobButton({ job: { id, title } }: { job: { id: string; title: string } }) {
  const { queries, isSaved: isSavedJob } = useSavedJobs()
  const isSaved = isSavedJob(id)
  return (
    <Button
      variant="ghost"
      size="sm"
      // The label stays the same, because the pressed state says the rest.
      aria-pressed={isSaved ?? false}
      aria-disabled={isSaved === undefined || undefined}
      icon={<Icon of={Bookmark} className={cx('size-4', isSaved && 'fill-current')} />}
      className={cx('aria-disabled:opacity-100 no-js:hidden', isSaved && 'text-tea')}
      onClick={() => {
        if (isSaved === undefined) return
        saveJob(queries, id, !isSaved).catch(
          reportError(isSaved ? `Couldn’t remove “${title}”` : `Couldn’t save “${title}”`),
        )
      }}
    >
      Save
      <span className="sr-only">{` “${title}”`}</span>
    </Button>
  )
}
