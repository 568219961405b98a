/** Spec §2.14, §4, §8. */
import { Check, CircleAlert, Play } from 'lucide'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { wrappingClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { runScraper } from '../scraping.data.ts'
import {
  errorText,
  SCRAPER_FAILED,
  SCRAPER_LIMIT,
  SCRAPER_STARTED,
  type ScraperResult,
  type ScraperState,
  scraperCompleted,
  TRY_LATER,
} from '../scraping.ts'

/** Asks before a run replaces edited results. */
const RUN_AGAIN = {
  text: 'You’ve changed the results and haven’t imported them. A new run replaces them.',
  confirm: 'Run again',
  busy: 'Running...',
  cancel: 'Keep my changes',
}

interface ScraperCardProps {
  sourceName: string
  mayRun: boolean
  scraper: Scraper
  /** Whether there are unsaved edits. */
  isChanged: boolean
}

export function ScraperCard({ sourceName, mayRun, scraper, isChanged }: ScraperCardProps) {
  const { state, run } = scraper
  const [isAsking, setAsking] = useState(false)
  return (
    <ToolCard
      id="scraper"
      title="Market movers"
      text={`Reads up to ${SCRAPER_LIMIT} companies from ${sourceName}’s market movers: name, sector, website, logo, and the first sentence about each. It runs slowly to go easy on that site.`}
    >
      {!mayRun && (
        <p className="mb-4 rounded-md bg-sunken px-3 py-2.5 text-sm leading-6 text-ink-soft">
          Only an administrator can run the scraper and import its results.
        </p>
      )}
      <Button
        icon={<Icon of={Play} />}
        disabled={!mayRun}
        busy={state === 'loading'}
        busyLabel="Running..."
        onClick={() => (isChanged ? setAsking(true) : run())}
        className={cx('max-w-full', wrappingClasses)}
      >
        {`Run ${sourceName} Scraper`}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Run the scraper again?"
        texts={RUN_AGAIN}
        variant="primary"
        act={async () => {
          run()
        }}
      />
      <Progress scraper={scraper} />
      <div role="alert" className="empty:hidden">
        {state === 'error' && (
          <div className="mt-4 flex gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 text-sm leading-6 text-danger">
            <Icon of={CircleAlert} className="mt-1 size-4 shrink-0" />
            <div className="min-w-0 break-words">
              <p>{errorText(scraper.message)}</p>
              <p>{TRY_LATER}</p>
            </div>
          </div>
        )}
      </div>
    </ToolCard>
  )
}

function Progress({ scraper: { state, found, results } }: { scraper: Scraper }) {
  const isRunning = state === 'loading'
  return (
    <>
      <p role="status" className="text-sm text-ink-soft not-empty:mt-4">
        {isRunning &&
          (found === undefined
            ? 'Looking for companies...'
            : `${results.length} of ${found} companies`)}
        {state === 'success' && `Found ${results.length} companies`}
      </p>
      {isRunning && found !== undefined && (
        <div
          role="progressbar"
          aria-label="Companies read"
          aria-valuenow={results.length}
          aria-valuemax={found}
          className="mt-2 h-1.5 overflow-hidden rounded-full bg-sunken"
        >
          <div
            className="h-full rounded-full bg-tea transition-[width] duration-300"
            style={{ width: `${(results.length / found) * 100}%` }}
          />
        </div>
      )}
      {results.length > 0 && (
        <ol className="mt-4 divide-y divide-line border-y border-line">
          {results.map((result, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only appended
            <ResultRow key={i} result={result} />
          ))}
        </ol>
      )}
    </>
  )
}

function ResultRow({ result: { company, category, error } }: { result: ScraperResult }) {
  return (
    <li className="flex gap-3 py-2.5 text-sm leading-5">
      <Icon
        of={error === null ? Check : CircleAlert}
        className={`mt-0.5 size-4 shrink-0 ${error === null ? 'text-leaf' : 'text-danger'}`}
      />
      <div className="min-w-0 flex-1 sm:flex sm:justify-between sm:gap-6">
        <p className="font-medium break-words text-ink">{company}</p>
        {error === null ? (
          <p className="break-words text-ink-faint sm:text-right">{category ?? 'No category'}</p>
        ) : (
          <p className="break-words text-danger sm:text-right">{error}</p>
        )}
      </div>
    </li>
  )
}

export interface Scraper {
  state: ScraperState
  /** Undefined until the list is known. */
  found: number | undefined
  results: ScraperResult[]
  message: string
  run: () => Promise<void>
}

const NOTHING = { found: undefined, results: [], message: '' }

/** @param onDone gets the results of a successful run */
export function useScraper(onDone: (results: ScraperResult[]) => void): Scraper {
  const [shown, setShown] = useState<Omit<Scraper, 'run'>>({ state: 'idle', ...NOTHING })
  const going = useRef<AbortController>(undefined)
  // Leaving the page also aborts the run on the server.
  useEffect(() => () => going.current?.abort(), [])

  async function run() {
    const stop = new AbortController()
    going.current = stop
    setShown({ state: 'loading', ...NOTHING })
    toast(SCRAPER_STARTED)
    const fail = (message: string) => {
      if (stop.signal.aborted) return
      setShown((now) => ({ ...now, state: 'error', message }))
      toast({ title: SCRAPER_FAILED, description: message, variant: 'destructive' })
    }
    try {
      const { results, error } = await runScraper({
        signal: stop.signal,
        onFound: (found) => setShown((now) => ({ ...now, found })),
        onResult: (result) => setShown((now) => ({ ...now, results: [...now.results, result] })),
      })
      if (error !== null) return fail(error)
      setShown({ state: 'success', found: results.length, results, message: '' })
      toast(scraperCompleted(results.length))
      onDone(results)
    } catch (error) {
      fail((error as Error).message)
    }
  }
  return { ...shown, run }
}

export function ToolCard({ id, title, text, children }: ToolCardProps) {
  return (
    <section
      aria-labelledby={id}
      className="min-w-0 rounded-xl border border-line bg-surface p-5 md:p-6"
    >
      <h2 id={id} className="font-serif text-2xl">
        {title}
      </h2>
      <p className="mt-2 max-w-prose text-sm leading-6 text-ink-soft">{text}</p>
      <div className="mt-4">{children}</div>
    </section>
  )
}

interface ToolCardProps {
  id: string
  title: string
  text: string
  children: ReactNode
}
