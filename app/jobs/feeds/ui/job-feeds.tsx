/** A company's feeds of jobs, or all of the site's, and a form to add one. Lazy. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge, type BadgeTone } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { EmptyState, LoadError, LoadErrorLine } from '#app/kit/ui/message.tsx'
import { LocalTime, RelativeTime } from '#app/kit/ui/relative-time.tsx'
import { Loading, Skeleton, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { FeedRun, JobFeed, JobFeedContract } from '../job-feed.contract.ts'
import { jobsCounted, logSentence, runSentence } from '../job-feed.ts'
import {
  closeMissing,
  type FeedQueries,
  feedRunsQuery,
  jobFeedsQuery,
  readFeed,
  removeFeed,
  setPaused,
} from '../job-feeds.data.ts'
import { AddFeed, OmittedRowList } from './add-feed.tsx'
import { FeedColumns } from './feed-columns.tsx'

/** @param company limits it to one company's */
export function JobFeeds({ company }: { company?: string }) {
  const api = useApi<JobFeedContract>()
  const queries = { api, queryClient: useQueryClient() }
  const { data, error, refetch } = useQuery(jobFeedsQuery(api, company))
  const list = useRef<HTMLDivElement>(null)
  if (!data && error) return <LoadError text={errorSentence(error)} onRetry={refetch} />
  return (
    <div className="grid gap-6 *:min-w-0">
      <p className="max-w-prose text-sm leading-6 text-ink-soft">
        {`We check each feed every day. We post new jobs${company ? '' : ' at the companies they name'}, update changed ones and close those that are gone.`}
      </p>
      {/* Takes the focus when the focused feed disappears. */}
      <div ref={list} tabIndex={-1} className="outline-none">
        {!data && <FeedsSkeleton />}
        {data?.length === 0 && (
          <EmptyState
            title="No feeds yet"
            text="If another system has your jobs, give us its address below, and you don’t need to post them here."
          />
        )}
        {data && data.length > 0 && (
          <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
            {data.map((feed) => (
              <li key={feed.id}>
                <FeedRow
                  feed={feed}
                  queries={queries}
                  namesCompany={!company}
                  onGone={() => list.current?.focus()}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      <AddFeed company={company} queries={queries} />
      <FeedColumns />
    </div>
  )
}

const FeedsSkeleton = () => (
  <Loading label="Loading the feeds...">
    <SkeletonCard className="h-44" />
  </Loading>
)

function stateOf({ paused, isReading, missing, lastRun }: JobFeed): [BadgeTone, string] {
  if (paused !== null) return ['danger', 'Paused']
  if (isReading) return ['tea', 'Reading...']
  if (lastRun?.outcome === 'failed') return ['danger', 'Failed']
  return missing > 0 ? ['tea', 'Needs a decision'] : ['leaf', 'Active']
}

interface FeedRowProps {
  feed: JobFeed
  queries: FeedQueries
  namesCompany: boolean
  onGone: () => void
}

function FeedRow({ feed, queries, namesCompany, onGone }: FeedRowProps) {
  const { id, address, company, paused, missing, lastRun } = feed
  const [isLogOpen, setLogOpen] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [tone, state] = stateOf(feed)
  const of = <span className="sr-only">{` ${address}`}</span>
  return (
    <article className="grid gap-2.5 px-4 py-5 text-sm leading-6 md:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 flex-1 text-[0.9375rem] font-semibold [overflow-wrap:anywhere] text-ink">
          {address}
        </h3>
        <Badge tone={tone}>{state}</Badge>
      </div>
      <p role="status" className="text-ink-soft">
        {namesCompany && (
          <>
            {company ? (
              <SiteLink href={company.path} className={linkClasses}>
                {company.name}
              </SiteLink>
            ) : (
              'Several companies'
            )}
            {' · '}
          </>
        )}
        {`${jobsCounted(feed.openJobs)} open · `}
        {lastRun ? <LastRun run={lastRun} /> : 'Not read yet'}
      </p>
      {paused !== null && <Note>{paused}</Note>}
      {paused === null && missing > 0 && (
        <Note>
          {lastRun?.note ?? `Missing from the feed: ${jobsCounted(missing)}.`}
          <Act
            name={`Close ${jobsCounted(missing)}`}
            busy="Closing..."
            act={() => closeMissing(queries, id)}
            done="Missing jobs closed"
            failed="Couldn’t close the jobs"
          />
        </Note>
      )}
      <div className="mt-1 flex flex-wrap gap-2">
        {paused === null && (
          <Act
            name={<>Read now{of}</>}
            busy="Starting..."
            act={() => readFeed(queries, id)}
            done="We’re reading the feed"
            failed="Couldn’t read the feed"
          />
        )}
        <Act
          name={
            <>
              {paused === null ? 'Pause' : 'Resume'}
              {of}
            </>
          }
          busy={paused === null ? 'Pausing...' : 'Resuming...'}
          act={() => setPaused(queries, id, paused === null)}
          done={paused === null ? 'Feed paused' : 'Feed resumed'}
          failed="Couldn’t change the feed"
        />
        <Button
          variant="ghost"
          size="sm"
          aria-expanded={isLogOpen}
          onClick={() => setLogOpen(!isLogOpen)}
        >
          Log{of}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          {...ConfirmDialog.preload}
          onClick={() => setAsking(true)}
        >
          Remove{of}
        </Button>
        <ConfirmDialog
          open={isAsking}
          onOpenChange={setAsking}
          title="Remove this feed?"
          texts={{
            text: `Its ${jobsCounted(feed.openJobs)} will be closed. If you add it again, they open again.`,
            confirm: 'Remove feed',
            busy: 'Removing...',
          }}
          act={() => removeFeed(queries, id)}
          onDone={() => {
            toast({ title: 'Feed removed' })
            onGone()
          }}
        />
      </div>
      {isLogOpen && <Log id={id} api={queries.api} last={lastRun?.number} />}
    </article>
  )
}

const LastRun = ({ run }: { run: Omit<FeedRun, 'omittedRows'> }) => (
  <>
    {run.outcome === 'failed' ? 'Tried ' : 'Read '}
    <RelativeTime iso={run.readAt} />
    {`: ${runSentence(run)}`}
  </>
)

const Note = ({ children }: { children: ReactNode }) => (
  <div className="grid justify-items-start gap-2.5 rounded-md bg-tea-soft px-4 py-3 text-ink">
    {children}
  </div>
)

interface ActProps {
  name: ReactNode
  busy: string
  act: () => Promise<unknown>
  done: string
  failed: string
}

function Act({ name, busy, act, done, failed }: ActProps) {
  const [isBusy, setBusy] = useState(false)
  const click = async () => {
    setBusy(true)
    await act().then(() => toast({ title: done }), reportError(failed))
    setBusy(false)
  }
  return (
    <Button variant="secondary" size="sm" busy={isBusy} busyLabel={busy} onClick={click}>
      {name}
    </Button>
  )
}

interface LogProps {
  id: string
  api: FeedQueries['api']
  last: number | undefined
}

function Log({ id, api, last }: LogProps) {
  const { data, isError, refetch } = useQuery(feedRunsQuery(api, id, last))
  if (!data && isError) return <LoadErrorLine text="Couldn’t load the log." onRetry={refetch} />
  if (!data) return <Skeleton className="h-16 w-full" />
  if (data.length === 0) return <p className="text-ink-soft">We haven’t read it yet.</p>
  return (
    <ol aria-label="Log" className="divide-y divide-line border-y border-line">
      {data.map((run) => (
        <li key={run.number} className="py-2.5">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="text-ink">{logSentence(run)}</span>
            <span className="text-ink-faint">
              <LocalTime iso={run.readAt} />
            </span>
          </p>
          {run.outcome === 'read' && run.note && <p className="text-ink-soft">{run.note}</p>}
          <OmittedRowList rows={run.omittedRows} count={run.omittedCount} />
        </li>
      ))}
    </ol>
  )
}
