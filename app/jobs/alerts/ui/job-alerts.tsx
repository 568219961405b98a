import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide'
import { useRef } from 'react'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { useReader } from '#app/kit/session/session.data.ts'
import { buttonClasses, IconButton } from '#app/kit/ui/button.tsx'
import { plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { JobAlert } from '../../job.contract.ts'
import {
  createJobAlert,
  deleteJobAlert,
  jobAlertsQuery,
  type SavedJobQueries,
  useSavedJobQueries,
} from '../../saved/saved-jobs.data.ts'
import { wishesText } from '../job-alert.ts'

export function JobAlerts() {
  const { queries, isKnown } = useSavedJobQueries()
  const isNobody = useReader() === null
  const count = useRef<HTMLParagraphElement>(null)
  const { data, error, refetch } = useQuery({
    ...jobAlertsQuery(queries.api, queries.sessionKey),
    enabled: isKnown && !isNobody,
  })
  const alerts = data?.alerts ?? (isKnown && isNobody ? [] : undefined)
  if (!alerts && error) return <LoadError text={errorSentence(error)} onRetry={refetch} />
  if (!alerts) return <JobAlertsSkeleton />
  return (
    <>
      <p
        ref={count}
        role="status"
        tabIndex={-1}
        className={alerts.length > 0 ? 'mb-3 text-sm text-ink-soft' : 'sr-only'}
      >
        {alerts.length > 0 ? `You have ${plural(alerts.length, 'job alert')}` : 'No job alerts'}
      </p>
      {alerts.length === 0 ? (
        <EmptyState
          title="No job alerts yet"
          text="Filter the jobs list, then press Create alert. New matches show up in Notifications."
          action={
            <a href="/jobs" className={buttonClasses('secondary')}>
              Browse jobs
            </a>
          }
        />
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
          {alerts.map((alert) => (
            <li key={alert.id}>
              <OneAlert alert={alert} queries={queries} onDelete={() => count.current?.focus()} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface OneAlertProps {
  alert: JobAlert
  queries: SavedJobQueries
  /** The row with the focus is about to disappear. */
  onDelete: () => void
}

function OneAlert({ alert, queries, onDelete }: OneAlertProps) {
  const wishes = wishesText(alert.filters, alert.company)
  return (
    <div className="flex items-center gap-3 py-2 pr-2 pl-4 md:pl-5">
      <p
        dir="auto"
        className="min-w-0 flex-1 py-1.5 leading-snug text-ink [overflow-wrap:anywhere]"
      >
        {wishes}
      </p>
      <IconButton
        label={`Delete the alert ${wishes}`}
        hasTooltip={false}
        onClick={() => {
          onDelete()
          remove(queries, alert)
        }}
      >
        <Icon of={Trash2} />
      </IconButton>
    </div>
  )
}

function remove(queries: SavedJobQueries, alert: JobAlert) {
  const id = `job-alert-${alert.id}`
  deleteJobAlert(queries, alert).then(
    () =>
      toast({
        id,
        title: 'Alert deleted',
        description: wishesText(alert.filters, alert.company),
        duration: 8000,
        action: {
          label: 'Undo',
          onPress: () => {
            createJobAlert(queries, alert.filters).then(
              () => toast({ id, title: 'Alert restored' }),
              reportError('Couldn’t restore the alert'),
            )
          },
        },
      }),
    reportError('Couldn’t delete the alert'),
  )
}

const JobAlertsSkeleton = () => (
  <Loading label="Loading job alerts..." times={2} className="grid gap-3">
    <Skeleton className="h-14 w-full rounded-xl" />
  </Loading>
)
