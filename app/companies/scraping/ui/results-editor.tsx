/** Edits and imports results. Spec §2.14, §5, §8. */
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide'
import { useRef, useState } from 'react'
import { FormError } from '#app/kit/forms/form.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { TextArea } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { asksFirst, forgetWords } from '#app/kit/ui/leaving.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { invalidateAfterImport } from '../../importing/import.data.ts'
import { IMPORT_TEXTS } from '../../importing/import-report.ts'
import { companiesIn, RESULTS_HINT } from '../results-text.ts'
import { sendCompanies } from '../scraping.data.ts'
import { mayImport, NO_DATA, type ScraperState } from '../scraping.ts'
import { ToolCard } from './tool-card.tsx'

interface ResultsEditorProps {
  mayRun: boolean
  state: ScraperState
  /** Found companies that aren't in the text. */
  leftOut: number
  text: string
  onChange: (text: string) => void
  onImported: () => void
}

export function ResultsEditor(props: ResultsEditorProps) {
  const { mayRun, state, leftOut, text, onChange, onImported } = props
  const form = useRef<HTMLFormElement>(null)
  const { problem, report, isBusy, importText } = useImport(() => {
    if (form.current) forgetWords(form.current)
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

/** Spec §8. */
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
