/** Spec §2.13. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, RefreshCw } from 'lucide'
import { useEffect, useId, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { NeedsFactor } from '#app/kit/session/awaited-factor.ts'
import { CsvButton } from '#app/kit/session/download.tsx'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { useIsKnown, useSession } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import { counted, grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState, LoadError, NeedsScripts } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import {
  clicksQuery,
  interactionsQuery,
  refreshInteractions,
  saveCsv,
  sayLoadFailed,
} from './analytics.data.ts'
import { type ClickedCompany, companiesOf, NEWEST_FIRST } from './click-table.ts'
import { daysUpTo, PLOTTED_MAX } from './day-count.ts'
import type { Interaction, TrackingContract } from './tracking.contract.ts'
import { ACCESS_DENIED, momentText, NO_INTERACTIONS } from './tracking.ts'
import { CountPlot } from './ui/count-plot.tsx'
import { InteractionTable } from './ui/interaction-table.tsx'

const TITLE = 'Company Interaction Tracking'

export default function TrackingScreen() {
  return (
    <>
      <PageHead title={TITLE} text="Companies that people choose from lists, for administrators." />
      <Access />
    </>
  )
}

/** Spec §6: visitors are redirected home, members with a toast. */
function Access() {
  const { status } = useSession()
  if (!useIsKnown()) return <Waiting />
  if (status === 'signed-out') return <SentHome />
  return (
    <MembersOnly title={TITLE} text="">
      {({ can, needsSecondFactor }) => {
        if (needsSecondFactor) return <NeedsFactor />
        return can.includes('openTracking') ? <Tracking /> : <SentHome isTold />
      }}
    </MembersOnly>
  )
}

function SentHome({ isTold = false }: { isTold?: boolean }) {
  useEffect(() => {
    if (isTold) toast({ id: 'tracking-denied', ...ACCESS_DENIED, variant: 'destructive' })
    navigate('/', { replace: true })
  }, [isTold])
  return <Waiting />
}

function Waiting() {
  return (
    <div className={pageClasses}>
      <h1 className={titleClasses}>{TITLE}</h1>
      <p className="mt-6 text-ink-soft no-js:hidden">Loading…</p>
      <NeedsScripts className="mt-6">This page needs JavaScript.</NeedsScripts>
    </div>
  )
}

function Tracking() {
  const { flags } = useSite()
  const api = useApi<TrackingContract>()
  const queryClient = useQueryClient()
  const { data, dataUpdatedAt, isFetching, isError } = useQuery(interactionsQuery(api))
  const id = useId()
  const hasFailed = isError && !data && !isFetching
  useEffect(() => {
    if (hasFailed) sayLoadFailed()
  }, [hasFailed])
  const refresh = () => refreshInteractions(api, queryClient)
  return (
    <div className={pageClasses}>
      {flags.enableCompanies && (
        <a href="/companies" className={`-ml-3 ${buttonClasses('ghost', 'sm')}`}>
          <Icon of={ArrowLeft} />
          Back<span className="sr-only"> to companies</span>
        </a>
      )}
      <div className="mt-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className={titleClasses}>{TITLE}</h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {dataUpdatedAt > 0 && <LastUpdated at={dataUpdatedAt} />}
          <Button
            variant="secondary"
            icon={<Icon of={RefreshCw} />}
            busy={isFetching}
            busyLabel="Refreshing..."
            onClick={refresh}
          >
            Refresh Data
          </Button>
        </div>
      </div>
      <div role="tablist" aria-label="Interactions" className="mt-8 border-b border-line">
        <button
          type="button"
          role="tab"
          id={`${id}-tab`}
          aria-selected="true"
          aria-controls={`${id}-panel`}
          className="-mb-px h-11 border-b-2 border-tea px-1 text-[0.9375rem] font-medium text-ink"
        >
          Clicks
        </button>
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab`}
        className="min-h-64 py-6"
      >
        {data && <Clicks interactions={data.interactions} />}
        {hasFailed && (
          <LoadError
            title="Couldn’t load the clicks"
            text="Check your connection and try again."
            onRetry={refresh}
          />
        )}
        {!data && !hasFailed && (
          <p role="status" className="py-20 text-center text-ink-soft">
            Loading interactions...
          </p>
        )}
      </div>
    </div>
  )
}

function LastUpdated({ at }: { at: number }) {
  const iso = new Date(at).toISOString()
  return (
    <p className="text-sm text-ink-faint">
      Last updated: <time dateTime={iso}>{momentText(iso).join(', ')}</time>
    </p>
  )
}

function Clicks({ interactions }: { interactions: Interaction[] }) {
  const [order, setOrder] = useState(NEWEST_FIRST)
  const [wanted, setWanted] = useState('')
  const companies = companiesOf(interactions)
  // After a refresh, the chosen company may be gone.
  const chosen = companies.find(({ id }) => id === wanted)
  const shown = chosen
    ? interactions.filter(({ companyId }) => companyId === chosen.id)
    : interactions
  if (interactions.length === 0)
    return (
      <EmptyState
        title={NO_INTERACTIONS}
        text="When a signed-in person picks a company from a list, it shows up here."
      />
    )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="w-full sm:w-72">
          <Select
            label="Company"
            value={chosen?.id ?? ''}
            onChange={({ target }) => setWanted(target.value)}
          >
            <option value="">All companies</option>
            {companies
              .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
              .map(({ id, name, clicks }) => (
                <option key={id} value={id}>{`${name} (${grouped(clicks)})`}</option>
              ))}
          </Select>
        </div>
        <p role="status" className="text-sm text-ink-faint tabular-nums">
          {`${counted(shown.length, 'click')}, of the newest`}
        </p>
      </div>
      <InteractionTable key={chosen?.id} interactions={shown} order={order} onOrder={setOrder} />
      <p className="mt-3 text-sm leading-6 text-ink-faint">
        User ids change every day. They don’t connect one day to the next, or to anyone’s name.
      </p>
      <ClicksPlot companies={chosen ? [chosen] : companies} />
    </>
  )
}

const pageClasses = 'mx-auto w-full max-w-5xl px-5 py-8 md:py-12'
const titleClasses =
  'font-serif text-4xl leading-tight font-medium tracking-tight text-balance text-ink md:text-5xl'

/**
 * Clicks per day, of the chosen company or the most clicked ones.
 * @param companies most clicked first. We draw six at most
 */
function ClicksPlot({ companies }: { companies: ClickedCompany[] }) {
  const drawn = companies.slice(0, PLOTTED_MAX)
  const { data, error } = useQuery(
    clicksQuery(
      useApi<TrackingContract>(),
      drawn.map(({ id }) => id),
    ),
  )
  if (drawn.length === 0) return null
  const isOne = drawn.length === 1
  const days = data && daysUpTo(data.today)
  const plots = drawn.map((company) => {
    const counts = data?.companies.find(({ id }) => id === company.id)?.counts ?? []
    const byDay = new Map(counts.map(({ day, n }) => [day, n]))
    return { ...company, counts: days?.map((day) => ({ from: day, n: byDay.get(day) ?? 0 })) ?? [] }
  })
  return (
    <section aria-labelledby="clicks-per-day" className="mt-12">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="max-w-prose">
          <h2 id="clicks-per-day" className="font-serif text-2xl font-medium text-ink">
            Clicks per company and day
          </h2>
          <p className="mt-2 text-sm leading-6 text-ink-soft">
            The last 90 days, counted every hour, with days starting at midnight UTC.
            {!isOne && ' These companies got the most clicks.'}
          </p>
        </div>
        {data && <CsvButton onSave={() => saveCsv('clicks')} />}
      </div>
      {error && !data && (
        <p role="alert" className="mt-6 text-sm text-ink-soft">
          Couldn’t load the numbers. {errorSentence(error)}
        </p>
      )}
      {!error && !data && (
        <Loading label="Loading clicks per day..." className="mt-6">
          <SkeletonCard className="h-56" />
        </Loading>
      )}
      {data && (
        <div className={isOne ? 'mt-6' : 'mt-6 grid gap-4 md:grid-cols-2 md:gap-6'}>
          {plots.map(({ id, name, counts }) => (
            <CountPlot
              key={id}
              title={name}
              per="day"
              counts={counts}
              isUnderWay
              className="rounded-xl border border-line bg-surface p-5"
            />
          ))}
        </div>
      )}
    </section>
  )
}
