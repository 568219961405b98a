/** Spec §2.10, §8. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '#app/api/client.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { grouped } from '#app/kit/ui/format.ts'
import { toast } from '#app/kit/ui/toast.ts'
import type { AdministrationContract, AdminStats } from '../administration.contract.ts'
import { adminStatsQuery } from '../administration.data.ts'
import {
  MAIL_NAMES,
  STAT_LOADING,
  STAT_NAMES,
  STATS_FAILED,
  type StatKey,
  undeliveredText,
} from '../administration.ts'

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

/** Not even administrators learn the addresses. */
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

/** Large tables are estimated. */
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
