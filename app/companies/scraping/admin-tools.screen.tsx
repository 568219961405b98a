/** Spec §2.14. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { NeedsFactor } from '#app/kit/session/halfway.ts'
import { reloadAccount } from '#app/kit/session/members-only.tsx'
import { useIsKnown, useSession } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { buttonLook } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { ImportFile } from '../importing/ui/import-file.tsx'
import { resultsText } from './results-text.ts'
import type { ScrapingContract } from './scraping.contract.ts'
import { adminToolsQuery } from './scraping.data.ts'
import { UNAUTHORIZED } from './scraping.ts'
import { ResultsEditor } from './ui/results-editor.tsx'
import { ScraperCard } from './ui/scraper-card.tsx'
import { useScraper } from './ui/use-scraper.ts'

export default function AdminToolsScreen() {
  const { flags } = useSite()
  const { status, me } = useProfileRequired()
  const head = (
    <PageHead title="Admin Tools" text="Companies from market movers, for administrators." />
  )
  if (me?.needsSecondFactor)
    return (
      <>
        {head}
        <NeedsFactor />
      </>
    )
  return (
    <>
      {head}
      <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
        {flags.enableCompanies && (
          <a href="/companies" className={buttonLook('secondary', 'sm')}>
            <Icon of={ArrowLeft} />
            Back to Companies
          </a>
        )}
        <h1 className="mt-6 font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
          Admin Tools
        </h1>
        {status === 'signed-in' ? <Tools hasProfile={Boolean(me?.profile)} /> : <ToolsSkeleton />}
      </div>
    </>
  )
}

function Tools({ hasProfile }: { hasProfile: boolean }) {
  const api = useApi<ScrapingContract>()
  const { data, error, refetch } = useQuery({ ...adminToolsQuery(api), enabled: hasProfile })
  if (data && hasProfile) return <Workbench sourceName={data.sourceName} mayRun={data.mayRun} />
  if (hasProfile && !error) return <ToolsSkeleton />
  return (
    <LoadError
      title="Couldn’t load the tools"
      text={refusalOf(error ?? {})}
      onRetry={() => (hasProfile ? refetch() : reloadAccount())}
    />
  )
}

function Workbench({ sourceName, mayRun }: { sourceName: string; mayRun: boolean }) {
  const [text, setText] = useState('')
  /** As found, or as last imported. */
  const [kept, setKept] = useState('')
  const [runs, setRuns] = useState(0)
  const scraper = useScraper((results) => {
    const found = resultsText(results)
    setText(found)
    setKept(found)
    setRuns((count) => count + 1)
  })
  const { state, results } = scraper
  return (
    <div className="mt-8 grid gap-6 md:gap-8">
      <ScraperCard
        sourceName={sourceName}
        mayRun={mayRun}
        scraper={scraper}
        isChanged={text !== kept}
      />
      <ResultsEditor
        // An import's outcome belongs to the results of one run.
        key={runs}
        mayRun={mayRun}
        state={state}
        leftOut={state === 'success' ? results.filter(({ error }) => error !== null).length : 0}
        text={text}
        onChange={setText}
        onImported={() => setKept(text)}
      />
      <ImportFile canImport={mayRun} />
    </div>
  )
}

function ToolsSkeleton() {
  return (
    <>
      <Loading label="Loading…" className="mt-8 grid gap-6 no-js:hidden md:gap-8">
        <SkeletonCard className="h-48" />
        <SkeletonCard className="h-96" />
      </Loading>
      <p className="mt-6 text-ink-soft js:hidden">This page needs JavaScript.</p>
    </>
  )
}

/** Redirects signed-out users. Spec §2.14. */
function useProfileRequired() {
  const session = useSession()
  const isKnown = useIsKnown()
  const wasHere = useRef(false)
  const { status } = session
  useEffect(() => {
    if (status === 'signed-in') wasHere.current = true
    if (!isKnown || status !== 'signed-out') return
    // Logging out here is no unauthorized access.
    if (!wasHere.current) toast({ id: 'unauthorized', ...UNAUTHORIZED })
    navigate('/', { replace: true })
  }, [isKnown, status])
  return session
}
