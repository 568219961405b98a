/** Spec §2.14, §8. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, CircleCheck } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError } from '#app/kit/forms/form.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { NeedsFactor } from '#app/kit/session/awaited-factor.ts'
import { reloadAccount } from '#app/kit/session/members-only.tsx'
import { useIsKnown, useSession } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { TextArea } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { LoadError, NeedsScripts } from '#app/kit/ui/message.tsx'
import { Loading, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { asksFirst, markSaved } from '#app/kit/ui/unsaved-guard.ts'
import { invalidateAfterImport } from '../importing/import.data.ts'
import { IMPORT_TEXTS } from '../importing/import-report.ts'
import { ImportFile } from '../importing/ui/import-file.tsx'
import type { ScrapingContract } from './scraping.contract.ts'
import { adminToolsQuery, sendCompanies } from './scraping.data.ts'
import {
  companiesIn,
  mayImport,
  NO_DATA,
  RESULTS_HINT,
  resultsText,
  type ScraperState,
  UNAUTHORIZED,
} from './scraping.ts'
import { ScraperCard, ToolCard, useScraper } from './ui/scraper-card.tsx'

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
          <a href="/companies" className={buttonClasses('secondary', 'sm')}>
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
      text={errorSentence(error ?? {})}
      onRetry={() => (hasProfile ? refetch() : reloadAccount())}
    />
  )
}

function Workbench({ sourceName, mayRun }: { sourceName: string; mayRun: boolean }) {
  const [text, setText] = useState('')
  /** The list as found, or as last imported. */
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
      <NeedsScripts className="mt-6">This page needs JavaScript.</NeedsScripts>
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
    // Logging out here doesn't count as unauthorized access.
    if (!wasHere.current) toast({ id: 'unauthorized', ...UNAUTHORIZED })
    navigate('/', { replace: true })
  }, [isKnown, status])
  return session
}

/** Edits and imports results. Spec §2.14, §5, §8. */
interface ResultsEditorProps {
  mayRun: boolean
  state: ScraperState
  /** How many companies were found but aren't in the text. */
  leftOut: number
  text: string
  onChange: (text: string) => void
  onImported: () => void
}

export function ResultsEditor(props: ResultsEditorProps) {
  const { mayRun, state, leftOut, text, onChange, onImported } = props
  const form = useRef<HTMLFormElement>(null)
  const { problem, report, isBusy, importText } = useImport(() => {
    if (form.current) markSaved(form.current)
    onImported()
  })
  const box = useRef<HTMLTextAreaElement>(null)
  const isReady = mayImport(state)

  async function press() {
    // Before a run the button explains itself. Spec §5.
    if (!isReady || text.trim() === '') return toast({ ...NO_DATA, variant: 'destructive' })
    if ((await importText(text)) === 'unreadable') box.current?.focus()
  }
  return (
    <ToolCard id="results" title="Results" text={RESULTS_HINT}>
      <form ref={form} {...asksFirst()}>
        <TextArea
          ref={box}
          label="Companies to import"
          hint={leftOut > 0 ? leftOutText(leftOut) : undefined}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          readOnly={!isReady || isBusy}
          placeholder="Run the scraper, and its results show up here."
          spellCheck={false}
          autoCapitalize="off"
          rows={10}
          className="max-h-[32rem] font-mono text-[0.8125rem] md:text-[0.8125rem]"
        />
        <Button
          className="mt-4"
          disabled={!mayRun || state === 'loading' || state === 'error'}
          busy={isBusy}
          busyLabel="Importing..."
          onClick={press}
        >
          Import to Database
        </Button>
      </form>
      <ImportOutcome
        problem={isReady ? problem : undefined}
        report={isReady ? report : undefined}
      />
    </ToolCard>
  )
}

interface ImportOutcomeProps {
  problem: string | undefined
  report: { imported: number; error: string | null } | undefined
}

export function ImportOutcome({ problem, report }: ImportOutcomeProps) {
  return (
    <div className="has-[p]:mt-4">
      <FormError>{problem && IMPORT_TEXTS.failedResult(problem)}</FormError>
      <div role="status">
        {report && (
          <p className="flex gap-2.5 rounded-md bg-leaf-soft px-3 py-2.5 text-sm leading-5 text-leaf">
            <Icon of={CircleCheck} className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 break-words">
              {IMPORT_TEXTS.doneResult(report.imported)}
              {report.error && ` ${report.error}`}
            </span>
          </p>
        )}
      </div>
    </div>
  )
}

const leftOutText = (count: number) =>
  count === 1
    ? '1 company is left out because we couldn’t read its page.'
    : `${count} companies are left out because we couldn’t read their pages.`

function useImport(onImported: () => void) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const [report, setReport] = useState<ImportOutcomeProps['report']>()
  const [isBusy, setBusy] = useState(false)

  function fail(message: string) {
    setProblem(message)
    toast({ ...IMPORT_TEXTS.failed, variant: 'destructive' })
  }

  async function importText(text: string): Promise<'unreadable' | 'done'> {
    setProblem(undefined)
    setReport(undefined)
    const read = companiesIn(text)
    if ('problem' in read) {
      fail(read.problem)
      return 'unreadable'
    }
    setBusy(true)
    toast(IMPORT_TEXTS.importing)
    try {
      const done = await sendCompanies(read.companies)
      setReport(done)
      toast(IMPORT_TEXTS.done(done.imported))
      onImported()
      await invalidateAfterImport(queryClient)
    } catch (error) {
      fail((error as Error).message)
    }
    setBusy(false)
    return 'done'
  }
  return { problem, report, isBusy, importText }
}
