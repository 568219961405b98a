import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil } from 'lucide'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { useReach } from '#app/kit/session/site.tsx'
import { Badge, type BadgeTone } from '#app/kit/ui/badge.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { JobContract, OwnJob } from '../../job.contract.ts'
import { JOB_STATUS_NAMES, type JobStatus, postedAgo } from '../../job.ts'
import { daysLeft, timeLeftText } from '../../job-text.ts'
import { JobLine, jobListClasses } from '../../ui/job-line.tsx'
import {
  deleteJob,
  fillJob,
  JOB_TOASTS,
  type JobQueries,
  myJobsQuery,
  openJob,
} from '../own-jobs.data.ts'

const TONES: Record<JobStatus, BadgeTone> = {
  open: 'leaf',
  draft: 'tea',
  filled: 'quiet',
  expired: 'danger',
}

const RENEWING = {
  name: 'Renew',
  busy: 'Renewing...',
  toast: JOB_TOASTS.renewed,
  failure: 'Couldn’t renew the job',
}
/** What we call opening a job, by its status. */
const OPENING = {
  draft: {
    name: 'Post',
    busy: 'Posting...',
    toast: JOB_TOASTS.posted,
    failure: 'Couldn’t post the job',
  },
  open: RENEWING,
  expired: RENEWING,
  filled: {
    name: 'Reopen',
    busy: 'Opening...',
    toast: JOB_TOASTS.reopened,
    failure: 'Couldn’t reopen the job',
  },
}

interface OwnJobsProps {
  /** Limits the list to one company. */
  company?: string
  newHref: string
  /** Whether the person has several companies. If so, each row names its company. */
  hasSeveral: boolean
}

export function OwnJobs({ company, newHref, hasSeveral }: OwnJobsProps) {
  const api = useApi<JobContract>()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(myJobsQuery(api, company))
  const heading = useRef<HTMLHeadingElement>(null)
  if (!data && error) return <LoadError text={errorSentence(error)} onRetry={refetch} />
  if (!data) return <OwnJobsSkeleton />
  if (data.jobs.length === 0)
    return (
      <EmptyState
        title="No jobs yet"
        text="A job stays open for sixty days, and you can renew it. Start with a draft. No one else sees it until you post it."
        action={
          <a href={newHref} className={buttonClasses()}>
            New job
          </a>
        }
      />
    )
  return (
    <section aria-labelledby="own-jobs">
      {/* Takes the focus when the focused job disappears. */}
      <h2 id="own-jobs" ref={heading} tabIndex={-1} className="sr-only">
        Jobs
      </h2>
      <ul className={jobListClasses}>
        {data.jobs.map((job) => (
          <li key={job.id}>
            <OwnJobRow
              job={job}
              queries={{ api, queryClient }}
              showsCompany={hasSeveral}
              onGone={() => heading.current?.focus()}
            />
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm text-ink-faint">
        Each person counts once a day. Numbers are rounded to fives, so no one can be singled out.
      </p>
    </section>
  )
}

interface OwnJobRowProps {
  job: OwnJob
  queries: JobQueries
  showsCompany: boolean
  onGone: () => void
}

function OwnJobRow({ job, queries, showsCompany, onGone }: OwnJobRowProps) {
  const { id, title, status, company } = job
  const texts = OPENING[status]
  const [openQuestion, setOpenQuestion] = useState<'delete' | 'fill'>()
  // The dialog keeps its text while it closes.
  const [question, setQuestion] = useState<'delete' | 'fill'>('delete')
  const [isBusy, setBusy] = useState(false)
  const ask = (what: 'delete' | 'fill') => {
    setQuestion(what)
    setOpenQuestion(what)
  }
  const open = async () => {
    setBusy(true)
    await openJob(queries, id).then(() => toast(texts.toast), reportError(texts.failure))
    setBusy(false)
  }
  const answer = async () => {
    if (question === 'fill')
      await fillJob(queries, id).then(
        () => toast(JOB_TOASTS.filled),
        reportError('Couldn’t close the job'),
      )
    else
      await deleteJob(queries, id).then(() => {
        toast(JOB_TOASTS.deleted)
        onGone()
      }, reportError('Couldn’t delete the job'))
  }
  return (
    <article className="px-4 py-5 md:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3
          dir="auto"
          className="min-w-0 flex-1 text-[1.0625rem] leading-snug font-semibold text-pretty text-ink [overflow-wrap:anywhere]"
        >
          {status === 'draft' ? (
            title
          ) : (
            <a href={job.path} className="hover:text-tea-strong hover:underline">
              {title}
            </a>
          )}
        </h3>
        <Badge tone={TONES[status]}>{JOB_STATUS_NAMES[status]}</Badge>
      </div>
      {showsCompany && <p className="mt-1 text-sm font-medium text-ink-soft">{company.name}</p>}
      <JobLine job={job} className="mt-2" />
      {job.moderation && <Moderation moderation={job.moderation} />}
      {status !== 'draft' && <Numbers job={job} />}
      <div className="mt-4 flex flex-wrap gap-2">
        <a href={`/post-job?job=${id}`} className={buttonClasses('secondary', 'sm')}>
          <Icon of={Pencil} />
          Edit<span className="sr-only">{` “${title}”`}</span>
        </a>
        <Button variant="secondary" size="sm" busy={isBusy} busyLabel={texts.busy} onClick={open}>
          {texts.name}
          <span className="sr-only">{` “${title}”`}</span>
        </Button>
        {status === 'open' && (
          <Button variant="ghost" size="sm" {...ConfirmDialog.preload} onClick={() => ask('fill')}>
            Close as filled<span className="sr-only">{` “${title}”`}</span>
          </Button>
        )}
        <Button variant="ghost" size="sm" {...ConfirmDialog.preload} onClick={() => ask('delete')}>
          Delete<span className="sr-only">{` “${title}”`}</span>
        </Button>
        <ConfirmDialog
          open={openQuestion !== undefined}
          onOpenChange={(isOpen) => !isOpen && setOpenQuestion(undefined)}
          title={JOB_QUESTIONS[question].title}
          texts={{
            ...JOB_QUESTIONS[question],
            text: `“${title}” ${JOB_QUESTIONS[question].text}`,
          }}
          variant={question === 'delete' ? 'danger' : 'primary'}
          act={answer}
        />
      </div>
    </article>
  )
}

function Moderation({ moderation }: { moderation: NonNullable<OwnJob['moderation']> }) {
  const { state, reasons } = moderation
  const appeal = useReach()('/my-discussions?tab=moderation')
  return (
    <p className="mt-3 rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
      {MODERATION[state]}
      {reasons.map(reasonName).join(', ')}.
      {state !== 'reported' && appeal && (
        <>
          {' '}
          <a href={appeal} className={linkClasses}>
            See the decision, or appeal
          </a>
        </>
      )}
    </p>
  )
}

function Numbers({ job }: { job: OwnJob }) {
  const left = daysLeft(job)
  return (
    <ul className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-faint">
      {job.postedDaysAgo !== null && <li>{`Posted ${postedAgo(job.postedDaysAgo)}`}</li>}
      {job.status === 'open' && left !== null && <li>{timeLeftText(left)}</li>}
      <li>{roundedCountText(job.views, 'views')}</li>
      <li>{roundedCountText(job.applies, 'went on to apply')}</li>
    </ul>
  )
}

const OwnJobsSkeleton = () => (
  <Loading label="Loading your jobs..." times={3} className={jobListClasses}>
    <div className="h-48 px-4 py-5 md:h-41 md:px-5">
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="mt-3 h-4 w-11/12" />
      <Skeleton className="mt-3 h-4 w-1/2" />
      <Skeleton className="mt-5 h-9 w-56" />
    </div>
  </Loading>
)

const JOB_QUESTIONS = {
  delete: {
    title: 'Delete this job?',
    text: 'will be permanently deleted, along with its statistics.',
    confirm: 'Delete job',
    busy: 'Deleting...',
    cancel: 'Keep it',
  },
  fill: {
    title: 'Close this job as filled?',
    text: 'will stop taking applications. Its page stays up and says it’s filled. You can reopen it later.',
    confirm: 'Close job',
    busy: 'Closing...',
    cancel: 'Keep it open',
  },
} as const

/** Followed by the reasons. */
const MODERATION = {
  reported: 'Reported, but still shown. A moderator is reviewing it. Reason given: ',
  held: 'Hidden until a moderator decides. Reason: ',
  removed: 'Removed by a moderator. Reason: ',
} as const

/** Rounds to fives, so no one can be singled out. */
const roundedCountText = (count: number | null, what: string) =>
  count === null ? `Fewer than five ${what}` : `At least ${count.toLocaleString('en')} ${what}`
