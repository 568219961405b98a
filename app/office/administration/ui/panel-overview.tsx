/** Spec §2.10, §8. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight, Circle, CircleCheck, ShieldCheck, TriangleAlert } from 'lucide'
import { useEffect, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { sizeText } from '#app/platform/size-text.ts'
import type { AdministrationContract, AdminStats, SetUp } from '../administration.contract.ts'
import { adminStatsQuery, confirmStep, setUpQuery } from '../administration.data.ts'
import {
  CONFIRMABLE_STEPS,
  type ConfirmableStep,
  MAIL_NAMES,
  SET_UP_TEXTS,
  STAT_LOADING,
  STAT_NAMES,
  STATS_FAILED,
  type StatKey,
  undeliveredText,
} from '../administration.ts'
import { waitingQuery } from '../waiting.data.ts'
import { ageText, shownCount, WAITING, type WaitingItem, waitingName } from '../waiting.ts'

export function StatCards() {
  const { data, isError, isFetching, errorUpdatedAt, refetch } = useQuery(
    adminStatsQuery(useApi<AdministrationContract>()),
  )
  const { flags } = useSite()
  const shown = (Object.keys(STAT_NAMES) as StatKey[]).filter(
    (key) =>
      (key !== 'discussions' || flags.enableDiscussions) &&
      (key !== 'companies' || flags.enableCompanies),
  )
  // Once per failure.
  useEffect(() => {
    if (errorUpdatedAt > 0) toast({ ...STATS_FAILED })
  }, [errorUpdatedAt])
  return (
    <section aria-label="Statistics" aria-busy={isFetching} className="mt-8">
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
        {shown.map((key) => (
          <div
            key={key}
            className="flex flex-col justify-between gap-3 rounded-xl border border-line bg-surface p-4 md:p-5"
          >
            <dt className="text-sm leading-5 text-ink-soft">{STAT_NAMES[key]}</dt>
            <dd
              className={cx(
                'font-serif text-3xl leading-none font-medium tracking-tight tabular-nums',
                key === 'pendingRequests' && data && data[key].count > 0
                  ? 'text-danger'
                  : 'text-ink',
              )}
            >
              {data ? <Count {...data[key]} /> : isError && !isFetching ? '--' : STAT_LOADING}
            </dd>
          </div>
        ))}
      </dl>
      {data?.backup && <LastBackup {...data.backup} />}
      {data && data.undelivered.length > 0 && <Undelivered mails={data.undelivered} />}
      {isError && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4"
          busy={isFetching}
          busyLabel="Loading..."
          onClick={() => refetch()}
        >
          Try Again
        </Button>
      )}
    </section>
  )
}

/** It was read back, or it wouldn't count. */
function LastBackup({ finishedAt, bytes, isOld }: NonNullable<AdminStats['backup']>) {
  return (
    <p
      className={cx(
        'mt-3 flex items-center gap-2 text-sm',
        isOld ? 'text-danger' : 'text-ink-soft',
      )}
    >
      <Icon of={isOld ? TriangleAlert : ShieldCheck} className="size-4 shrink-0" />
      <span>
        {'Last backup: '}
        <RelativeTime iso={finishedAt} />
        {bytes !== null && `, ${sizeText(bytes)}`}, checked
        {isOld && '. It should be less than a day old.'}
      </span>
    </p>
  )
}

/** Counts emails that couldn't be delivered. Not even administrators learn their addresses. */
function Undelivered({ mails }: { mails: AdminStats['undelivered'] }) {
  const total = mails.reduce((sum, { count }) => sum + count, 0)
  return (
    <div
      id="undelivered"
      className="mt-4 rounded-xl border border-line bg-surface p-4 text-sm leading-6 md:p-5"
    >
      <h2 className="font-medium text-danger">{`Undelivered emails: ${grouped(total)}`}</h2>
      <ul className="mt-1 text-ink-soft">
        {mails.map(({ kind, reason, count }) => (
          <li key={`${kind} ${reason}`}>
            {`${grouped(count)} ${MAIL_NAMES[kind] ?? 'of another kind'}: ${undeliveredText(reason)}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A number of rows, which is an estimate for large tables. */
function Count({ count, isExact }: { count: number; isExact: boolean }) {
  if (isExact) return grouped(count)
  return (
    <>
      <span className="sr-only">about </span>
      <span aria-hidden="true">~</span>
      {grouped(count)}
    </>
  )
}

export function WaitingList() {
  const { data, isError, refetch } = useQuery(waitingQuery(useApi<AdministrationContract>()))
  return (
    <section aria-labelledby="waiting" className="mt-8">
      <h2 id="waiting" className="text-sm font-semibold text-ink-soft">
        Waiting for you
      </h2>
      <div className="mt-3">
        {data && data.waiting.length === 0 && (
          <p className="rounded-xl border border-line bg-surface px-4 py-3 text-sm leading-6 text-ink-soft">
            Nothing to do. Put the kettle on.
          </p>
        )}
        {data && data.waiting.length > 0 && (
          <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {data.waiting.map((item) => (
              <li key={item.kind} className="min-w-0">
                <Waiting item={item} />
              </li>
            ))}
          </ul>
        )}
        {!data && !isError && <Skeleton className="h-14 w-full rounded-xl" />}
        {!data && isError && (
          <LoadErrorLine text="Couldn’t load what’s waiting." onRetry={refetch} />
        )}
      </div>
    </section>
  )
}

function Waiting({ item }: { item: WaitingItem }) {
  const { kind, count, age } = item
  return (
    <a
      href={WAITING[kind].href}
      className="group flex h-full min-h-14 items-center gap-3 rounded-xl border border-line bg-surface px-4 py-2.5 transition-colors hover:border-line-strong"
    >
      <span className="min-w-8 font-serif text-2xl leading-none font-medium whitespace-nowrap text-ink tabular-nums">
        {shownCount(count)}
      </span>
      <span className="min-w-0 flex-1 text-sm leading-5">
        <span className="block font-medium text-ink">{waitingName(item)}</span>
        {age && (
          <span className="block text-[0.8125rem] text-ink-faint">
            {count > 1 && 'the oldest '}
            {ageText(age)}
          </span>
        )}
      </span>
      <Icon of={ChevronRight} className="size-4 shrink-0 text-ink-faint group-hover:text-tea" />
    </a>
  )
}

/** The owner's setup checklist. Renders nothing until loaded, so it leaves no gap once it's hidden. */
export function SetUpList() {
  const api = useApi<AdministrationContract>()
  const queryClient = useQueryClient()
  const { data } = useQuery(setUpQuery(api))
  const [isBusy, setBusy] = useState(false)
  if (!data || data.isPutAway) return null
  const done = data.steps.filter(({ isDone }) => isDone).length
  const isAllDone = done === data.steps.length
  const say = async (step: ConfirmableStep | 'put-away') => {
    setBusy(true)
    await confirmStep({ api, queryClient }, step).catch(reportError('Couldn’t save that'))
    setBusy(false)
  }
  return (
    <section
      aria-labelledby="set-up"
      aria-busy={isBusy}
      className="mt-8 rounded-xl border border-line bg-surface p-4 md:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="set-up" className="font-serif text-xl font-medium tracking-tight text-ink">
          Before you launch
        </h2>
        <p role="status" className="text-sm text-ink-soft tabular-nums">
          {isAllDone ? 'All done' : `${done} of ${data.steps.length} done`}
        </p>
      </div>
      <ul className="mt-3 grid gap-x-8 md:grid-cols-2">
        {data.steps.map((step) => (
          <Step key={step.step} step={step} isBusy={isBusy} onSay={say} />
        ))}
      </ul>
      {isAllDone && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4"
          busy={isBusy}
          busyLabel="Hiding..."
          onClick={() => say('put-away')}
        >
          Hide this list
        </Button>
      )}
    </section>
  )
}

const isSayable = (step: string): step is ConfirmableStep =>
  (CONFIRMABLE_STEPS as readonly string[]).includes(step)

function Step({ step: { step, isDone, said }, isBusy, onSay }: StepProps) {
  const { flags } = useSite()
  const { title, text, href, link, say } = SET_UP_TEXTS[step]
  return (
    <li className="flex gap-3 border-t border-line py-3">
      <Icon
        of={isDone ? CircleCheck : Circle}
        className={cx('mt-0.5 size-5 shrink-0', isDone ? 'text-leaf' : 'text-ink-faint')}
      />
      <div className="min-w-0 text-sm leading-6">
        <p className="font-medium text-ink">
          {title}
          <span className="sr-only">{isDone ? ': done' : ': not done yet'}</span>
        </p>
        <p className="break-words text-ink-soft">{said ?? text}</p>
        {!isDone && (
          <p className="mt-0.5 flex flex-wrap items-center gap-x-4">
            <a
              href={href.startsWith('#') ? settingsPath(flags) + href : href}
              className={linkClasses}
            >
              {link}
            </a>
            {say && isSayable(step) && (
              <Button
                variant="link"
                size="sm"
                // As tall as its line, like the link next to it.
                className="-my-2 font-normal md:-my-1.5"
                disabled={isBusy}
                onClick={() => onSay(step)}
              >
                {say}
              </Button>
            )}
          </p>
        )}
      </div>
    </li>
  )
}

interface StepProps {
  step: SetUp['steps'][number]
  isBusy: boolean
  onSay: (step: ConfirmableStep) => void
}
