/** The import card and its steps: source, how to read it, columns, trial, adding, done. */
import { useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide'
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import { FormError } from '#app/kit/forms/form.tsx'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { TextArea } from '#app/kit/ui/field.tsx'
import { grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { asksFirst } from '#app/kit/ui/unsaved-guard.ts'
import type { Reading, ReadingQuestion } from '../file-reading.ts'
import {
  askForColumns,
  type Chosen,
  type ImportSource,
  invalidateAfterImport,
  sendImport,
  tryImport,
} from '../import.data.ts'
import {
  FILE_ENDINGS,
  formatOfFile,
  IMPORT_FILE_MAX,
  IMPORT_TEXTS,
  type ImportReport,
  type ImportTrial,
} from '../import-report.ts'
import type { FileColumns } from '../imports.contract.ts'
import type { Meanings, UnclearColumn } from '../unclear-cells.ts'
import { ImportColumns } from './import-columns.tsx'
import { ImportReading } from './import-reading.tsx'
import { ImportTrialStep } from './import-trial.tsx'
import { PastImports, ReportOfImport } from './past-imports.tsx'

/** @param canImport if false, people see what the card is for, and why it's disabled */
export function ImportFile({ canImport }: { canImport: boolean }) {
  const { step, isBusy, problem, read, look, mean, add, toColumns, toSource } = useImport()
  return (
    <section
      aria-labelledby="import-file"
      className="grid min-w-0 gap-4 rounded-xl border border-line bg-surface p-5 md:p-6"
    >
      <h2 id="import-file" className="font-serif text-2xl">
        Import companies from a file
      </h2>
      <FormError>{problem && IMPORT_TEXTS.failedResult(problem)}</FormError>
      {step.is === 'source' && (
        <ImportSourceStep canImport={canImport} isBusy={isBusy} onSource={read} />
      )}
      {step.is === 'reading' && (
        <ImportReading
          // Each question begins without a choice.
          key={step.question.about}
          question={step.question}
          reading={step.reading}
          name={step.source.name}
          isBusy={isBusy}
          onRead={(reading) => read(step.source, reading)}
          onBack={toSource}
        />
      )}
      {step.is === 'columns' && (
        <ImportColumns
          // Read differently, it has other columns.
          key={JSON.stringify(step.survey.reading)}
          survey={step.survey}
          name={step.source.name}
          chosen={step.chosen}
          isBusy={isBusy}
          onRead={(reading) => read(step.source, reading)}
          onChosen={look}
          onBack={toSource}
        />
      )}
      {step.is === 'trial' && (
        <ImportTrialStep
          trial={step.trial}
          chosen={step.chosen}
          isBusy={isBusy}
          onMeanings={mean}
          onAdd={add}
          onBack={toColumns}
        />
      )}
      {step.is === 'adding' && <Progress name={step.source.name} {...step.progress} />}
      {step.is === 'done' && <ReportOfImport report={step.report} onAgain={toSource} />}
      {canImport && <PastImports />}
    </section>
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
      {/* Not a live region, because the progress bar tells screen readers, and text would interrupt with each batch. */}
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

interface Asked {
  source: ImportSource
  question: ReadingQuestion
  reading: Reading
}

interface Read {
  source: ImportSource
  /** The import's id, which stays the same on a retry. */
  id: string
  survey: FileColumns
  chosen?: Chosen
}

type Step =
  | { is: 'source' }
  | ({ is: 'reading' } & Asked)
  | ({ is: 'columns' } & Read)
  | ({ is: 'trial'; trial: ImportTrial } & Read)
  | ({ is: 'adding'; progress: { rows: number; total: number } } & Read)
  | { is: 'done'; report: ImportReport }

function useImport() {
  const queryClient = useQueryClient()
  const [step, setStep] = useState<Step>({ is: 'source' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const wanted = useRef<Meanings>({})
  const isPreviewing = useRef(false)

  /** If `work` fails, the step stays. */
  async function go(work: () => Promise<Step>) {
    setBusy(true)
    setProblem(undefined)
    try {
      setStep(await work())
    } catch (error) {
      setProblem(errorSentence(error))
    }
    setBusy(false)
  }

  const read = (source: ImportSource, reading?: Reading) =>
    go(async () => {
      const survey = await askForColumns(source, reading)
      return 'question' in survey
        ? { is: 'reading', source, ...survey }
        : { is: 'columns', source, id: newIdempotencyKey(), survey }
    })

  const look = (chosen: Chosen) =>
    go(async () => {
      if (step.is !== 'columns') return step
      const planned = { ...chosen, reading: step.survey.reading }
      return { ...step, is: 'trial', chosen: planned, trial: await tryImport(step.source, planned) }
    })

  /** The questions stay, so that people can change their answers, even before the preview of the last one is here. */
  function mean(meanings: Meanings) {
    wanted.current = meanings
    // Not `isBusy`: an answer between a preview's end and the next paint would be lost.
    if (isPreviewing.current) return
    isPreviewing.current = true
    go(async () => {
      try {
        if (step.is !== 'trial') return step
        const preview = async () => {
          const chosen = { ...step.chosen, meanings: wanted.current }
          return { chosen, trial: await tryImport(step.source, chosen) }
        }
        let { chosen, trial } = await preview()
        while (chosen.meanings !== wanted.current) ({ chosen, trial } = await preview())
        const asked = step.trial.unclear
        const isAsked = ({ about }: UnclearColumn) => asked.some((other) => other.about === about)
        const unclear = [...asked, ...trial.unclear.filter((column) => !isAsked(column))]
        return { ...step, chosen, trial: { ...trial, unclear } }
      } finally {
        isPreviewing.current = false
      }
    })
  }

  async function add(decided: Partial<Chosen>) {
    if (step.is !== 'trial') return
    const { source, id, survey, chosen } = step
    const adding = { is: 'adding', source, id, survey, chosen } as const
    setProblem(undefined)
    setStep({ ...adding, progress: { rows: 0, total: 0 } })
    toast({ id: 'import', ...IMPORT_TEXTS.importing })
    try {
      const report = await sendImport(source, { ...chosen, ...decided, id }, (progress) =>
        setStep({ ...adding, progress }),
      )
      setStep({ is: 'done', report })
      toast({ id: 'import', ...IMPORT_TEXTS.done(report.added) })
    } catch (error) {
      setStep({ ...adding, is: 'columns' })
      setProblem(errorSentence(error))
      toast({ id: 'import', ...IMPORT_TEXTS.failed, variant: 'destructive' })
    }
    await invalidateAfterImport(queryClient)
  }

  const toColumns = () => {
    if (step.is === 'trial') setStep({ ...step, is: 'columns' })
  }
  const toSource = () => {
    setProblem(undefined)
    setStep({ is: 'source' })
  }
  return { step, isBusy, problem, read, look, mean, add, toColumns, toSource }
}

/** Checks a file before the upload. */
function problemOf(file: File): string | undefined {
  if (file.size > IMPORT_FILE_MAX)
    return `A file can be at most ${IMPORT_FILE_MAX / 1024 / 1024} MB. Please split it.`
  return file.size === 0 ? 'This file is empty' : undefined
}

interface ImportSourceStepProps {
  canImport: boolean
  isBusy: boolean
  onSource: (source: ImportSource) => void
}

function ImportSourceStep({ canImport, isBusy, onSource }: ImportSourceStepProps) {
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isOpen = canImport && !isBusy
  const choose = (file: File) => {
    const format = formatOfFile(file.name)
    const wrong = format ? problemOf(file) : 'Please choose a CSV or JSON file'
    setProblem(wrong)
    if (format && !wrong) onSource({ name: file.name, format, content: file })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && isOpen) choose(file)
  }
  return (
    <>
      <p className="max-w-prose text-sm leading-6 text-ink-soft">
        CSV or JSON, up to 50 MB. We’ll guess what each column is, and you can correct us. You’ll
        see a preview before we change anything, and you can undo an import.
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
          'grid justify-items-center gap-3 rounded-lg border border-dashed px-4 py-8 text-center transition-colors',
          isOver ? 'border-tea bg-tea-soft' : 'border-line-strong/60 bg-sunken',
        )}
      >
        <Icon of={FileUp} className="size-6 text-ink-faint" strokeWidth={1.5} />
        <FileButton isBusy={isBusy} isOff={!canImport} onFile={choose} />
        <p className="text-sm text-ink-faint">
          {canImport ? 'or drop one here' : 'Only administrators can import companies.'}
        </p>
      </div>
      <FormError>{problem && IMPORT_TEXTS.failedResult(problem)}</FormError>
      {canImport && <PasteTable isBusy={isBusy} onSource={onSource} />}
      <p className="text-sm">
        <a
          href="/api/v1/imports/template.csv"
          download="companies.csv"
          className="inline-flex min-h-8 items-center text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
        >
          Download a template
        </a>
      </p>
    </>
  )
}

function PasteTable({ isBusy, onSource }: Omit<ImportSourceStepProps, 'canImport'>) {
  const [text, setText] = useState('')
  const paste = () =>
    onSource({
      name: 'A pasted table',
      format: /^\s*[[{]/.test(text) ? 'json' : 'csv',
      content: new Blob([text]),
    })
  return (
    <form
      {...asksFirst()}
      className="grid justify-items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') paste()
      }}
    >
      <div className="w-full">
        <TextArea
          label="Or paste a table from a spreadsheet"
          name="table"
          spellCheck={false}
          autoComplete="off"
          rows={4}
          className="max-h-60 font-mono text-[0.8125rem]"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button type="submit" variant="secondary" disabled={text.trim() === ''} busy={isBusy}>
        Read the table
      </Button>
    </form>
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
    // Lets people choose the same file again.
    target.value = ''
    if (file) onFile(file)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={FILE_ENDINGS.join()}
        aria-label="File with companies"
        className="sr-only"
        tabIndex={-1}
        disabled={isBusy || isOff}
        onChange={choose}
      />
      <Button
        variant="secondary"
        busy={isBusy}
        busyLabel="Reading..."
        disabled={isOff}
        onClick={() => input.current?.click()}
      >
        Choose a file
      </Button>
    </>
  )
}
