import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, CircleSlash, Clock, ExternalLink, Mail, Share2 } from 'lucide'
import { useEffect } from 'react'
import { useApi } from '#app/api/client.ts'
import { ReportButton } from '#app/community/reports/ui/report-button.tsx'
import { pageFailure } from '#app/kit/session/page-failure.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { share } from '#app/kit/ui/share.ts'
import { Loading, Skeleton, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import type { Job, JobContract } from './job.contract.ts'
import { jobIdOf, jobQuery, OTHER_JOBS, otherJobsQuery, trackJob } from './job.data.ts'
import { type JobStatus, postedAgo } from './job.ts'
import { daysLeft, salaryText, timeLeftText } from './job-text.ts'
import { JobArticle } from './postings/ui/job-article.tsx'
import { jobListHref } from './search/job-list-address.ts'
import { JobLine } from './ui/job-line.tsx'
import { SaveJobButton } from './ui/job-row.tsx'

/** The page at `/jobs/{id}-{readable-tail}`. */
export default function JobScreen({ id: segment }: { id?: string }) {
  const api = useApi<JobContract>()
  const { path, search } = useAddress()
  const query = useQuery(jobQuery(api, jobIdOf(segment)))
  const job = query.data

  // The server redirects to the full path. Within the site, we replace it in place.
  const home = job && encodeURI(job.path)
  useEffect(() => {
    if (home && home !== path) navigate(search ? `${home}?${search}` : home, { replace: true })
  }, [home, path, search])

  const failure = pageFailure(query)
  if (failure) return failure
  return job ? <JobPage job={job} /> : <JobSkeleton />
}

function JobPage({ job }: { job: Job }) {
  const { siteName, siteUrl } = useSite()
  const { id, title, company } = job
  const isOpen = job.status === 'open'
  useEffect(() => {
    trackJob(id, 'view')
  }, [id])
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-6 md:py-10">
      <title>{`${title} at ${company.name} – ${siteName}`}</title>
      <meta
        name="description"
        content={`${title} at ${company.name}: ${salaryText(job.salary)}. ${job.excerpt}`.trim()}
      />
      <link rel="canonical" href={siteUrl + encodeURI(job.path)} />
      {(!isOpen || job.demo) && <meta name="robots" content="noindex" />}

      <a
        href="/jobs"
        className="-ml-1 inline-flex min-h-10 items-center gap-1.5 rounded-md px-1 text-sm text-ink-soft hover:text-ink"
      >
        <Icon of={ArrowLeft} className="size-4" />
        Jobs
      </a>
      <div className="mt-3">
        <JobArticle job={job} description={<PostBody html={job.html} />}>
          {job.demo && (
            <p className="mt-5 text-sm text-ink-soft">
              <Badge>Demo</Badge> This job is made up. No one can be hired for it.
            </p>
          )}
          {isOpen ? <TimeLeft job={job} /> : <Closed job={job} />}
          <JobActions job={job} />
        </JobArticle>
      </div>
      {isOpen && (
        <div className="mt-8 border-t border-line pt-6">
          <ApplyLink job={job} />
        </div>
      )}
      <OtherJobs job={job} />
    </div>
  )
}

function TimeLeft({ job }: { job: Job }) {
  const left = daysLeft(job)
  return (
    <p className="mt-5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-faint">
      <Icon of={Clock} className="size-4" />
      {job.postedDaysAgo !== null && <span>{`Posted ${postedAgo(job.postedDaysAgo)}`}</span>}
      {left !== null && (
        <>
          <span aria-hidden="true">·</span>
          <span>{timeLeftText(left)}</span>
        </>
      )}
    </p>
  )
}

function Closed({ job }: { job: Job }) {
  if (job.status === 'open') return null
  const { title, text } = CLOSED_TEXTS[job.status]
  return (
    <p className="mt-5 flex gap-3 rounded-lg bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft">
      <Icon of={CircleSlash} className="mt-1 size-4 shrink-0 text-ink-faint" />
      <span>
        <strong className="font-semibold text-ink">{title}.</strong> {text}
      </span>
    </p>
  )
}

function JobActions({ job }: { job: Job }) {
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2">
      {job.status === 'open' && <ApplyLink job={job} />}
      <SaveJobButton job={job} />
      <Button
        variant="ghost"
        size="sm"
        className="no-js:hidden"
        icon={<Icon of={Share2} />}
        onClick={() => share(job.title, job.path)}
      >
        Share
      </Button>
      <ReportButton post={{ kind: 'job', id: job.id }} className="no-js:hidden" />
    </div>
  )
}

/** Says where the link leads, because that's outside the site. */
function ApplyLink({ job: { id, title, apply } }: { job: Job }) {
  const count = () => {
    trackJob(id, 'apply')
  }
  if (apply.email !== null)
    return (
      <a
        href={mailAddress(apply.email, title)}
        className={`${buttonClasses('primary', 'lg')} max-w-full`}
        onClick={count}
      >
        <Icon of={Mail} />
        <span className="min-w-0 truncate">{`Apply by email to ${apply.email}`}</span>
      </a>
    )
  if (apply.link === null) return null
  return (
    <a
      href={apply.link}
      target="_blank"
      rel="nofollow noopener noreferrer ugc"
      className={`${buttonClasses('primary', 'lg')} max-w-full`}
      onClick={count}
      // The middle mouse button also opens it.
      onAuxClick={(event) => event.button === 1 && count()}
    >
      <span className="min-w-0 truncate">{`Apply at ${hostOf(apply.link)}`}</span>
      <Icon of={ExternalLink} />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

/** Encoded, so the address can't add a header or a recipient. */
const mailAddress = (email: string, title: string) =>
  `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${encodeURIComponent(title)}`

const hostOf = (link: string) => {
  try {
    return new URL(link).hostname.replace(/^www\./, '')
  } catch {
    return 'the company’s site'
  }
}

function OtherJobs({ job }: { job: Job }) {
  const api = useApi<JobContract>()
  const { company } = job
  const answer = useQuery(otherJobsQuery(api, company.id)).data
  const others = answer?.jobs.filter(({ id }) => id !== job.id).slice(0, OTHER_JOBS) ?? []
  if (others.length === 0) return null
  return (
    <section aria-labelledby="other-jobs" className="mt-12 border-t border-line pt-8">
      <h2 id="other-jobs" className="font-serif text-2xl font-medium tracking-tight text-balance">
        {`Other jobs at ${company.name}`}
      </h2>
      <ul className="mt-3 divide-y divide-line">
        {others.map((other) => (
          <li key={other.id} className="py-4">
            <a
              href={other.path}
              dir="auto"
              className="font-medium text-pretty text-ink [overflow-wrap:anywhere] hover:text-tea-strong hover:underline hover:underline-offset-4"
            >
              {other.title}
            </a>
            <JobLine job={other} className="mt-1.5" />
          </li>
        ))}
      </ul>
      {(answer?.jobs.length ?? 0) > OTHER_JOBS && (
        <a
          href={jobListHref({ company: company.id })}
          className="mt-2 inline-flex min-h-10 items-center text-sm text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink"
        >
          {`All jobs at ${company.name}`}
        </a>
      )}
    </section>
  )
}

const JobSkeleton = () => (
  <Loading className="mx-auto w-full max-w-3xl px-5 py-6 md:py-10">
    <Skeleton className="h-5 w-16" />
    <Skeleton className="mt-6 h-10 w-4/5" />
    <Skeleton className="mt-5 h-17 w-full max-w-md rounded-xl" />
    <Skeleton className="mt-5 h-5 w-56" />
    <Skeleton className="mt-5 h-12 w-64" />
    <SkeletonCard className="mt-6 h-36" />
    <Skeleton className="mt-8 h-48 w-full" />
  </Loading>
)

const CLOSED_TEXTS: Record<Exclude<JobStatus, 'open'>, { title: string; text: string }> = {
  filled: { title: 'This job is filled', text: 'The company isn’t taking applications.' },
  expired: {
    title: 'This job has expired',
    text: 'The company didn’t renew it, so it may be filled.',
  },
  draft: { title: 'This is a draft', text: 'No one else sees it until you post it.' },
}
