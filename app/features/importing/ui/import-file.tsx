/** A card that imports companies from a file: chosen, or dropped on it. */
import { useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide'
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import { FormError } from '../../../forms/form-error.tsx'
import { refusalOf } from '../../../forms/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { grouped } from '../../../ui/number.ts'
import { toast } from '../../../ui/toast.ts'
import { lookAgainAfterImport, sendImport, typeOfFile } from '../import.data.ts'
import { IMPORT_FILE_MAX, IMPORT_TEXTS, type ImportReport } from '../import-report.ts'
import { ReportOfImport } from './report-of-import.tsx'

const ENDINGS = '.csv,.tsv,.txt,.json,.jsonl,.ndjson'

/** What can be said of a file before it is sent; undefined when nothing is wrong. */
function problemOf(file: File): string | undefined {
  if (!typeOfFile(file.name)) return 'Please choose a CSV or JSON file'
  if (file.size > IMPORT_FILE_MAX)
    return `A file has at most ${IMPORT_FILE_MAX / 1024 / 1024} MB. Please split it.`
  return file.size === 0 ? 'This file is empty' : undefined
}

/** @param canImport who is no administrator sees what the card is for, and why it does nothing */
export function ImportFile({ canImport }: { canImport: boolean }) {
  const { state, importIt } = useImport()
  const isBusy = state.progress !== undefined
  const [isOver, setOver] = useState(false)
  const isOpen = canImport && !isBusy

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && isOpen) importIt(file)
  }
  return (
    <section
      aria-labelledby="import-file"
      className="rounded-xl border border-line bg-surface p-5 md:p-6"
    >
      <h2 id="import-file" className="font-serif text-2xl">
        Import companies from a file
      </h2>
      <p className="mt-2 max-w-prose text-sm leading-6 text-ink-soft">
        CSV or JSON, at most 50 MB. The first row names the columns: name, category, website,
        logo_url, description; where you know them also aliases, headquarters, country, size,
        founded, ticker. Companies that are here already are left as they are, so you can send the
        same file again.
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a second way for those with a mouse;
          the button does the same. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(isOpen)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cx(
          'mt-4 grid justify-items-center gap-3 rounded-lg border border-dashed px-4 py-8 text-center transition-colors',
          isOver ? 'border-tea bg-tea-soft' : 'border-line-strong/60 bg-sunken',
        )}
      >
        <Icon of={FileUp} className="size-6 text-ink-faint" strokeWidth={1.5} />
        <FileButton isBusy={isBusy} isOff={!canImport} onFile={importIt} />
        <p className="text-sm text-ink-faint">
          {canImport ? 'or drop one here' : 'Importing needs an administrator.'}
        </p>
      </div>
      <p className="mt-3 text-sm">
        <a
          href="/api/v1/imports/template.csv"
          download="companies.csv"
          className="inline-flex min-h-8 items-center text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
        >
          Download a template
        </a>
      </p>
      <div className="mt-3 grid gap-4 empty:hidden">
        {state.progress && <Progress name={state.name} {...state.progress} />}
        <FormError>{state.problem && IMPORT_TEXTS.failedResult(state.problem)}</FormError>
        {state.report && <ReportOfImport report={state.report} />}
      </div>
    </section>
  )
}

interface FileButtonProps {
  isBusy: boolean
  isOff: boolean
  onFile: (file: File) => void
}

function FileButton({ isBusy, isOff, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    // The same file again is a change, too.
    target.value = ''
    if (file) onFile(file)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={ENDINGS}
        aria-label="File with companies"
        className="sr-only"
        tabIndex={-1}
        disabled={isBusy || isOff}
        onChange={choose}
      />
      <Button
        variant="secondary"
        busy={isBusy}
        busyLabel="Importing..."
        disabled={isOff}
        onClick={() => input.current?.click()}
      >
        Choose a file
      </Button>
    </>
  )
}

interface ProgressProps {
  name: string
  rows: number
  total: number
}

function Progress({ name, rows, total }: ProgressProps) {
  const isReading = total === 0
  const text = isReading
    ? `Reading ${name}...`
    : `${grouped(rows)} of ${grouped(total)} rows of ${name}`
  return (
    <div className="grid gap-2">
      {/* The bar tells a screen reader how far it is: the text would interrupt at each batch. */}
      <p className="text-sm break-words text-ink-soft">{text}</p>
      <progress
        aria-label={`Importing ${name}`}
        className="h-2 w-full overflow-hidden rounded-full bg-line accent-tea [&::-moz-progress-bar]:bg-tea [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-tea"
        max={isReading ? undefined : total}
        value={isReading ? undefined : rows}
      />
    </div>
  )
}

interface ImportState {
  name: string
  progress?: { rows: number; total: number }
  problem?: string
  report?: ImportReport
}

function useImport() {
  const queryClient = useQueryClient()
  const [state, setState] = useState<ImportState>({ name: '' })

  async function importIt(file: File) {
    const { name } = file
    const problem = problemOf(file)
    if (problem) return setState({ name, problem })
    setState({ name, progress: { rows: 0, total: 0 } })
    toast({ id: 'import', ...IMPORT_TEXTS.importing })
    try {
      const report = await sendImport(file, (progress) => setState({ name, progress }))
      setState({ name, report })
      toast({ id: 'import', ...IMPORT_TEXTS.done(report.added) })
    } catch (error) {
      setState({ name, problem: refusalOf(error) })
      toast({ id: 'import', ...IMPORT_TEXTS.failed, variant: 'destructive' })
    }
    await lookAgainAfterImport(queryClient)
  }
  return { state, importIt }
}
